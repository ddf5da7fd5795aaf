import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { isObject, rowsOf } from '../shared/http/json';
import { get } from '../shared/http/request';
import { dropDown } from '../shared/operations/dropDown';
import { isAddress } from '../shared/parameters/emails';
import { readCampaigns } from './campaigns';
import { surveyB } from './service';

const searchContactLists = dropDown(surveyB, {
	request: () => get('/api/lists/'),
	rowsKey: 'results',
	pageSize: 100,
	name: (row) => String(row.name ?? row.id),
	value: (row) => String(row.id),
});

const searchCampaigns = dropDown(surveyB, {
	read: async (client) => {
		const { found, gaps } = await readCampaigns(client);
		return { rows: found.map((campaign) => ({ ...campaign })), gaps };
	},
	name: ({ name, id, status }) =>
		/^complete/i.test(String(status)) ? `${String(name || id)} (complete)` : String(name || id),
	value: (row) => String(row.id),
});

/** How much of a reply's text its drop-down shows. */
const LONGEST_START = 60;

function startOf(text: unknown): string {
	const line = String(text ?? '')
		.replace(/\s+/g, ' ')
		.trim();
	return line.length > LONGEST_START ? `${line.slice(0, LONGEST_START).trimEnd()}…` : line;
}

/** What fills the node's drop-downs. */
export const listSearch = {
	searchCampaigns,
	searchContactLists,
	/** The service finds whole addresses; what is typed otherwise is looked for in the first pages. */
	searchContacts: dropDown(surveyB, {
		request: (typed) => get('/api/v2/contacts/', { email: isAddress(typed) ? typed : undefined }),
		rowsKey: 'results',
		pageSize: 100,
		most: 500,
		name: ({ email, first_name, last_name, id }) =>
			[email, first_name, last_name].filter(Boolean).join(' ') || String(id),
		value: (row) => String(row.id),
	}),
	/** The tags of the newest feedback: the service has no list of tags. */
	searchTags: dropDown(surveyB, {
		request: () => get('/api/v2/feedback/'),
		rowsKey: 'results',
		pageSize: 100,
		most: 500,
		inside: ({ tags }) => rowsOf(tags) ?? [],
		name: ({ name }) => String(name),
		value: ({ name }) => String(name),
	}),
	searchReplyCategories: dropDown(surveyB, {
		request: () => get('/api/v2/replies/'),
		rowsKey: 'results',
		pageSize: 100,
		inside: ({ category }) => (isObject(category) ? [category] : []),
		name: ({ name }) => String(name),
		value: ({ name }) => String(name),
	}),
	searchCommonReplies: dropDown(surveyB, {
		request: () => get('/api/v2/replies/'),
		rowsKey: 'results',
		pageSize: 100,
		name: ({ title, reply, id }) => [title || id, startOf(reply)].filter(Boolean).join(': '),
		value: (row) => String(row.id),
	}),
};

/** What fills its multiple-choice fields. */
export const loadOptions = {
	async getContactLists(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const { results } = await searchContactLists.call(this);
		return results;
	},
	async getCampaigns(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const { results } = await searchCampaigns.call(this);
		return results;
	},
};
