import { objectsIn } from '../shared/base/json';
import { isBlank } from '../shared/base/text';
import { isAddress } from '../shared/fields/values';
import { credentialTest } from '../shared/http/credentialTest';
import { get } from '../shared/http/request';
import { dropDown, mapperColumns, optionsOf } from '../shared/operations/editor';
import { accountColumns } from './parameters/contactColumns';
import { surveyB } from './service';

const listSearch = {
	/** The campaigns of the newest feedback: the service has no list of campaigns. */
	searchCampaigns: dropDown(surveyB, {
		pageSize: 100,
		limit: 2000,
		request: () => get('/api/v2/feedback/'),
		inside: ({ campaign }) => objectsIn([campaign]),
		hides: ({ name }) => isBlank(name),
		name: ({ name, status }) => String(name) + (status === 'COMPLETE' ? ' (complete)' : ''),
	}),
	searchContactLists: dropDown(surveyB, {
		request: () => get('/api/lists/'),
		name: ({ name, id }) => String(name || id),
	}),
	/** The service finds whole addresses. Other texts are searched in the first pages. */
	searchContacts: dropDown(surveyB, {
		pageSize: 100,
		limit: 500,
		request: (typed) => get('/api/v2/contacts/', { email: isAddress(typed) ? typed : undefined }),
		name: ({ email, first_name, last_name, id }) =>
			[email, first_name, last_name].filter(Boolean).join(' ') || String(id),
	}),
	/** The tags of the newest feedback: the service has no list of tags. */
	searchTags: dropDown(surveyB, {
		pageSize: 100,
		limit: 500,
		request: () => get('/api/v2/feedback/'),
		inside: ({ tags }) => objectsIn(tags),
		name: ({ name }) => String(name),
		value: ({ name }) => name,
	}),
	searchCommonReplies: dropDown(surveyB, {
		request: () => get('/api/v2/replies/'),
		name: ({ title, id }) => String(title || id),
	}),
};

export const methods = {
	/** The nodes refer to the test of the credential by its name. */
	credentialTest: { surveyBApiTest: credentialTest(surveyB) },
	listSearch,
	loadOptions: { getCampaigns: optionsOf(listSearch.searchCampaigns) },
	resourceMapping: { getColumns: mapperColumns(surveyB, accountColumns) },
};
