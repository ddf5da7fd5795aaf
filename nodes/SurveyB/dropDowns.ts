import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';

import { get } from '../shared/http/request';
import { dropDown } from '../shared/operations/dropDown';
import { surveyB } from './service';

const searchContactLists = dropDown(surveyB, {
	request: () => get('/api/lists/'),
	rowsKey: 'results',
	pageSize: 100,
	name: (row) => String(row.name ?? row.id),
	value: (row) => String(row.id),
});

/** What fills the node's drop-downs. */
export const listSearch = {
	searchContactLists,
	searchCommonReplies: dropDown(surveyB, {
		request: () => get('/api/v2/replies/'),
		rowsKey: 'results',
		pageSize: 100,
		name: (row) => String(row.title ?? row.id),
		value: (row) => String(row.id),
	}),
};

/** What fills its multiple-choice fields. */
export const loadOptions = {
	async getContactLists(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		const { results } = await searchContactLists.call(this);
		return results;
	},
};
