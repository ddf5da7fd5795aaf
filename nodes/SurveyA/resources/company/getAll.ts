import type { INodeProperties } from 'n8n-workflow';

import { list } from '../../../shared/operations/list';
import { get } from '../../../shared/http/request';
import { sortInput } from '../../parameters/fields';
import { companyRecord } from '../../records/company';

const sort: INodeProperties = {
	displayName: 'Sort',
	name: 'sort',
	type: 'options',
	options: [
		{ name: 'CES (Highest First)', value: '-cxMetrics.CES' },
		{ name: 'CES (Lowest First)', value: 'cxMetrics.CES' },
		{ name: 'Company Name (A to Z)', value: 'companyName' },
		{ name: 'Company Name (Z to A)', value: '-companyName' },
		{ name: 'Contacts (Fewest First)', value: 'contactsCount' },
		{ name: 'Contacts (Most First)', value: '-contactsCount' },
		{ name: 'Created (Newest First)', value: '-createdDate' },
		{ name: 'Created (Oldest First)', value: 'createdDate' },
		{ name: 'CSAT (Highest First)', value: '-cxMetrics.CSAT' },
		{ name: 'CSAT (Lowest First)', value: 'cxMetrics.CSAT' },
		{ name: 'Domain (A to Z)', value: 'domain' },
		{ name: 'Domain (Z to A)', value: '-domain' },
		{ name: 'Industry (A to Z)', value: 'industryName' },
		{ name: 'Industry (Z to A)', value: '-industryName' },
		{ name: 'NPS (Highest First)', value: '-cxMetrics.NPS' },
		{ name: 'NPS (Lowest First)', value: 'cxMetrics.NPS' },
		{ name: 'Stars (Highest First)', value: '-cxMetrics.STAR' },
		{ name: 'Stars (Lowest First)', value: 'cxMetrics.STAR' },
	],
	default: '-createdDate',
};

/** `GET /api/v2/companies`: its answer counts rows but no pages. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many companies',
	description: 'Get companies with their scores and number of contacts',
	options: [sort],
	input: () => ({ options: sortInput }),
	outputSchema: companyRecord,

	request: ({ options: { sort } }) => get('/api/v2/companies', { sort }),
	rowsKey: 'companies',
	pageSize: 100,
	isByAge: ({ options: { sort } }) => sort === undefined || sort.endsWith('createdDate'),
});
