import { each } from '../../../shared/each';
import { locator } from '../../../shared/input';
import { get as read, path } from '../../../shared/request';
import { only, records } from '../../answers';
import { company } from '../../locators';
import { companyRecord } from '../../records';

/** `GET /api/v2/companies/{companyId|domain}`. */
export const get = each({
	name: 'Get',
	action: 'Get company',
	description: 'Retrieve a company by its ID or domain',
	fields: [company],
	input: { company: locator },
	returns: companyRecord,

	request: ({ company }) => read(path`/api/v2/companies/${company}`),
	answer: records('companies'),
	output: (companies) => only(companies, 'Company record not found'),
});
