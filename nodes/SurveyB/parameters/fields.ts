import type { IDataObject, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { z } from 'zod/v4';

import { optionalDate } from '../../shared/parameters/dates';
import { optionalId } from '../../shared/parameters/schemas';

// The fields that several operations of Survey B share, and how their values are sent.

export const email: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	placeholder: 'e.g. nathan@example.com',
	required: true,
	default: '',
	description: 'Email of the contact, which identifies the contact in Survey B',
};

/** The same as a filter. */
export const emailFilter: INodeProperties = {
	...email,
	required: undefined,
	description: 'Only return results for the contact with this email',
};

export const feedbackId: INodeProperties = {
	displayName: 'Feedback ID',
	name: 'feedbackId',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. 2001',
};

export const firstName: INodeProperties = {
	displayName: 'First Name',
	name: 'firstName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Nathan',
};

export const lastName: INodeProperties = {
	displayName: 'Last Name',
	name: 'lastName',
	type: 'string',
	default: '',
	placeholder: 'e.g. Smith',
};

/** A member of the organization who replies or forwards. */
export const fromUser: INodeProperties = {
	displayName: 'From User',
	name: 'fromUser',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. support@example.com',
	description: 'Email of the organization member to send as',
};

/** The status of a feedback. */
export const status: INodeProperties = {
	displayName: 'Status',
	name: 'status',
	type: 'options',
	options: [
		{ name: 'Closed', value: 'CLOSED' },
		{ name: 'Open', value: 'OPEN' },
	],
	default: 'CLOSED',
};

/** What a tag says of the customer's mood. */
export const tagCategory: INodeProperties = {
	displayName: 'Tag Category',
	name: 'tagCategory',
	type: 'options',
	options: [
		{ name: 'Detractor', value: 'DETRACTOR', description: 'Negative' },
		{ name: 'Passive', value: 'PASSIVE', description: 'Neutral' },
		{ name: 'Promoter', value: 'PROMOTER', description: 'Positive' },
	],
	default: 'DETRACTOR',
};

/** A reply text kept in Survey B. */
export const commonReplyId: INodeProperties = {
	displayName: 'Common Reply',
	name: 'commonReplyId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'list', value: '' },
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchCommonReplies', searchable: true },
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 301' },
	],
};

/** The events that Survey B tells of (contract, section Events). */
export const events: INodePropertyOptions[] = [
	{ name: 'Contact Unsubscribed', value: 'contact.unsubscribed' },
	{ name: 'Feedback Added or Changed', value: 'feedback.added_or_changed' },
	{ name: 'Feedback Removed', value: 'feedback.removed' },
	{ name: 'Feedback Status Changed', value: 'feedback.status_changed' },
	{ name: 'Feedback Tags Added or Changed', value: 'feedback.tags_added_or_changed' },
	{ name: 'Score Changed', value: 'metric.score_changed' },
	{ name: 'Tag Merged', value: 'tag.merged' },
	{ name: 'Tag Removed', value: 'tag.removed' },
	{ name: 'Tag Renamed', value: 'tag.renamed' },
];

/** A path that the contract does not show, as an entry of Options. */
export function assumedPath(path: string, description: string): INodeProperties {
	return { displayName: 'Path', name: 'path', type: 'string', default: path, description };
}

/** Only a slash may follow the base URL: anything else could name another host. */
export const pathInput = optionalId.refine(
	(path) => path === undefined || /^\/[^?#\s]*$/.test(path),
	'must begin with a slash and have no query',
);

/** The days between which feedback was posted: entries of Filters. */
export const postedFilters: INodeProperties[] = [
	{
		displayName: 'Posted After',
		name: 'postedAfter',
		type: 'dateTime',
		default: '',
		description: 'Only include feedback posted on or after this day (UTC)',
	},
	{
		displayName: 'Posted Before',
		name: 'postedBefore',
		type: 'dateTime',
		default: '',
		description: 'Only include feedback posted before this day (UTC)',
	},
];

/** The days of which metrics tell. */
export const metricFilters: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add filter',
	default: {},
	description: 'Without dates, the metrics cover the last 30 days',
	options: postedFilters,
};

const day = optionalDate.transform((date) => date?.utcDay());

export const postedInput = { postedAfter: day, postedBefore: day };

/** The days in a query. */
export function postedQuery({
	postedAfter,
	postedBefore,
}: z.output<z.ZodObject<typeof postedInput>>): IDataObject {
	return { posted_date_0: postedAfter, posted_date_1: postedBefore };
}

/** IDs go into bodies as numbers, as the contract's examples show them; any other text as it is. */
export function numberOf(id: string): number | string {
	return /^(0|[1-9]\d{0,14})$/.test(id) ? Number(id) : id;
}
