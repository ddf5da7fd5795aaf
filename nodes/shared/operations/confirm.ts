import { isObject } from '../base/json';
import { hintFor } from '../http/response';
import type { ApiRequest } from '../http/request';
import type { Service } from '../http/service';
import { Failure } from '../base/failure';

// What confirms a write. A response is a success if it has a sign of one that the contract shows, which the operation's
// schema looks for, and none against it, which is decided here for the whole response and for each row in it.

/** Statuses of a row that was not processed. */
const NEGATIVE =
	/fail|error|reject|denied|declin|refus|invalid|not.?(sent|found|allowed|eligible|valid|queued)|unsent|bounce|block|cancel|skip/i;

const SENT = /^(sent|sending|queued)$/i;

/** Returns whether a status says that a survey is on its way. */
export function isSent(status: unknown): boolean {
	return typeof status === 'string' && SENT.test(status.trim());
}

/** Returns whether a response, or a row in it, says that it was not processed. */
export function isRefused(part: unknown): boolean {
	if (!isObject(part)) return false;
	const { success, status, error, errors, detail, non_field_errors: others } = part;
	if (/^false$/i.test(String(success)) || NEGATIVE.test(String(status))) return true;
	return [error, errors, detail, others].some(isReason) || isMessages(part);
}

function isReason(value: unknown): boolean {
	if (Array.isArray(value)) return value.length > 0;
	return isObject(value) ? Object.keys(value).length > 0 : Boolean(value);
}

/** Returns whether a body has nothing but lists of sentences, at any depth, as validation errors have. */
function isMessages(part: unknown): boolean {
	if (Array.isArray(part))
		return part.length > 0 && part.every((one) => typeof one === 'string' && /\S\s/.test(one));
	const inside = isObject(part) ? Object.values(part) : [];
	return inside.length > 0 && inside.every(isMessages);
}

/** Throws a Failure if the response to a write speaks against success. */
export function confirm(service: Service, request: ApiRequest, body: unknown): void {
	if (!isRefused(body)) return;
	const own = isMessages(body) ? service.messageIn(body) : undefined;
	const message = own ?? `${service.name} did not confirm the request: ${JSON.stringify(body)}`;
	// The response does not say that nothing was done.
	const kind = request.effect === 'notIdempotent' ? 'uncertain' : 'failed';
	throw new Failure(kind, message, { hint: hintFor(service, message, 200) });
}
