import type { IDataObject } from 'n8n-workflow';

import { isObject, recordsOf, wholeNumber } from '../shared/base/json';
import { isBlank, labelOf, MAX_NESTING, plainText } from '../shared/base/text';
import { isRefused } from '../shared/http/response';
import type { Service } from '../shared/http/service';

/** The envelopes, pages, and messages of Survey B (contract, sections Endpoints and Errors). */
export const surveyB: Service = {
	name: 'Survey B',
	credential: 'surveyBApi',
	authorization: (apiKey) => `Token ${apiKey}`,
	apiPath: /\/api(\/v2)?$/i,
	credentialTest: { path: '/api/lists/' },

	messageIn(body) {
		if (typeof body === 'string') return plainText(body);
		return linesOf(body, []).join('; ') || undefined;
	},

	knownMessages: [
		[
			/^no contact has the email/i,
			"Check the email. 'Get Many' lists the contacts",
			'unknownContact',
		],
		[/enter a valid email address/i, 'Correct the email, or remove the row', 'invalidEmail'],
		[
			/does not have permission to access campaign/i,
			'Check the campaign ID. The campaign may belong to another organization',
		],
		[/campaign requires a contact list/i, 'Add a contact list to the campaign in Survey B'],
		[
			/reply already exists/i,
			'Nothing was sent, since the feedback response has a reply: see it in Survey B',
			'alreadyReplied',
		],
		[
			/feedback has been marked complete/i,
			'A complete feedback response cannot be forwarded. It may need to be reopened first',
		],
		[/not a member/i, "Set 'From User' to the email of an organization member"],
		[/^'Target': .*\bURL\b/, 'Enter another URL; that of the trigger comes from N8N_WEBHOOK_URL'],
		[/invalid token|credentials were not provided/i, 'Check the API key of the credential'],
		[/^forbidden|permission to perform/i, 'Use the API key of an administrator'],
	],

	accountMessage:
		/^forbidden|permission to perform|invalid token|credentials were not provided|\b(accounts?|plan|quota|billing|trial)\b/i,
	groupMessage: /does not have permission to access campaign|campaign requires a contact list/i,

	itemResults(body) {
		const emails = isObject(body) && isObject(body.emails) ? body.emails : {};
		return Object.entries(emails).map(([index, messages]) => ({
			key: Number(index),
			isDone: false,
			reason: linesOf(messages, []).join('; '),
		}));
	},

	// The contract does not show `page` for every list, so the first request has none.
	pageQuery: (page) => (page === 1 ? {} : { page }),

	readPage(body) {
		const bare = recordsOf(body);
		if (bare) return { records: bare };
		if (!isObject(body)) return undefined;
		// A page past the end, where errors come with status 200.
		if (body.detail === 'Invalid page.') return { records: [], next: null };
		const total = wholeNumber(body.count);
		const isEmpty = total === 0 && isBlank(body.results);
		const records = isEmpty ? [] : recordsOf(body.results);
		// An error beside an empty list is no empty list.
		if (records?.length === 0 && isRefused(body)) return undefined;
		return records && { records, total, next: linkQuery(body.next) };
	},
};

/**
 * Null: there is no next page. Undefined: the link cannot be read. It may name another origin, which must not receive the key.
 */
function linkQuery(next: unknown): IDataObject | null | undefined {
	if (next === null || next === '' || next === false) return null;
	if (typeof next !== 'string' || !URL.canParse(next, 'http://base')) return undefined;
	// promise: next-link
	const { searchParams } = new URL(next, 'http://base');
	return searchParams.size === 0 ? null : Object.fromEntries(searchParams);
}

/** A validation body is keyed by field at any depth. */
function linesOf(part: unknown, fields: string[], depth = 0): string[] {
	if (typeof part === 'string') return [sentence(fields, part)];
	if (depth > MAX_NESTING) return [];
	if (Array.isArray(part)) return part.flatMap((entry) => linesOf(entry, fields, depth + 1));
	if (!isObject(part)) return [];
	return Object.entries(part).flatMap(([name, inside]) =>
		linesOf(inside, WITHOUT_FIELD.has(name) ? fields : [...fields, name], depth + 1),
	);
}

/** Keys that are not fields of the editor. */
const WITHOUT_FIELD = new Set(['contact', 'detail', 'error', 'message', 'non_field_errors']);

function sentence(fields: string[], message: string): string {
	const label = labelIn(fields);
	if (label === undefined) return message;
	const named = message.replace(/^this field\b/i, () => `'${label}'`);
	return named === message ? `'${label}': ${message}` : named;
}

/** Attributes have the names that users give them. */
function labelIn(path: string[]): string | undefined {
	const inAttributes = path.indexOf('attributes') + 1;
	if (inAttributes > 0 && inAttributes < path.length) return path.slice(inAttributes).join('.');
	const name = path.filter((part) => !/^\d+$/.test(part)).at(-1);
	return name && labelOf(name);
}
