import { get } from '../shared/http/request';
import { isAddress } from '../shared/parameters/emails';
import { dropDown } from '../shared/operations/dropDown';
import type { DropDown } from '../shared/operations/dropDown';
import { surveyA } from './service';

const campaigns: DropDown = {
	request: () => get('/api/v2/campaigns'),
	rowsKey: 'campaigns',
	name: ({ name, id, metric, channel }) => {
		const kind = [metric, channel].filter(Boolean).join(', ');
		return `${String(name ?? id)}${kind && ` (${kind})`}`;
	},
	value: (row) => String(row.id),
};

const companies: DropDown = {
	request: () => get('/api/v2/companies'),
	rowsKey: 'companies',
	pageSize: 100,
	most: 2000,
	name: ({ companyName, domain, id }) =>
		[companyName, domain].filter(Boolean).join(', ') || String(id),
	value: (row) => String(row.id),
};

/** The service finds whole addresses; what is typed otherwise is looked for among the newest. */
const customers: DropDown = {
	request: (typed) => get('/api/v2/nps/customers', { email: isAddress(typed) ? typed : undefined }),
	rowsKey: 'subscribers',
	pageSize: 1000,
	most: 1000,
	name: ({ email, firstName, lastName, id }) =>
		[email, firstName, lastName].filter(Boolean).join(' ') || String(id),
	value: (row) => String(row.id),
};

/** What fills the node's drop-downs. */
export const listSearch = {
	searchCampaigns: dropDown(surveyA, campaigns),
	searchCompanies: dropDown(surveyA, companies),
	searchCustomers: dropDown(surveyA, customers),
	searchSendableCampaigns: dropDown(surveyA, {
		...campaigns,
		hides: (row) => row.isActive === false || (row.type ?? 'transactional') !== 'transactional',
	}),
};
