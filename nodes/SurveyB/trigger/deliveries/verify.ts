import { createHash, timingSafeEqual } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod';

import { isObject } from '../../../shared/http/json';
import { hookRecord } from '../events';
import type { Orphan, Registration } from '../state/records';

/** A delivery: `{hook: {id, event, target}, data}` (contract, section Events). */
const deliveryRecord = z.object({ hook: hookRecord, data: z.custom<IDataObject>(isObject) });

export type Delivery = z.infer<typeof deliveryRecord>;

type Verdict =
	| { kind: 'accept'; delivery: Delivery }
	/** It is the service's, but starts no run. It proves that `orphan` lives, under the delivery's ID. */
	| { kind: 'drop'; message: string; delivery: Delivery; orphan?: Orphan }
	| { kind: 'refuse'; status: 400 | 401; message: string };

/** What a caller brings, and what it is held against. */
export interface Call {
	/** The `token` of the query, whatever that holds. */
	token: unknown;
	body: unknown;
	registration: Registration;
	/** Subscriptions that are being made right now. */
	making?: { token: string; events: string[] };
	requireToken: boolean;
	/** The events that the node is set to. */
	events: string[];
}

/** Tells what to do with a call of the webhook URL. */
export function verifyDelivery(call: Call): Verdict {
	const { registration, making } = call;
	const records: Orphan[] = [...registration.subscriptions, ...registration.orphans];
	if (![...records, making].some((one) => one !== undefined && knows(call, one.token))) {
		return call.requireToken
			? { kind: 'refuse', status: 401, message: 'The token is missing or wrong' }
			: ofNobody;
	}
	const read = deliveryRecord.safeParse(call.body);
	if (!read.success) {
		return { kind: 'refuse', status: 400, message: 'This is not a Survey B delivery' };
	}
	return verdictFor(
		call,
		read.data,
		records.filter(({ token }) => knows(call, token)),
	);
}

const ofNobody: Verdict = {
	kind: 'refuse',
	status: 400,
	message: 'This delivery is of no subscription of this workflow',
};

function verdictFor(call: Call, delivery: Delivery, records: Orphan[]): Verdict {
	const { id, event } = delivery.hook;
	const known =
		records.find((one) => one.id !== undefined && String(one.id) === String(id)) ??
		records.find(
			(one) => one.id === undefined && one.event === event && same(one.token, call.token),
		);
	if (known === undefined && !isBeingMade(call, event)) return ofNobody;
	if (known !== undefined && known.event !== event) return ofNobody;
	if (known !== undefined && !call.registration.subscriptions.some((one) => one === known)) {
		const message = 'Ignored: this subscription was given up';
		const orphan = same(known.token, call.token) ? known : undefined;
		return { kind: 'drop', message, delivery, orphan };
	}
	if (!call.events.includes(event)) {
		return {
			kind: 'drop',
			message: `Ignored: the workflow does not listen to '${event}'`,
			delivery,
		};
	}
	return { kind: 'accept', delivery };
}

/** A subscription may deliver before the answer that tells its ID has arrived. */
function isBeingMade({ making, ...call }: Call, event: string): boolean {
	return (
		making !== undefined &&
		making.events.includes(event) &&
		knows({ ...call, making }, making.token)
	);
}

/** Whether a caller may speak for a subscription with this token. */
function knows({ requireToken, token }: Call, expected: string): boolean {
	return !requireToken || same(expected, token);
}

/** Compares in a time that tells nothing about how much of the token is right. */
function same(expected: string, given: unknown): boolean {
	return typeof given === 'string' && timingSafeEqual(digest(expected), digest(given));
}

function digest(text: string): Buffer {
	return createHash('sha256').update(text).digest();
}
