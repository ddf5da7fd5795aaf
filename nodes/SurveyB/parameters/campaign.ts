import type { INodeProperties } from 'n8n-workflow';
import { z } from 'zod';

import { isObject } from '../../shared/http/json';
import { optionalId } from '../../shared/parameters/schemas';

// The field by which a campaign is picked: from a list, by its name, or by its ID.

/** A campaign as the user gave it. */
export interface GivenCampaign {
	/** Its ID, or its name where `isName` says so. */
	value: string;
	isName: boolean;
}

/** A campaign to filter by. */
export const campaignFilter: INodeProperties = {
	displayName: 'Campaign',
	name: 'campaignId',
	type: 'resourceLocator',
	default: { mode: 'list', value: '' },
	description: 'The list shows the campaigns that have feedback or metrics',
	modes: [
		{
			displayName: 'From List',
			name: 'list',
			type: 'list',
			typeOptions: { searchListMethod: 'searchCampaigns', searchable: true },
		},
		{
			displayName: 'By Name',
			name: 'name',
			type: 'string',
			placeholder: 'e.g. After support ticket',
		},
		{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 101' },
	],
};

/** The campaign that an operation is about. */
export const campaignId: INodeProperties = { ...campaignFilter, required: true };

/** A bare value, as an expression gives it, is an ID if it is a number. */
const given = z.unknown().transform((value) => {
	const located = isObject(value) && 'value' in value ? value : { mode: undefined, value };
	const isNumber = /^\d+$/.test(String(located.value ?? '').trim());
	const isName = located.mode === undefined ? !isNumber : located.mode === 'name';
	return { value: located.value, isName };
});

/** A campaign that may be left out. */
export const optionalCampaignInput = given.transform(
	({ value, isName }, context): GivenCampaign | undefined => {
		const read = optionalId.safeParse(value);
		if (read.success) return read.data === undefined ? undefined : { value: read.data, isName };
		read.error.issues.forEach((issue) => context.addIssue(issue));
		return z.NEVER;
	},
);

/** A campaign that must be there. */
export const campaignInput = optionalCampaignInput.transform((campaign, context): GivenCampaign => {
	if (campaign === undefined) context.addIssue({ code: 'custom', message: 'is missing' });
	return campaign ?? z.NEVER;
});
