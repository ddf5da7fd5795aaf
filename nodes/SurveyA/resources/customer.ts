import { z } from 'zod/v4';

import { date, filters, perItem, text } from '../../shared/fields/kinds';
import { hasEmail, isAddress } from '../../shared/fields/values';
import { askedFor, existing } from '../../shared/http/response';
import { get, path, post, remove } from '../../shared/http/request';
import { recordsIn } from '../../shared/http/service';
import { list, lookup } from '../../shared/operations/list';
import type { Resource } from '../../shared/operations/operation';
import { single, write } from '../../shared/operations/write';
import { boolean, record, string, fields, listOf, strings } from '../../shared/records';
import { customerColumns } from '../parameters/customerColumns';
import { basic, customer, sortByDate } from '../parameters/common';
import { surveyStatus } from '../sentSurveys';
import { namedCustomers } from '../responses';
import { surveyA } from '../service';

const { campaignFilter, email, emailFilter } = basic;

/** Contract: Property. Its value may be text, a number, true or false, or a list. */
const propertyList = listOf(
	record({ label: string, name: string, type: string, value: z.unknown }),
);

/** Contract: Customer (in `subscribers` of GET responses). */
const customerRecord = record({
	id: z.string,
	...fields(string, 'email', 'firstName', 'lastName', 'companyName', 'companyId'),
	tags: strings,
	createdDate: string,
	properties: propertyList,
});

export const customerResource: Resource = {
	/** `POST /api/v2/nps/customers`: at most 1,000 customers a request. */
	upsert: write({
		action: 'Create or update customer',
		description: 'Create a new customer, or update the current one if it already exists (upsert)',
		details: 'Sends no survey. New properties are created; empty ones change nothing',
		fields: { columns: customerColumns },
		outputSchema: record({
			email: z.string,
			...fields(string, 'first_name', 'last_name', 'company'),
			tags: strings,
			createdDate: string,
			properties: propertyList,
		}),

		size: 1000,
		request: (_, items) =>
			post('idempotent', '/api/v2/nps/customers', {
				subscribers: items.map(({ columns }) => columns.customer),
			}),
		readBody: namedCustomers,
		// The contract lists no email among the fields of these customers.
		output: (named, { columns: { email, customer } }, requested) =>
			named.confirmsUnnamed(requested) ? customer : named.result(email),
	}),

	/**
	 * `GET /api/v2/nps/customers/{customerId}`: the shape of the list, with one customer. By email it is
	 * `GET /api/v2/nps/customers?email=`.
	 */
	get: single({
		action: 'Get customer',
		description: 'Get a customer by email or ID',
		fields: { customerId: customer },
		outputSchema: customerRecord,

		request: ({ customerId }) =>
			isAddress(customerId)
				? get('/api/v2/nps/customers', { email: customerId })
				: get(path`/api/v2/nps/customers/${customerId}`),
		readBody: recordsIn(surveyA, ['id'], 'subscribers'),
		output: (customers, { customerId }) =>
			isAddress(customerId)
				? existing(surveyA, customers.find(hasEmail(customerId)), 'Customer not found.')
				: askedFor(surveyA, customers, customerId, ['id'], 'Customer not found.'),
	}),

	getAll: list({
		action: 'Get many customers',
		description: 'Get customers',
		fields: { filters: filters({ email: emailFilter }), sort: sortByDate },
		outputSchema: customerRecord,

		request: ({ filters: { email }, sort }) => get('/api/v2/nps/customers', { email, sort }),
		recordsKey: 'subscribers',
		pageSize: 1000,
	}),

	/** `GET /api/v2/nps/outbox`: read once for all customers, the newest first, and no further back than Sent Since. */
	checkSurvey: lookup({
		action: 'Check survey of customer',
		description: 'Check whether a customer got a survey',
		details:
			'Status is sent, optedOut, bounced or notYet; people who opted out before Send may stay notYet. Use it some minutes after Send',
		fields: {
			email,
			since: date({
				displayName: 'Sent Since',
				required: true,
				placeholder: 'e.g. {{ $now.minus({ hours: 2 }) }}',
				description: 'A moment just before Send ran: a survey sent on or after it counts',
			}),
			filters: filters({ campaignId: campaignFilter }),
		},
		outputSchema: record(fields(string, 'email', 'status', 'sentDate', 'campaignId', 'campaign')),
		start: surveyStatus,
	}),

	/** `POST /api/v2/nps/customers/unsubscribe`: one message for all customers of a request. */
	unsubscribe: write({
		action: 'Unsubscribe customer',
		description: 'Unsubscribe a customer',
		details:
			'This cannot be undone: no way to subscribe a customer again is documented. Survey A may also confirm an unknown person',
		irreversible: true,
		fields: { email },
		options: {
			message: perItem(
				text({
					displayName: 'Reason',
					placeholder: 'e.g. Asked for it on the phone',
					description: 'Opt-out text',
				}),
			),
		},
		outputSchema: record({ email: string, unsubscribed: boolean }),

		size: 1000,
		group: ({ options }) => options.message,
		request: ({ options: { message } }, customers) =>
			post('idempotent', '/api/v2/nps/customers/unsubscribe', {
				message,
				subscribers: customers.map(({ email }) => ({ email })),
			}),
		readBody: namedCustomers,
		output: (named, { email }) => named.marked(email, 'unsubscribed'),
	}),

	/** `DELETE /api/v2/nps/customers`: the customers are in the body. */
	delete: write({
		action: 'Delete customer',
		description: 'Delete a customer',
		details:
			'This cannot be undone. Feedback and sent surveys may stay (not documented). Survey A may also confirm an unknown person',
		irreversible: true,
		fields: { email },
		outputSchema: record({ email: string, deleted: boolean }),

		size: 1000,
		request: (_, customers) =>
			remove('/api/v2/nps/customers', { subscribers: customers.map(({ email }) => ({ email })) }),
		readBody: namedCustomers,
		output: (named, { email }) => named.marked(email, 'deleted'),
		removed: ({ email }) => ({ email, deleted: true }),
	}),
};
