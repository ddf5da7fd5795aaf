import type { Customer } from './records';
import { ok, type ApiResponse } from '../core/apiResponse';
import type { Call, Handlers } from '../core/routes';
import { customersInput, deleteInput, isEmail, read, unsubscribeInput } from './input';
import type { CustomerInput } from './input';
import { pageResponse, paginate, rowsFor } from './pages';
import { invalid, invalidAddresses, refusal } from './refusals';
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

function refusedRow(input: CustomerInput) {
	const { email, first_name, last_name, company, tags } = input;
	const reason = 'Invalid email address';
	return { status: 'fail', email, first_name, last_name, company, tags, reason };
}

/** Refuses the whole batch if it contains an invalid address. */
export function requireValidEmails(subscribers: CustomerInput[]): void {
	const bad = subscribers.filter(({ email }) => !isEmail(email));
	if (bad.length > 0) throw invalidAddresses(bad.map(refusedRow));
}

export const customersRoutes: Handlers<ContextA> = {
	'GET /api/v2/nps/customers': (context, call) => {
		const { state } = context;
		const email = call.query.get('email');
		const all = [...state.customers.values()];
		const found = email ? all.filter((one) => state.keyOf(one.email) === state.keyOf(email)) : all;
		return customersPage(context, call, found);
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
		requireValidEmails(subscribers);
		const rows = subscribers.map((input) => writtenRow(placeCustomer(context.state, input)));
		return ok({
			message: 'OK',
			code: 200,
			data: { subscribers: rows },
			page: 1,
			pages: 1,
			limit: rows.length,
			sort: '-createdDate',
			total: rows.length,
		});
	},

	'POST /api/v2/nps/customers/unsubscribe': ({ state }, call) => {
		const { subscribers, message } = read(unsubscribeInput, call.body);
		const data = subscribers.map(({ email }) => {
			state.optedOut.add(state.keyOf(email));
			state.unsubscribed.push({ email, message, at: Date.now() });
			return { email, unsubscribed: true };
		});
		return ok({ message: 'OK', code: 200, data });
	},

	'DELETE /api/v2/nps/customers': ({ state }, call) => {
		const { subscribers } = read(deleteInput, call.body);
		const data = subscribers.map(({ email }) => {
			removeCustomer(state, email);
			return { email, deleted: true };
		});
		return ok({ message: 'OK', code: 200, data });
	},
};
