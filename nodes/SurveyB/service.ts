import type { IDataObject } from 'n8n-workflow';

import { isObject, rowsOf, wholeNumber } from '../shared/http/json';
import type { Service } from '../shared/http/service';
import { plainText } from '../shared/http/messages';

/** What is peculiar to Survey B: envelopes, pages, messages (contract, sections Endpoints and Errors). */
export const surveyB: Service = {
	name: 'Survey B',
	credential: 'surveyBApi',

	failureInside: () => undefined,

	words(body) {
		if (typeof body === 'string') return plainText(body);
		const lines = linesOf(body, []);
		return lines.length === 0 ? undefined : lines.join('; ');
	},

	advice: [
		{
			words: /contact is not eligible for survey/i,
			advice:
				'A contact can be surveyed once in 24 hours, or less often by the campaign or account throttle. Survey this contact later',
		},
		{
			words: /contact has unsubscribed/i,
			advice:
				"Leave this contact out. Only set 'Unsubscribed' to false when the contact asked for it",
		},
		{
			words: /enter a valid email address/i,
			advice: 'Correct the address, or take the row out',
		},
		{
			words: /does not have permission to access campaign/i,
			advice: 'Check the campaign ID: this campaign does not belong to your organization',
		},
		{
			words: /campaign requires a contact list/i,
			advice: 'Give the campaign a contact list in the delivery settings of Survey B',
		},
		{
			words: /reply already exists/i,
			advice: 'A feedback takes one reply only. See the earlier one in Survey B',
		},
		{
			words: /feedback has been marked complete/i,
			advice:
				'A complete feedback cannot be forwarded. Set its status to Open first if it should be',
		},
		{
			words: /not a member/i,
			advice: "Set 'From User' to the address of a member of your organization",
		},
		{
			words: /this field (may not be blank|is required)/i,
			advice: 'Fill in the field that the message names, for this row',
		},
		{
			words: /throttled/i,
			advice: "Run this later, or set 'Requests per Minute' in the credential",
		},
	],

	refusedRows(body) {
		const emails = isObject(body) && isObject(body.emails) ? body.emails : {};
		return Object.entries(emails).map(([index, messages]) => ({
			key: Number(index),
			reason: linesOf(messages, []).join('; '),
		}));
	},

	// Not every list is shown with a `page`: the first one is asked for as the contract shows it.
	pageQuery: (page) => (page === 1 ? {} : { page }),

	readPage(body, key) {
		const bare = rowsOf(body);
		// Only a full page leaves it open whether more follow.
		if (bare) return { rows: bare, next: bare.length === 100 ? undefined : null, isBare: true };
		if (!isObject(body)) return undefined;
		const rows = rowsOf(body[key]);
		return rows && { rows, total: wholeNumber(body.count), next: queryOf(body.next) };
	},
};

/**
 * The query of a `next` link. Only the query: the link may name another origin, a proxy's inside
 * name say, and the key is not to leave the base URL.
 */
function queryOf(next: unknown): IDataObject | null | undefined {
	if (next === undefined) return undefined;
	if (typeof next !== 'string' || !URL.canParse(next, 'http://base')) return null;
	return Object.fromEntries(new URL(next, 'http://base').searchParams);
}

/** Validation bodies are keyed by field, at any depth: one readable line for each field. */
function linesOf(part: unknown, fields: string[]): string[] {
	if (typeof part === 'string') return [[fields.join('.'), part].filter(Boolean).join(': ')];
	if (Array.isArray(part)) return part.flatMap((entry) => linesOf(entry, fields));
	if (!isObject(part)) return [];
	return Object.entries(part).flatMap(([name, inside]) =>
		linesOf(inside, WITHOUT_FIELD.has(name) ? fields : [...fields, name]),
	);
}

/** Keys that name no field of the user's. */
const WITHOUT_FIELD = new Set(['detail', 'non_field_errors', 'message', 'error']);
