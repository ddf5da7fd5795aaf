import type { INodeProperties } from 'n8n-workflow';

import { optionalDate } from '../../shared/parameters/dates';
import { collection, optionalId } from '../../shared/parameters/schemas';

// The fields that several operations of Survey A share.

export const email: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	placeholder: 'e.g. nathan@example.com',
	required: true,
	default: '',
	description: 'Email of the customer, which identifies the customer in Survey A',
};

/** Tells what replaces a deprecated operation. */
export function deprecated(displayName: string): INodeProperties {
	return { displayName, name: 'deprecated', type: 'notice', default: '' };
}

/** The order of a list. Nothing is asked for unless it is chosen. */
export const sortByDate: INodeProperties = {
	displayName: 'Sort',
	name: 'sort',
	type: 'options',
	options: [
		{ name: 'Newest First', value: '-createdDate' },
		{ name: 'Oldest First', value: 'createdDate' },
	],
	default: '-createdDate',
};

/** What a list's Options collection holds. */
export const sortInput = collection({ sort: optionalId });

/** The filter of a list by one customer. */
export const emailFilter: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	placeholder: 'e.g. nathan@example.com',
	default: '',
	description: 'Only return results for the customer with this email',
};

/** The filters of a list by time. */
export const periodFilters: INodeProperties[] = [
	{
		displayName: 'End Date',
		name: 'endDate',
		type: 'dateTime',
		default: '',
		description: 'Only return feedback given on or before this date',
	},
	{
		displayName: 'Start Date',
		name: 'startDate',
		type: 'dateTime',
		default: '',
		description: 'Only return feedback given on or after this date',
	},
];

/** The service wants UNIX seconds. The day on which a period ends belongs to it. */
export const periodInput = {
	startDate: optionalDate.transform((date) => date?.unixSeconds()),
	endDate: optionalDate.transform((date) => date?.lastUnixSecond()),
};

/** A filters collection with these entries. */
export function filters(options: INodeProperties[]): INodeProperties {
	return {
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add filter',
		default: {},
		options,
	};
}
