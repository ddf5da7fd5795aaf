import { timingSafeEqual } from 'crypto';
import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { isObject } from '../../../shared/http/json';
import { hookRecord } from '../events';
import { secretHash } from '../state/records';
import type { Orphan, Registration } from '../state/records';

/** A delivery: `{hook: {id, event, target}, data}` (contract, section Events). */
const deliveryRecord = z.object({
	hook: hookRecord(),
	data: z.custom<IDataObject>(isObject),
});

export type Delivery = z.infer<typeof deliveryRecord>;

type Verdict =
	/** `isSample` is true for what the node delivers to itself while the editor listens. */
	| { kind: 'accept'; delivery: Delivery; isSample?: boolean }
	/** It is the service's, but starts no run. It proves that `orphan` lives, under the delivery's ID. */
	| { kind: 'drop'; message: string; delivery: Delivery; orphan?: Orphan }
	/** `stranger` is what a caller brought who knows no token, where it looks like a delivery. */
	| { kind: 'refuse'; status: 400 | 401; message: string; stranger?: Delivery };

/** What a caller brings, and what it is held against. */
export interface Call {
	/** The `token` of the query, whatever that holds. */
	token: unknown;
	body: unknown;
	registration: Registration;
	/** Subscriptions that are being made right now. */
	making?: { tokenHash: string; events: string[] };
	requireToken: boolean;
	/** The events that the node is set to. */
	events: string[];
}

/** Tells what to do with a call of the webhook URL. */
export function verifyDelivery(call: Call): Verdict {
	const { registration, making } = call;
	const records: Orphan[] = [...registration.subscriptions, ...registration.orphans];
	const isKnown = knowsToken(call);
	const read = deliveryRecord.safeParse(call.body);
	if (read.success && isOfSample(call)) {
		return { kind: 'accept', delivery: read.data, isSample: true };
	}
	const isStranger = ![...records, making].some((one) => one !== undefined && isKnown(one));
	if (isStranger && !call.requireToken) return ofNobody;
	if (isStranger) {
		const message = 'The token is missing or wrong';
		return { kind: 'refuse', status: 401, message, stranger: read.data };
	}
	if (!read.success) {
		return { kind: 'refuse', status: 400, message: 'This is not a Survey B delivery' };
	}
	return verdictFor(call, read.data, records.filter(isKnown));
}

const ofNobody: Verdict = {
	kind: 'refuse',
	status: 400,
	message: 'This delivery is of no subscription of this workflow',
};

function verdictFor(call: Call, delivery: Delivery, records: Orphan[]): Verdict {
	const { id, event } = delivery.hook;
	const bringsToken = bringsTokenOf(call);
	const known =
		records.find((one) => one.id !== undefined && String(one.id) === String(id)) ??
		records.find((one) => one.id === undefined && one.event === event && bringsToken(one));
	if (known === undefined && !isBeingMade(call, event)) return ofNobody;
	if (known !== undefined && known.event !== event) return ofNobody;
	if (known !== undefined && !call.registration.subscriptions.some((one) => one === known)) {
		const message = 'Ignored: this subscription was given up';
		return { kind: 'drop', message, delivery, orphan: bringsToken(known) ? known : undefined };
	}
	if (!call.events.includes(event)) {
		const message = `Ignored: the workflow does not listen to '${event}'`;
		return { kind: 'drop', message, delivery };
	}
	return { kind: 'accept', delivery };
}

/** A subscription may deliver before the answer that tells its ID has arrived. */
function isBeingMade(call: Call, event: string): boolean {
	const { making } = call;
	return making !== undefined && making.events.includes(event) && knowsToken(call)(making);
}

function isOfSample(call: Call): boolean {
	const { sampleTokenHash: tokenHash } = call.registration;
	return tokenHash !== undefined && bringsTokenOf(call)({ tokenHash });
}

interface Secret {
	tokenHash: string;
}

/** Tells whether the caller may speak for a subscription. */
function knowsToken(call: Call): (one: Secret) => boolean {
	return call.requireToken ? bringsTokenOf(call) : () => true;
}

/** Tells whether the caller brings a subscription's token. */
function bringsTokenOf({ token }: Call): (one: Secret) => boolean {
	if (typeof token !== 'string') return () => false;
	const given = Buffer.from(secretHash(token));
	return ({ tokenHash }) => {
		const expected = Buffer.from(tokenHash);
		return expected.length === given.length && timingSafeEqual(expected, given);
	};
}
