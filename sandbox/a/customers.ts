import type { Customer } from './records';
import { ok, type ApiResponse } from '../core/apiResponse';
import type { Call, Handlers } from '../core/routes';
import { acceptedRows } from './accepted';
import { customersInput, deleteInput, read, unsubscribeInput } from './input';
import { pageResponse, paginate, rowsFor, rowsOf } from './pages';
import { invalid, refusal } from './refusals';
import type { SettingsA } from './settings';
import type { ContextA } from './state';
import { removeCustomer, placeCustomer } from './writing';

function customersPage(context: ContextA, call: Call, customers: Customer[]): ApiResponse {
	const { rows, ...page } = paginate(context, call, customers);
	const listedRows = rows.map((row) => listed(context, row));
	const subscribers = rowsFor(context, listedRows);
	return pageResponse(context, { subscribers, ...page });
}

/** Returns a customer, with the labels of its properties unless the settings leave them out. */
function listed({ settings }: ContextA, customer: Customer): object {
	if (settings.propertiesBy === 'labelAndName') return customer;
	const properties = customer.properties.map(({ name, type, value }) => ({ name, type, value }));
	return { ...customer, properties };
}

function writtenRow(customer: Customer) {
	return {
		email: customer.email,
		first_name: customer.firstName,
		last_name: customer.lastName,
		company: customer.companyName,
		tags: customer.tags,
		createdDate: customer.createdDate,
		properties: customer.properties,
	};
}

/** Returns what the response to a write contains. */
function savedRows({ settings }: ContextA, customers: Customer[]): object[] {
	const rows = customers.map(writtenRow);
	if (settings.savedCustomers === 'withoutEmails')
		return rows.map((row) => ({ ...row, email: undefined }));
	if (settings.savedCustomers === 'reversed') return rows.reverse();
	return settings.savedCustomers === 'firstPage' ? rows.slice(0, 20) : rows;
}

/** Confirms a change for each email. `isKnown` says if a customer has it. */
function confirmations(
	emails: string[],
	flag: 'unsubscribed' | 'deleted',
	way: SettingsA['unknownUnsubscribed'],
	isKnown: (email: string) => boolean,
): ApiResponse {
	const known = new Set(emails.filter(isKnown));
	if (way === 404 && known.size < emails.length) throw refusal(404, 'Customer not found.');
	const named = way === 'leftOut' ? emails.filter((email) => known.has(email)) : emails;
	const data = named.map((email) => ({
		email,
		[flag]: way === 'confirmed' || known.has(email),
	}));
	return ok({ message: 'OK', code: 200, data });
}

/** Returns the emails of a request. Throws a Refusal if there are too many. */
function emailsOf({ settings }: ContextA, subscribers: Array<{ email: string }>): string[] {
	const { emailsPerRequest } = settings;
	if (subscribers.length > emailsPerRequest) {
		throw invalid(`"subscribers" must contain less than or equal to ${emailsPerRequest} items`);
	}
	return subscribers.map(({ email }) => email);
}

export const customersRoutes: Handlers<ContextA> = {
	'GET /api/v2/nps/customers': (context, call) => {
		const { state, settings } = context;
		const isListed = ({ email }: Customer) =>
			settings.listsUnsubscribed || !state.optedOut.has(state.keyOf(email));
		const all = [...state.customers.values()].filter(isListed);
		return customersPage(context, call, rowsOf(context, all, call.query.get('email')));
	},

	'GET /api/v2/nps/customers/{id}': (context, call) => {
		const { id = '' } = call.params;
		if (!/^[0-9a-f]*$/i.test(id))
			throw invalid('"customerId" must only contain hexadecimal characters');
		if (id.length !== 24) throw invalid('"customerId" length must be 24 characters long');
		const customer = [...context.state.customers.values()].find((candidate) => candidate.id === id);
		if (!customer) throw refusal(404, 'Customer not found.');
		return customersPage(context, call, [customer]);
	},

	'POST /api/v2/nps/customers': (context, call) => {
		const { subscribers } = read(customersInput, call.body);
		const accepted = acceptedRows(context, subscribers, 'save');
		const rows = savedRows(
			context,
			accepted.map((input) => placeCustomer(context.state, input)),
		);
		return ok({
			message: 'OK',
			code: 200,
			data: { subscribers: rows },
			page: 1,
			pages: Math.ceil(accepted.length / Math.max(1, rows.length)),
			limit: rows.length,
			sort: '-createdDate',
			total: accepted.length,
		});
	},

	'POST /api/v2/nps/customers/unsubscribe': (context, call) => {
		const { state, settings } = context;
		const { subscribers, message } = read(unsubscribeInput, call.body);
		const emails = emailsOf(context, subscribers);
		const isKnown = (email: string) => state.customers.has(state.keyOf(email));
		const response = confirmations(emails, 'unsubscribed', settings.unknownUnsubscribed, isKnown);
		for (const email of emails) {
			state.optedOut.add(state.keyOf(email));
			state.unsubscribed.push({ email, message, at: Date.now() });
		}
		return response;
	},

	'DELETE /api/v2/nps/customers': (context, call) => {
		const { state, settings } = context;
		const emails = emailsOf(context, read(deleteInput, call.body).subscribers);
		const isKnown = (email: string) => state.customers.has(state.keyOf(email));
		const response = confirmations(emails, 'deleted', settings.unknownDeleted, isKnown);
		for (const email of emails) removeCustomer(state, email);
		return response;
	},
};
