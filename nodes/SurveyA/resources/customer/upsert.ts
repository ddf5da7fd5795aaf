import { batched } from '../../../shared/operations/batched';
import { post } from '../../../shared/http/request';
import { namedCustomers, customerResult } from '../../records/responses';
import { customerBody, writtenCustomerRecord } from '../../records/customer';
import { customerColumns } from '../../parameters/customerColumns';

/** `POST /api/v2/nps/customers`: at most 1,000 customers a request. */
export const upsert = batched({
	name: 'Create or Update',
	action: 'Create or update customer',
	description: 'Create a new customer, or update the current one if it already exists (upsert)',
	effect:
		'Sends no survey. Properties that Survey A does not know are created. Returns the saved customer.',
	fields: { columns: customerColumns },
	outputSchema: writtenCustomerRecord,

	size: 1000,
	key: ({ columns }) => columns.email,
	request: (rows) =>
		post('idempotent', '/api/v2/nps/customers', {
			subscribers: rows.map(({ columns }) => customerBody(columns)),
		}),
	responseSchema: namedCustomers,
	output: (named, { columns }) => customerResult(named, columns.email),
});
