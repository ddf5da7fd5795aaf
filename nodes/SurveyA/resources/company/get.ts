import { each } from '../../../shared/operations/each';
import { locator } from '../../../shared/parameters/schemas';
import { get as read, path } from '../../../shared/http/request';
import { onlyRecord, recordsIn } from '../../records/answers';
import { company } from '../../parameters/locators';
import { companyRecord } from '../../records/company';

/** `GET /api/v2/companies/{companyId|domain}`. */
export const get = each({
	name: 'Get',
	action: 'Get company',
	description: 'Get a company by ID or domain, with its scores and number of contacts',
	fields: [company],
	input: () => ({ company: locator }),
	outputSchema: companyRecord,

	request: ({ company }) => read(path`/api/v2/companies/${company}`),
	responseSchema: recordsIn('companies'),
	output: (companies) => onlyRecord(companies, 'Company record not found'),
});
