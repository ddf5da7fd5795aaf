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
	description: 'Address of the customer. It identifies the customer in Survey A.',
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
	description: 'Whole address of the customer',
};

/** The filters of a list by time. */
export const periodFilters: INodeProperties[] = [
	{
		displayName: 'End Date',
		name: 'endDate',
		type: 'dateTime',
		default: '',
		description: 'Until when the feedback was given',
	},
	{
		displayName: 'Start Date',
		name: 'startDate',
		type: 'dateTime',
		default: '',
		description: 'Since when the feedback was given',
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
