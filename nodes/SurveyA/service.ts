import type { IDataObject } from 'n8n-workflow';

import { isObject, objectsIn, recordsOf, wholeNumber } from '../shared/base/json';
import { isBlank, plainText, sentences, textIn } from '../shared/base/text';
import { isBare, isNegative, isRefused, isTrue } from '../shared/http/response';
import { knownFor } from '../shared/http/service';
import type { Service } from '../shared/http/service';

/** The envelopes, pages, and messages of Survey A (contract, sections Endpoints and Errors). */
export const surveyA: Service = {
	name: 'Survey A',
	credential: 'surveyAApi',
	authorization: (apiKey) => `api_key=${apiKey}`,
	apiPath: /\/api(\/v2)?$/i,
	credentialTest: { path: '/api/v2/campaigns', recordsKey: 'campaigns' },

	embeddedError(body) {
		if (!isObject(body)) return undefined;
		const code = wholeNumber(body.code ?? body.statusCode) ?? 0;
		if (code >= 400) return { status: code };
		const { success, status, data, message } = body;
		// A known error beside a code of success, which is the only sign of it.
		if (isBlank(success ?? status ?? data) && knownFor(surveyA, textIn(message)).hint) return {};
		return success === false || status === 'error' ? {} : undefined;
	},

	messageIn(body) {
		if (!isObject(body)) return plainText(body);
		const { message, error, errors, detail } = body;
		const texts = [message, error, errors, detail].map((part) => textIn(part));
		return sentences([...new Set(texts)]) || undefined;
	},

	knownMessages: [
		[/is not transactional/i, 'Choose a transactional campaign'],
		[/is not (active|enabled)/i, 'Activate the campaign in Survey A, or choose another one'],
		[/invalid email address/i, 'Correct the email, or remove the row', 'invalidEmail'],
		[
			/customer not found/i,
			"Check the ID or the email. 'Get Many' lists the customers",
			'unknownContact',
		],
		[/feedback record not found/i, "Check the ID. 'Get Many' lists the feedback that exists"],
		[/company record not found/i, "Check the ID or the domain. 'Get Many' lists the companies"],
		[/no transactional nps campaign/i, 'Activate a transactional NPS campaign in Survey A'],
		[
			/campaign.*(could not be found|not found)/i,
			'Choose the campaign from the list. The ID may belong to another account',
		],
		[
			/^validation failed(\W*$|.*\bdate\b)/is,
			"Check the values of this row. If it has a date, choose another 'Date Format'",
		],
	],

	accountMessage:
		/^forbidden|access denied|permission|\b(accounts?|plan|quota|billing|trial|key|token|auth)\b|\b(un)?auth(ori[sz]|entica)/i,
	groupMessage:
		/\bcampaign( \S+)? (is not (transactional|active|enabled)|could not be found|not found)\b/i,

	itemResults: (body) =>
		customersIn(body, (name) => isNegative(name) || DONE_LISTS.has(name)).map((result) => ({
			key: textIn(result.email),
			isDone: isDone(result),
			reason: textIn(result.reason),
		})),

	pageQuery: (page, size) => ({ page, limit: size }),
	acceptsPageSize: true,

	readPage(body, key) {
		const bare = recordsOf(body);
		// An empty array instead of an envelope is a fault, not an empty list.
		if (bare?.length === 0 && key !== '') return undefined;
		if (bare) return { records: bare };
		if (!isObject(body)) return undefined;
		const data = isObject(body.data) ? body.data : { [key]: body.data };
		const listed = recordsOf(data[key]) ?? recordsOf(body[key]);
		// Some endpoints have the counts inside `data`, others beside it, and some as text.
		const [total, pages, limit] = ['total', 'pages', 'limit'].map((name) =>
			wholeNumber(data[name] ?? body[name]),
		);
		const isNamed = isObject(body.data) ? key in data : key in body;
		const isEmpty = isBlank(data[key] ?? body[key]) && (total === 0 || isNamed);
		const records = listed ?? (isEmpty ? [] : undefined);
		return records && { records, total, pages, size: limit || undefined };
	},
};

/** Lists in the response to a survey that name customers who may get it, whatever the status of the response. */
export const DONE_LISTS = new Set(
	'queued scheduled sent sending success successful succeeded accepted processed'.split(' '),
);

/**
 * Returns the customers in a response: in lists, or under their addresses, in `data` or beside it.
 *
 * @param isStatus returns whether the name of a list says what became of its customers. These come last
 */
export function customersIn(body: unknown, isStatus: (name: string) => boolean): IDataObject[] {
	const { data, ...others }: IDataObject = isObject(body) ? body : {};
	const inside = isObject(data) ? data : { data: Array.isArray(body) ? body : data };
	const says = (name: string) => isStatus(name.toLowerCase());
	const customersUnder = ([name, value]: [string, unknown]): IDataObject[] => {
		if (typeof value === 'string') return name.includes('@') ? customersUnder([value, [name]]) : [];
		if (Array.isArray(value) && says(name)) {
			const customers = value.map((entry) => (isObject(entry) ? entry : { email: String(entry) }));
			return customers.map((customer) => ({ ...withEmail(customer), status: name }));
		}
		if (Array.isArray(value)) return objectsIn(value).map(withEmail);
		if (!isObject(value)) return [];
		const { email, ...result } = value;
		// The owner of an account has no result.
		const isResult = name.includes('@') || !isBlank(email && result.status);
		return isResult ? [{ email: email || name, ...result }] : [];
	};
	// A customer who was refused may be in another list, too: the last record of a person counts.
	return Object.entries({ ...others, ...inside })
		.sort(([one], [other]) => Number(says(one)) - Number(says(other)))
		.flatMap(customersUnder);
}

/** The result of a customer may name the person in an object. */
function withEmail(result: IDataObject): IDataObject {
	const { email } = Object(result.subscriber ?? result.customer ?? result.contact);
	return { email, ...result };
}

/** A result says that it was done by a status, or else by what the request was for. */
function isDone(result: IDataObject): boolean {
	const { status, unsubscribed, deleted, email, id, createdDate } = result;
	const isSaved = !isBlank(email) && !isBlank(id ?? createdDate);
	const isSaid = !isBlank(status) || isTrue(unsubscribed) || isTrue(deleted) || isSaved;
	return isSaid && isBare(result) && !isRefused(result);
}
