import { ignoredColumnsField, rowFields } from '../../../shared/parameters/columns';
import { customerColumns } from '../../parameters/columns';
import { batched } from '../../../shared/operations/batched';
import { post } from '../../../shared/http/request';
import { namedCustomers, customerResult } from '../../records/answers';
import { customerFields, customerInput } from '../../parameters/customer';
import { customerBody, writtenCustomerRecord } from '../../records/customer';
import { email } from '../../parameters/fields';
import { dateOrderField, emptyValuesField } from '../../../shared/parameters/fields';

/** `POST /api/v2/nps/customers`: at most 1,000 customers a request. */
export const upsert = batched({
	name: 'Create or Update',
	action: 'Create or update customer',
	description: 'Create a new customer, or update the current one if it already exists (upsert)',
	effect: 'Sends no survey. Returns the saved customer.',
	fields: rowFields([email, customerFields]),
	options: [dateOrderField, emptyValuesField, ignoredColumnsField],
	input: customerInput,
	columns: customerColumns,
	outputSchema: writtenCustomerRecord,

	size: 1000,
	key: ({ email }) => email,
	request: (customers) =>
		post('idempotent', '/api/v2/nps/customers', { subscribers: customers.map(customerBody) }),
	responseSchema: namedCustomers,
	output: (named, { email }) => customerResult(named, email),
});
