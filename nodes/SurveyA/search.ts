import { get } from '../shared/request';
import { searchOf } from '../shared/search';
import type { Search } from '../shared/search';
import { surveyA } from './service';

const campaigns: Search = {
	request: () => get('/api/v2/campaigns'),
	rows: 'campaigns',
	name: (row) => String(row.name ?? row.id),
	value: (row) => String(row.id),
};

const companies: Search = {
	request: () => get('/api/v2/companies'),
	rows: 'companies',
	pageSize: 100,
	most: 2000,
	name: ({ companyName, domain, id }) =>
		[companyName, domain].filter(Boolean).join(', ') || String(id),
	value: (row) => String(row.id),
};

const ADDRESS = /^[^@\s]+@[^@\s]+\.[^@\s]+$/;

/** The service finds whole addresses; what is typed otherwise is looked for among the newest. */
const customers: Search = {
	request: (typed) =>
		get('/api/v2/nps/customers', { email: ADDRESS.test(typed) ? typed : undefined }),
	rows: 'subscribers',
	pageSize: 1000,
	most: 1000,
	name: ({ email, firstName, lastName, id }) =>
		[email, firstName, lastName].filter(Boolean).join(' ') || String(id),
	value: (row) => String(row.id),
};

/** What fills the node's drop-downs. */
export const listSearch = {
	searchCampaigns: searchOf(surveyA, campaigns),
	searchCompanies: searchOf(surveyA, companies),
	searchCustomers: searchOf(surveyA, customers),
	searchSendableCampaigns: searchOf(surveyA, {
		...campaigns,
		hides: (row) => row.isActive === false || (row.type ?? 'transactional') !== 'transactional',
	}),
};
