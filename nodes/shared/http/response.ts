import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import type { BodyReader } from '../base/json';
import { isBlank, jsonText, quote, textIn, truncate, wordKey } from '../base/text';
import { CHECK_URL, doubtfulEnd, endOf, hintFor, isPassing } from './outcome';
import type { ApiRequest } from './request';
import { requestedPause } from './retry';
import { knownFor } from './service';
import type { ItemResult, Service } from './service';

/** A response whose body was read, without the API key. */
export interface Received {
	status: number;
	headers: Record<string, unknown>;
	/** Parsed if it is JSON, else text. */
	body: unknown;
}

/** A request and its response. */
interface Exchange extends Received {
	service: Service;
	request: ApiRequest;
	baseUrl: string;
}

export function readResponse<Response>(
	received: Exchange,
	readBody: BodyReader<Response>,
): { response: Response } | Failure {
	try {
		const failure = failureIn(received);
		if (failure) return failure;
		const response = readBody(received.body);
		if (response !== undefined) return { response };
	} catch {
		// It has values that no code expects, such as texts that are nested too deeply.
	}
	return unexpected(received);
}

function failureIn(received: Exchange): Failure | undefined {
	const { service, request, status, body } = received;
	if (status >= 300 && status < 400) return redirected(received);
	const results = service.itemResults?.(body) ?? [];
	const hasResults = results.some(({ isDone }) => isDone);
	// The results of its items say more than the status of a request that must not be repeated.
	if (hasResults && request.effect === 'notIdempotent') return undefined;
	const embedded = status < 300 ? service.embeddedError?.(body) : undefined;
	if (status >= 400 || embedded) return byErrorStatus(received, results, embedded);
	if (request.method === 'GET' || hasResults) return undefined;
	// promise: confirmed
	if (isRefused(body)) return unconfirmed(service, body);
	return undefined;
}

/** The response has another shape than the contract shows, which may be temporary. */
function unexpected({ service, status, body }: Exchange): Failure {
	const isPage = typeof body === 'string' && body.trimStart().startsWith('<');
	const shown = isPage ? ': a web page instead of data' : quoted(body);
	const message = `${service.name} returned an unexpected response${shown}`;
	return new Failure('lost', message, { status, hint: CHECK_URL });
}

/** The response to a write speaks against success, but does not say that nothing was done. */
export function unconfirmed(service: Service, body: unknown): Failure {
	const own = isMessages(body) ? truncate(service.messageIn(body)) : undefined;
	const message = own ?? `${service.name} did not confirm the request${quoted(body)}`;
	const hint = hintFor(service, own, 200);
	return new Failure('unconfirmed', message, { hint, reason: own });
}

/** A redirect is not followed: the key goes nowhere else. The message names the URL, without its query. */
function redirected({ service, request, status, headers, body, baseUrl }: Exchange): Failure {
	const { location } = headers;
	const own = truncate(service.messageIn(body));
	const url = typeof location === 'string' && URL.canParse(location, baseUrl) ? location : '';
	const { origin, pathname } = new URL(url, baseUrl);
	const target = origin + pathname;
	const other = target.endsWith(request.path) ? target.slice(0, -request.path.length) : baseUrl;
	const base = other === baseUrl ? undefined : other;
	const where = url ? `to ${base ?? target}` : 'without saying where to';
	const message = (url ? undefined : own) ?? `${service.name} redirects ${where}`;
	const hint = base
		? `If this is ${service.name}, enter ${base} as the Base URL of the credential`
		: CHECK_URL;
	// The same path elsewhere asks for the same request there. 303 and another page may follow a request that was carried out.
	const isMoved = base !== undefined && status !== 303;
	return new Failure(isMoved ? 'failed' : 'unconfirmed', message, { status, hint });
}

/** Handles an error status, in the head of the response or embedded in a 2xx. */
function byErrorStatus(
	{ service, request, status: head, headers, body }: Exchange,
	results: ItemResult[],
	embedded?: { status?: number },
): Failure {
	const sent = embedded?.status ?? head;
	// An error in the body of a 200 refuses the request, unless it gives another status.
	const status = sent < 400 ? 400 : sent;
	const reason = truncate(service.messageIn(body));
	const refusedItems = results
		.filter(({ key, isDone }) => key !== '' && !isDone)
		.map(({ key, reason }) => ({ key, reason: truncate(reason) }));
	const end = endOf(service, status, reason);
	const message = `${service.name} ${end === 'lost' ? 'failed' : 'refused the request'}`;
	const isOfGroup = reason !== undefined && service.groupMessage?.test(reason) === true;
	const stated = isOfGroup && !isPassing(end) ? 'group' : end;
	// A request whose error names some items may have been processed for the others, unless its status refuses all.
	const refusesAll = [stated, endOf(service, status)].every((end) => end === 'refused');
	const isPart = refusedItems.length > 0 && !refusesAll;
	const isDoubtful = embedded !== undefined || isPart;
	return new Failure(isDoubtful ? doubtfulEnd(stated, request) : stated, reason ?? message, {
		status: sent,
		reason,
		refusedItems,
		hint: hintFor(service, reason, status),
		pause: requestedPause(headers, reason),
	});
}

// The proof in a response. A sign of success that the contract shows confirms a write, unless there is a sign against it: the
// operation's `readBody` looks for the first, and the second is decided here, for the whole response and for each item in it. A
// read has to return the record that was asked for.

/** Parts of words that speak against success: in a status, or in the name of a list or a mark. */
const NEGATIVE = [
	...['fail', 'error', 'reject', 'denied', 'declin', 'refus', 'invalid', 'unsent', 'bounce'],
	...['block', 'cancel', 'skip', 'throttl', 'ineligib', 'partial'],
	...['notsent', 'notfound', 'notallowed', 'noteligible', 'notvalid', 'notqueued'],
];

/** The last words of a sentence that confirms a request, in the field of those that refuse. */
const DONE = ['deleted', 'removed', 'success', 'successful', 'successfully', 'ok'];

/** Words by which it denies it, or speaks of the future. */
const NOT_DONE = [
	...['no', 'not', 'none', 'nothing', 'never', 'cannot', 'unable', '0', 'be', 'being'],
	...['fail', 'failed', 'fails', 'failure', 'failures', 'partial', 'partially'],
];

/** The names of fields for a sentence about the request, and the positions in a list. */
const MESSAGE_FIELD = /^(detail|error|message|reason|\d+)$/;

export function isNegative(word: string): boolean {
	const key = wordKey(word);
	return /^[45]\d\d$/.test(key) || NEGATIVE.some((part) => key.includes(part));
}

function saysDone(text: string): boolean {
	const words = text.replace(/[.!]$/, '').toLowerCase().split(' ');
	// Another mark, such as a comma or an apostrophe, may begin a restriction.
	const isPlain = words.every((word) => /^\w*$/.test(word));
	return (
		isPlain && DONE.includes(words.at(-1) ?? '') && !words.some((word) => NOT_DONE.includes(word))
	);
}

/** Some services write true as text or as a number. */
export function isTrue(value: unknown): boolean {
	return ['true', '1'].includes(String(value).toLowerCase());
}

export function isSuccessCode(value: unknown): boolean {
	return /^2\d\d$/.test(String(value));
}

export function isRefused(part: unknown): boolean {
	if (!isObject(part)) return isMessages(part);
	const { success, queued, sent, status, error, errors, detail, non_field_errors: others } = part;
	const isDenied = [success, queued, sent].some((said) => String(said).toLowerCase() === 'false');
	const isError = [status, part.code, part.statusCode].some((said) => isNegative(String(said)));
	if (isDenied || isError) return true;
	const isDone = typeof detail === 'string' && saysDone(detail);
	return [error, errors, !isDone && detail, others].some(isReason) || isMessages(part);
}

/** A bare record confirms its item: in place of a status, it has no text that says why it was not done. */
export function isBare({ status, reason, message }: IDataObject): boolean {
	const isDone = [reason, message].every((text) => isBlank(text) || saysDone(textIn(text)));
	return isDone || !isBlank(status);
}

/** A removal leaves an empty response, or one that says `deleted`, or in which everything says that it was done. */
export function notRemoved(service: Service, body: IDataObject): Failure | undefined {
	const isSaid = isTrue(body.deleted) || isTrue(body.removed);
	const isDone = Object.entries(body).every(([name, value]) => {
		if (isBlank(value)) return !DONE.includes(name);
		const isYes = isTrue(value) || isSuccessCode(value) || saysDone(String(value));
		return isYes || name === 'id' || name === 'count';
	});
	return isSaid || isDone ? undefined : unconfirmed(service, body);
}

function isReason(value: unknown): boolean {
	return typeof value === 'object' && value !== null
		? Object.keys(value).length > 0
		: Boolean(value);
}

/** Errors have nothing but sentences: in lists, at any depth, or in a field for them. */
function isMessages(part: unknown, field = ''): boolean {
	if (typeof part === 'string') {
		const isMessage = MESSAGE_FIELD.test(field) || (field !== '' && part.endsWith('.'));
		return isMessage && /\S\s/.test(part) && !saysDone(part);
	}
	const inside = Object.entries(Object(part));
	return inside.length > 0 && inside.every(([name, value]) => isMessages(value, name));
}

export function quoted(body: unknown): string {
	return typeof body === 'object' && body !== null ? `: ${jsonText(body)}` : '';
}

/** A service may write an ID as a number, and text in another case. */
export function namesSame(one: unknown, other: unknown): boolean {
	const [key, otherKey] = [one, other].map((value) =>
		String(value)
			.trim()
			.toLowerCase()
			.replace(/^0+(?=\d+$)/, ''),
	);
	return key === otherKey;
}

export function notSaved(label: string, sent: unknown, saved: unknown): Failure | undefined {
	// Older servers leave fields out.
	return isBlank(sent) || isBlank(saved) ? undefined : differs(label, sent, saved);
}

/** For a field that the response has to have. */
export function differs(label: string, sent: unknown, saved: unknown): Failure | undefined {
	if (namesSame(saved, sent)) return undefined;
	const message = `'${label}' is ${quote(saved)} in the response, not ${quote(sent)}`;
	return new Failure('unconfirmed', message);
}

/** @throws Failure if the record that was asked for does not exist, or if another one came */
export function askedFor(
	service: Service,
	records: IDataObject[],
	asked: string,
	names: string[],
	none: string,
): IDataObject {
	const match = records.find((record) => names.some((name) => namesSame(record[name], asked)));
	const [other] = records;
	if (match || !other) return existing(service, match, none);
	const name = quote(names.map((field) => other[field]).find((value) => !isBlank(value)));
	const message = `${service.name} returned the record ${name} instead of ${asked}`;
	throw new Failure('unconfirmed', message);
}

/** @param none the service's message for a record that does not exist. @throws Failure if the record is undefined */
export function existing(
	service: Service,
	record: IDataObject | undefined,
	none: string,
): IDataObject {
	if (record) return record;
	const { code = 'notFound' } = knownFor(service, none);
	throw new Failure('failed', none, { code, hint: hintFor(service, none, 404) });
}
