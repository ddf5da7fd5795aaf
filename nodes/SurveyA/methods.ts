import { isAddress } from '../shared/fields/values';
import { credentialTest } from '../shared/http/credentialTest';
import { get } from '../shared/http/request';
import { dropDown, mapperColumns, optionsOf } from '../shared/operations/editor';
import type { DropDown } from '../shared/operations/editor';
import { accountProperties, FIXED, SURVEY_FIXED } from './parameters/customerColumns';
import { surveyA } from './service';

const campaigns: DropDown = {
	request: () => get('/api/v2/campaigns'),
	recordsKey: 'campaigns',
	name: ({ name, id, metric, channel }) => {
		const details = [metric, channel].filter(Boolean).join(', ');
		return `${String(name || id)}${details && ` (${details})`}`;
	},
};

const listSearch = {
	searchCampaigns: dropDown(surveyA, campaigns),
	searchCompanies: dropDown(surveyA, {
		request: () => get('/api/v2/companies'),
		recordsKey: 'companies',
		pageSize: 100,
		limit: 2000,
		name: ({ companyName, domain, id }) =>
			[companyName, domain].filter(Boolean).join(', ') || String(id),
	}),
	/** The service finds whole addresses. Other texts are searched among the newest customers. */
	searchCustomers: dropDown(surveyA, {
		request: (typed) =>
			get('/api/v2/nps/customers', { email: isAddress(typed) ? typed : undefined }),
		recordsKey: 'subscribers',
		pageSize: 100,
		limit: 100,
		name: ({ email, firstName, lastName, id }) =>
			[email, firstName, lastName].filter(Boolean).join(' ') || String(id),
	}),
	searchSendableCampaigns: dropDown(surveyA, {
		...campaigns,
		hides: (record) =>
			record.isActive === false || (record.type ?? 'transactional') !== 'transactional',
	}),
};

export const methods = {
	/** The nodes refer to the test of the credential by its name. */
	credentialTest: { surveyAApiTest: credentialTest(surveyA) },
	listSearch,
	loadOptions: { getCampaigns: optionsOf(listSearch.searchCampaigns) },
	resourceMapping: {
		getColumns: mapperColumns(surveyA, async (readRecords, operation) => [
			...(operation === 'upsert' ? FIXED : SURVEY_FIXED),
			...(operation === 'sendLegacy' ? [] : await accountProperties(readRecords)),
		]),
	},
};
