import type { IDataObject } from 'n8n-workflow';

import { isObject, rowsOf, wholeNumber } from '../shared/http/json';
import type { Page, Service } from '../shared/http/service';
import { labelOf, plainText } from '../shared/http/messages';

/** In place of an array's name: the answer itself is the list. */
export const BARE = '';

/** What is peculiar to Survey A: envelopes, pages, messages (contract, sections Endpoints and Errors). */
export const surveyA: Service = {
	name: 'Survey A',
	credential: 'surveyAApi',
	authorization: (apiKey) => `api_key=${apiKey}`,
	apiPath: /\/api(\/v2)?$/i,
	credentialTest: { path: '/api/v2/campaigns', rowsKey: 'campaigns' },

	failureInside(body) {
		if (!isObject(body)) return undefined;
		const code = wholeNumber(body.code ?? body.statusCode);
		if (code !== undefined && code >= 400) return code;
		return body.success === false || body.status === 'error' ? 400 : undefined;
	},

	words(body) {
		if (!isObject(body)) return plainText(body);
		const [first, second] = [
			...new Set(
				[body.message, body.error, body.detail].map((part) => wordsIn(part)).filter(Boolean),
			),
		];
		if (first === undefined || second === undefined) return first && withLabels(first);
		return withLabels(/[.!?]$/.test(first) ? `${first} ${second}` : `${first}: ${second}`);
	},

	advice: [
		{
			words: /is not transactional/i,
			advice: 'Choose a transactional campaign',
			parameters: ['campaign'],
		},
		{
			words: /is not (active|enabled)/i,
			advice: 'Activate the campaign in Survey A, or choose another one',
			parameters: ['campaign'],
		},
		{
			words: /invalid email address/i,
			advice: 'Correct the email, or remove the row',
			parameters: ['email'],
		},
		{
			words: /account not found|missing authorization key|invalid api key|authentication required/i,
			advice: 'Check the API key of the Survey A credential',
		},
		{
			words: /customer not found/i,
			advice: "Check the customer ID, or find the customer by email with 'Get Many'",
			parameters: ['customerId', 'email'],
		},
		{
			words: /company record not found/i,
			advice: 'Check the company ID or domain, or choose the company from the list',
			parameters: ['company'],
		},
		{
			words: /feedback record not found/i,
			advice: "Check the feedback ID. 'Get Many' returns the IDs that exist",
			parameters: ['feedbackId', 'campaignId'],
		},
		{
			words: /no transactional nps campaign/i,
			advice: 'Activate a transactional NPS campaign in Survey A',
		},
		{
			words: /campaign.*(could not be found|not found)/i,
			advice: 'Choose the campaign from the list. The ID may belong to another account',
			parameters: ['campaign', 'campaignId'],
		},
		{
			words: /validation failed.*\bsort\b/is,
			advice:
				"Choose another 'Sort'. If the message lists companyIndustry, set 'Sort' to it with an expression",
			parameters: ['sort'],
		},
		{
			words: /validation failed/i,
			advice: 'Correct the value. IDs in Survey A usually have 24 hexadecimal characters',
			parameters: ['customerId', 'feedbackId', 'campaignId'],
		},
		{
			words: /an error occurred/i,
			advice: 'Correct the value. IDs in Survey A usually have 24 hexadecimal characters',
			parameters: ['feedbackId', 'campaignId', 'customerId'],
		},
	],

	ofWholeBatch:
		/\bcampaign( \S+)? (is not (transactional|active|enabled)|could not be found|not found)\b|account not found|invalid api key/i,

	refusedRows(body) {
		const rows = isObject(body) ? (rowsOf(body.data) ?? []) : [];
		return rows
			.filter((row) => /^fail/i.test(String(row.status ?? 'fail')) && row.email)
			.map((row) => ({ key: String(row.email), reason: wordsIn(row.reason) }));
	},

	pageQuery: (page, size) => ({ page, limit: size }),
	sizesPages: true,
	ageFields: ['createdDate', 'sentDate', 'id'],
	noneFound: /no transactional nps campaign/i,

	readPage(body, key) {
		const bare = rowsOf(body);
		// An empty array in place of an envelope is a fault, and no empty list.
		if (bare?.length === 0 && key !== BARE) return undefined;
		if (bare) return { rows: bare, next: null, isBare: true };
		if (!isObject(body)) return undefined;
		const data = isObject(body.data) ? body.data : { [key]: body.data };
		const rows = rowsOf(data[key]) ?? rowsOf(body[key]);
		return rows && { rows, ...counts(data, body) };
	},
};

/** Some endpoints count inside `data`, others beside it, and some write numbers as text. */
function counts(data: IDataObject, body: IDataObject): Omit<Page, 'rows'> {
	return {
		total: wholeNumber(data.total ?? body.total),
		pages: wholeNumber(data.pages ?? body.pages),
		size: wholeNumber(data.limit ?? body.limit),
	};
}

/** A field in a validation message: `"customerId" must only contain hexadecimal characters`. */
const FIELD = /"(?:[\w[\]]+\.)*(\w+)"(?= (?:must|length|is|contains|fails|with)\b)/g;

const LABELS = { id: 'Feedback ID', op: 'Mode', subscribers: 'Columns' };

/** Puts the editor's labels in place of the API's names. */
function withLabels(message: string): string {
	return message.replace(FIELD, (_, name: string) => `'${labelOf(name, LABELS)}'`);
}

/** Beyond this depth, an error's part has no words: nobody writes them there. */
const DEEPEST = 20;

/** The readable text in an error's part: itself, or the messages anywhere inside it. */
export function wordsIn(part: unknown, depth = 0): string {
	if (typeof part === 'string') return part.trim();
	if (depth > DEEPEST) return '';
	const inside = (entry: unknown) => wordsIn(entry, depth + 1);
	if (Array.isArray(part)) return part.map(inside).filter(Boolean).join('; ');
	return isObject(part) ? inside(part.message ?? Object.values(part)) : '';
}
