import { each } from '../../../shared/operations/each';
import { get as read, path } from '../../../shared/http/request';
import { company } from '../../parameters/fields';
import { onlyRecord, recordsIn } from '../../records/responses';
import { companyRecord } from '../../records/company';

/** `GET /api/v2/companies/{companyId|domain}`. */
export const get = each({
	name: 'Get',
	action: 'Get company',
	description: 'Get a company by ID or domain, with its scores and number of contacts',
	fields: { company },
	outputSchema: companyRecord,

	request: ({ company }) => read(path`/api/v2/companies/${company}`),
	responseSchema: recordsIn('companies'),
	output: (companies) => onlyRecord(companies, 'Company record not found'),
});
