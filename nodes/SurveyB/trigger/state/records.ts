import { createHash } from 'crypto';
import { z } from 'zod/v4';

import { once } from '../../../shared/http/once';

/** The hash of a secret, which proves that somebody knows it and does not tell it. */
export function secretHash(secret: string): string {
	return createHash('sha256').update(secret).digest('hex');
}

/** Tells accounts apart without telling their keys. */
export function accountHash(baseUrl: string, apiKey: string): string {
	return secretHash(`${baseUrl}\n${apiKey}`);
}

/** The longest ID of a subscription that is remembered: what the service says fills no workflow's data. */
const LONGEST_ID = 200;

/** The ID of a subscription, as the service gives it. */
export const subscriptionId = z.union([z.number(), z.string().min(1).max(LONGEST_ID)]);

/** A subscription at the service, as a trigger node remembers it. */
const subscriptionRecord = () =>
	z.object({
		id: z.union([z.number(), z.string()]),
		event: z.string(),
		/** The node's webhook URL when it was made; the target that the service calls has the token behind it. */
		url: z.string(),
		/**
		 * SHA-256 of the token that rides in the target's query and tells the service's deliveries from
		 * anybody else's. The token itself is nowhere but at the service.
		 */
		tokenHash: z.string(),
		/** The base URL it was made at: its ID means nothing to any other service. */
		service: z.string(),
		/** SHA-256 of base URL and API key: nor to any other account. Version 0.1.0 did not note it. */
		account: z.string().optional(),
	});

/**
 * A subscription that may still be alive although nobody wants it: its removal was not confirmed. Its
 * deliveries are dropped.
 */
const orphanRecord = () =>
	// The ID is absent where the service's answer was lost: the subscription's first delivery tells it.
	subscriptionRecord().partial({ id: true }).extend({
		/** When it last delivered after its removal had failed: that proves that it lives. */
		seenAt: z.number().optional(),
		/** True where removing it failed for a passing reason. */
		retry: z.boolean().optional(),
		/** True where the service has no way to remove subscriptions: so it lives. */
		permanent: z.boolean().optional(),
	});

/** All that a trigger node has at the service, for its live or for its test URL. */
export const registrationRecord = once(() =>
	z.object({
		/** The n8n instance, workflow and node it belongs to: a copy of the workflow leaves it alone. */
		owner: z.string(),
		/** Grows with every save, so that the newer of two versions can be told. */
		savedAt: z.number(),
		url: z.string(),
		subscriptions: z.array(z.preprocess(hashToken, subscriptionRecord())),
		orphans: z.array(z.preprocess(hashToken, orphanRecord())),
		/** SHA-256 of the token of the sample that the node delivers to its own test URL. */
		sampleTokenHash: z.string().optional(),
	}),
);

export type Subscription = z.infer<ReturnType<typeof subscriptionRecord>>;
export type Orphan = z.infer<ReturnType<typeof orphanRecord>>;
export type Registration = z.infer<ReturnType<typeof registrationRecord>>;

/** Version 0.1.0 saved the token itself. */
function hashToken(saved: unknown): unknown {
	const { token, ...rest }: { token?: unknown } = Object(saved);
	return typeof token === 'string' ? { tokenHash: secretHash(token), ...rest } : saved;
}

/** True where `one` is a later version than `other`; of the same version, where it saw more. */
export function isNewer(one: Registration, other: Registration): boolean {
	if (one.savedAt !== other.savedAt) return one.savedAt > other.savedAt;
	return lastSeen(one) > lastSeen(other);
}

function lastSeen({ orphans }: Registration): number {
	return Math.max(0, ...orphans.map(({ seenAt }) => seenAt ?? 0));
}

/** More orphans than this are not remembered; the oldest are forgotten first. */
const MOST_ORPHANS = 100;

/** Puts a subscription on the list of orphans once, and keeps the list short. */
export function withOrphans(orphans: Orphan[], more: Orphan[]): Orphan[] {
	return [...withoutOrphans(orphans, more), ...more].slice(-MOST_ORPHANS);
}

/** Takes subscriptions off the list of orphans. */
export function withoutOrphans(orphans: Orphan[], gone: Orphan[]): Orphan[] {
	const keys = new Set(gone.map(keyOf));
	return orphans.filter((orphan) => !keys.has(keyOf(orphan)));
}

function keyOf({ service, id, event, tokenHash }: Orphan): string {
	return JSON.stringify(
		id === undefined ? [service, event, tokenHash] : [service, String(id), tokenHash],
	);
}
