import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import { isBlank, quote } from '../base/text';
import { hintFor } from './outcome';
import type { Service } from './service';

// What a response proves. It confirms a write if it has a sign of success that the contract shows, and none against it: the
// operation's schema looks for the first, and the second is decided here, for the whole response and for each item in it. A
// read has to return the record that was asked for.

const NEGATIVE =
	/fail|error|reject|denied|declin|refus|invalid|not.?(sent|found|allowed|eligible|valid|queued)|unsent|bounce|block|cancel|skip|throttl|ineligib|partial/i;

/** A sentence that confirms a removal, in the field of those that refuse. */
const DONE = /^[\w ]*\b(deleted|removed|success(ful)?(ly)?|ok)[.!]?$/i;

const SENT = /^(sent|sending|queued)$/i;

/** Returns whether a status says that a survey is on its way, as the contracts show it. */
export function isSent(status: unknown): boolean {
	return typeof status === 'string' && SENT.test(status.trim());
}

/** Returns whether a status, or the name of a field, says that something was not processed. */
export function isNegative(word: string): boolean {
	return NEGATIVE.test(word);
}

/** Returns whether a response says true: some write it as text or as a number. */
export function isTrue(value: unknown): boolean {
	return /^(true|1)$/i.test(String(value));
}

/** Returns whether a response, or an item in it, says that it was not processed. */
export function isRefused(part: unknown): boolean {
	if (!isObject(part)) return isMessages(part);
	const { success, queued, sent, status, error, errors, detail, non_field_errors: others } = part;
	const isDenied = [success, queued, sent].some((said) => String(said).toLowerCase() === 'false');
	if (isDenied || isNegative(String(status))) return true;
	const isDone = typeof detail === 'string' && DONE.test(detail);
	return [error, errors, !isDone && detail, others].some(isReason) || isMessages(part);
}

/** Returns whether the response to a removal says that the record is still there. Elsewhere, `deleted` is a state of a record. */
export function isKept(part: unknown): boolean {
	return isObject(part) && 'deleted' in part && !isTrue(part.deleted);
}

/** Returns whether a field that names errors has any. */
export function isReason(value: unknown): boolean {
	return typeof value === 'object' && value !== null
		? Object.keys(value).length > 0
		: Boolean(value);
}

/** Returns whether a body has nothing but lists of sentences, at any depth, as validation errors have. */
export function isMessages(part: unknown): boolean {
	if (Array.isArray(part))
		return part.length > 0 && part.every((one) => typeof one === 'string' && /\S\s/.test(one));
	const inside = isObject(part) ? Object.values(part) : [];
	return inside.length > 0 && inside.every(isMessages);
}

/** Returns the end of a message that quotes an object or an array. */
export function quoted(body: unknown): string {
	if (typeof body !== 'object' || body === null) return '';
	try {
		return `: ${JSON.stringify(body)}`;
	} catch {
		// It is nested too deeply.
		return '';
	}
}

/** Returns whether two values name the same: a service may write an ID as a number, and text in another case. */
function namesSame(one: unknown, other: unknown): boolean {
	const [key, otherKey] = [one, other].map((value) =>
		String(value)
			.trim()
			.toLowerCase()
			.replace(/^0+(?=\d+$)/, ''),
	);
	return key === otherKey;
}

/** Returns the failure of a write whose response has another value of a field than the one that was sent. */
export function notSaved(label: string, sent: unknown, saved: unknown): Failure | undefined {
	// Older servers leave fields out.
	if (namesSame(saved, sent) || isBlank(sent) || isBlank(saved)) return undefined;
	const message = `'${label}' is ${quote(saved)} in the response, not ${quote(sent)}`;
	return new Failure('unconfirmed', message);
}

/**
 * Returns the record that was asked for.
 *
 * @param names the fields that may have what was asked for
 * @param none the service's message when there is none
 * @throws Failure if there is none, or another one
 */
export function askedFor(
	service: Service,
	records: IDataObject[],
	asked: string,
	names: string[],
	none: string,
): IDataObject {
	const found = records.find((record) => names.some((name) => namesSame(record[name], asked)));
	const [other] = records;
	if (found || !other) return existing(service, found, none);
	const name = quote(names.map((one) => other[one]).find((value) => !isBlank(value)));
	const message = `${service.name} returned the record ${name} instead of ${asked}`;
	throw new Failure('unconfirmed', message);
}

/** Returns a record that must exist. @param none the service's message when there is none @throws Failure then */
export function existing(
	service: Service,
	record: IDataObject | undefined,
	none: string,
): IDataObject {
	if (record) return record;
	throw new Failure('failed', none, { status: 404, hint: hintFor(service, none, 404) });
}
