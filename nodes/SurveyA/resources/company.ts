import { z } from 'zod/v4';

import { locator } from '../../shared/fields/kinds';
import { askedFor } from '../../shared/http/response';
import { get, path } from '../../shared/http/request';
import { recordsIn } from '../../shared/http/service';
import { list } from '../../shared/operations/list';
import type { Resource } from '../../shared/operations/operation';
import { single } from '../../shared/operations/write';
import { fields, numeric, optional, record, string, strings } from '../../shared/records';
import { sortBy } from '../parameters/common';
import { surveyA } from '../service';

/** Contract: Company. */
const companyRecord = record({
	id: z.string,
	...fields(string, 'createdDate', 'domain', 'companyName', 'industryName'),
	tags: strings,
	cxMetrics: optional({ NPS: numeric, CSAT: numeric, CES: numeric, STAR: numeric }),
	contactsCount: numeric,
});

const company = locator({
	displayName: 'Company',
	required: true,
	search: 'searchCompanies',
	by: { domain: 'example.com', id: '64b1f0c2a9d3e4f5a6b7c8d9' },
});

const sort = sortBy([
	{ name: 'CES', value: 'cxMetrics.CES' },
	{ name: 'Company Name', value: 'companyName' },
	{ name: 'Contacts Count', value: 'contactsCount' },
	{ name: 'Created Date', value: 'createdDate' },
	{ name: 'CSAT', value: 'cxMetrics.CSAT' },
	{ name: 'Domain', value: 'domain' },
	{ name: 'Industry Name', value: 'industryName' },
	{ name: 'NPS', value: 'cxMetrics.NPS' },
	{ name: 'Star Rating', value: 'cxMetrics.STAR' },
]);

export const companyResource: Resource = {
	/** `GET /api/v2/companies`: the response counts records but no pages. */
	getAll: list({
		action: 'Get many companies',
		description: 'Get companies with scores',
		fields: { sort },
		outputSchema: companyRecord,

		request: ({ sort }) => get('/api/v2/companies', { sort }),
		recordsKey: 'companies',
		pageSize: 100,
	}),

	get: single({
		action: 'Get company',
		description: 'Get a company by ID or domain',
		fields: { company },
		outputSchema: companyRecord,

		request: ({ company }) => get(path`/api/v2/companies/${company}`),
		readBody: recordsIn(surveyA, ['id'], 'companies'),
		output: (companies, { company }) =>
			askedFor(surveyA, companies, company, ['id', 'domain'], 'Company record not found'),
	}),
};
