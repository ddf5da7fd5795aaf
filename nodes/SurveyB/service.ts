import type { IDataObject } from 'n8n-workflow';

import { isObject, rowsOf, wholeNumber } from '../shared/http/json';
import type { Service } from '../shared/http/service';
import { labelOf, plainText } from '../shared/http/messages';

/** What is peculiar to Survey B: envelopes, pages, messages (contract, sections Endpoints and Errors). */
export const surveyB: Service = {
	name: 'Survey B',
	credential: 'surveyBApi',
	authorization: (apiKey) => `Token ${apiKey}`,
	apiPath: /\/api(\/v2)?$/i,
	credentialTest: { path: '/api/lists/', rowsKey: 'results' },

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
				'A contact can be surveyed once in 24 hours, or less often if the campaign or account throttle says so. Try again later',
			parameters: ['email'],
		},
		{
			words: /contact has unsubscribed/i,
			advice: "Remove the row. Turn 'Unsubscribed' off only if the contact asked for it",
			parameters: ['email'],
		},
		{
			words: /enter a valid email address/i,
			advice: 'Correct the email, or remove the row',
			parameters: ['email'],
		},
		{
			words: /does not have permission to access campaign/i,
			advice: 'Check the campaign ID. The campaign may belong to another organization',
			parameters: ['campaignId'],
		},
		{
			words: /campaign requires a contact list/i,
			advice: 'Add a contact list to the campaign in Survey B',
			parameters: ['campaignId'],
		},
		{
			words: /reply already exists/i,
			advice: 'A feedback response can have only one reply. See the earlier one in Survey B',
			parameters: ['feedbackId'],
		},
		{
			words: /feedback has been marked complete/i,
			advice: 'A complete feedback response cannot be forwarded. It may need to be reopened first',
			parameters: ['feedbackId'],
		},
		{
			words: /not a member/i,
			advice: "Set 'From User' to the email of an organization member",
			parameters: ['fromUser'],
		},
		{
			words: /(may not be blank|is required)/i,
			advice: 'Enter a value for the field that the message names',
		},
		{
			words: /throttled/i,
			advice: "Run this later, or set 'Requests per Minute' in the credential",
		},
	],

	statusAdvice: { 403: 'Use the API key of an administrator' },

	refusedRows(body) {
		const emails = isObject(body) && isObject(body.emails) ? body.emails : {};
		return Object.entries(emails).map(([index, messages]) => ({
			key: Number(index),
			reason: linesOf(messages, []).join('; '),
		}));
	},

	// Not every list is shown with a `page`: the first one is asked for as the contract shows it.
	pageQuery: (page) => (page === 1 ? {} : { page }),

	ageFields: ['created', 'created_date', 'id'],

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

/** Beyond this depth, a body has no words: nobody writes them there. */
const DEEPEST = 20;

/** Returns the messages of a validation body, which is keyed by field at any depth. */
function linesOf(part: unknown, fields: string[], depth = 0): string[] {
	if (typeof part === 'string') return [sentence(fields, part)];
	if (depth > DEEPEST) return [];
	if (Array.isArray(part)) return part.flatMap((entry) => linesOf(entry, fields, depth + 1));
	if (!isObject(part)) return [];
	return Object.entries(part).flatMap(([name, inside]) =>
		linesOf(inside, WITHOUT_FIELD.has(name) ? fields : [...fields, name], depth + 1),
	);
}

/** Keys that name no field of the editor. */
const WITHOUT_FIELD = new Set(['contact', 'detail', 'error', 'message', 'non_field_errors']);

/** The labels of fields that the API names differently. */
const LABELS: Record<string, string> = {
	bcc: 'BCC',
	category: 'Tag Category',
	'category.name': 'Category Name',
	cc: 'CC',
	contact_list: 'Contact Lists',
	contact_list__id: 'Contact List',
	followup__type: 'Follow-Up Type',
	name: 'Tag Name',
	posted_date_0: 'Start Date',
	posted_date_1: 'End Date',
	posted_date_after: 'Start Date',
	posted_date_before: 'End Date',
	survey__campaign: 'Campaign',
	survey__campaign__status: 'Campaign Status',
	survey__contact__email: 'Email',
};

/** Returns a message about a field, with the field's label. */
function sentence(fields: string[], message: string): string {
	const label = labelIn(fields);
	if (label === undefined) return message;
	if (/^this field\b/i.test(message)) return message.replace(/^this field/i, `'${label}'`);
	if (!/^user is not a member/i.test(message)) return `'${label}': ${message}`;
	return `'${label}' is not a member of your organization`;
}

/** Returns the label of the field at a path; attributes have the names that users give them. */
function labelIn(path: string[]): string | undefined {
	const inAttributes = path.indexOf('attributes') + 1;
	if (inAttributes > 0 && inAttributes < path.length) return path.slice(inAttributes).join('.');
	const whole = path.join('.');
	const name = whole in LABELS ? whole : path.filter((part) => !/^\d+$/.test(part)).at(-1);
	return name && labelOf(name, LABELS);
}
