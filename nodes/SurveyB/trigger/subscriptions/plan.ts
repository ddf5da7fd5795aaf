import { withOrphans } from '../state/records';
import type { Orphan, Registration, Subscription } from '../state/records';

/** Where subscriptions belong now. */
export interface Place {
	/** The node's webhook URL. */
	url: string;
	/** The service's base URL. */
	service: string;
	/** SHA-256 of base URL and API key. */
	account: string;
}

/** What it takes to have one subscription for each event. */
export interface Plan {
	/** Subscriptions that fit as they are. */
	keep: Subscription[];
	/** Orphans that live, and serve again. */
	adopt: Subscription[];
	/** Events that need a subscription made. */
	missing: string[];
	/** Subscriptions to remove: for another URL or account, or of an event no longer chosen. */
	leftover: Subscription[];
	/** The orphans that stay ones. */
	orphans: Orphan[];
}

/**
 * How long an orphan's delivery proves that it lives, in ms. Not for ever: the user was told its ID,
 * and may have removed it by hand; a trigger that relied on it then would be silent.
 */
const PROOF_LIFETIME = 24 * 60 * 60 * 1000;

/** Compares what a node has with what it needs. */
export function planOf(
	{ subscriptions, orphans }: Registration,
	events: string[],
	place: Place,
): Plan {
	const keep = onePerEvent(
		events,
		subscriptions.filter((one) => isAt(one, place)),
	);
	const open = events.filter((event) => !keep.some((kept) => kept.event === event));
	const living = orphans.filter(lives).filter((one) => isAt(one, place));
	const adopt = onePerEvent(open, living);
	return {
		keep,
		adopt: adopt.map(({ id, event, tokenHash }) => ({ id, event, tokenHash, ...place })),
		missing: open.filter((event) => !adopt.some((orphan) => orphan.event === event)),
		leftover: subscriptions.filter((one) => !keep.includes(one)),
		orphans: withOrphans(
			orphans.filter((one) => !adopt.some((other) => other === one)),
			[],
		),
	};
}

/**
 * True for what belongs to the account that the credential is of now. Elsewhere an ID means nothing,
 * or somebody else's subscription.
 */
export function isOfAccount({ service, account }: Orphan, place: Place): boolean {
	return service === place.service && (account === undefined || account === place.account);
}

/**
 * True for a subscription that calls this n8n. One of another origin may be that of the n8n that this
 * one is a copy of.
 */
export function isOfThisN8n({ url }: Orphan, place: Place): boolean {
	return originOf(url) === originOf(place.url);
}

function originOf(url: string): string {
	return URL.canParse(url) ? new URL(url).origin : url;
}

function onePerEvent<One extends Orphan>(events: string[], candidates: One[]): One[] {
	const found = events.map((event) => candidates.find((candidate) => candidate.event === event));
	return found.filter((one) => one !== undefined);
}

function isAt(one: Orphan, place: Place): boolean {
	return one.url === place.url && isOfAccount(one, place);
}

/** True for an orphan that delivered lately although it was to be removed, or that nothing removes. */
function lives(orphan: Orphan): orphan is Orphan & Subscription {
	const { id, seenAt, permanent } = orphan;
	if (id === undefined) return false;
	return permanent === true || (seenAt !== undefined && Date.now() - seenAt < PROOF_LIFETIME);
}
