import { withOrphans } from '../state/records';
import type { Orphan, Registration, Subscription } from '../state/records';

/** Where subscriptions belong now: the node's webhook URL, and the service's base URL. */
export interface Place {
	url: string;
	service: string;
}

/** What it takes to have one subscription for each event. */
export interface Plan {
	/** Subscriptions that fit as they are. */
	keep: Subscription[];
	/** Orphans that live, and serve again. */
	adopt: Subscription[];
	/** Events that need a subscription made. */
	missing: string[];
	/** Subscriptions to remove: for another URL, or of an event no longer chosen. */
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
	const adopt = onePerEvent(
		open,
		orphans.filter(lives).filter((one) => isAt(one, place)),
	);
	return {
		keep,
		adopt: adopt.map(({ id, event, url, token, service }) => ({ id, event, url, token, service })),
		missing: open.filter((event) => !adopt.some((orphan) => orphan.event === event)),
		leftover: subscriptions.filter((one) => !keep.includes(one)),
		orphans: withOrphans(
			orphans.filter((one) => !adopt.some((other) => other === one)),
			[],
		),
	};
}

function onePerEvent<One extends Orphan>(events: string[], candidates: One[]): One[] {
	const found = events.map((event) => candidates.find((candidate) => candidate.event === event));
	return found.filter((one) => one !== undefined);
}

function isAt({ url, service }: Orphan, place: Place): boolean {
	return url === place.url && service === place.service;
}

/** True for an orphan that delivered lately, although it was to be removed. */
function lives(orphan: Orphan): orphan is Orphan & Subscription {
	const { id, seenAt } = orphan;
	return id !== undefined && seenAt !== undefined && Date.now() - seenAt < PROOF_LIFETIME;
}
