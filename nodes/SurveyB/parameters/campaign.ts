import type { INodeProperties } from 'n8n-workflow';

import { isObject } from '../../shared/http/json';
import { readId } from '../../shared/parameters/schemas';
import { isBlank, schemaOf, Unusable } from '../../shared/parameters/values';

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

/** Reads a campaign. A bare value, as an expression gives it, is an ID if it is a number. */
function readCampaign(given: unknown): GivenCampaign | undefined {
	const located = isObject(given) && 'value' in given ? given : { mode: undefined, value: given };
	const { mode, value } = located;
	if (isBlank(value)) return undefined;
	const isNumber = /^\d+$/.test(String(value).trim());
	return { value: readId(value), isName: mode === undefined ? !isNumber : mode === 'name' };
}

/** A campaign that may be left out. */
export const optionalCampaignInput = schemaOf(readCampaign).optional();

/** A campaign that must be there. */
export const campaignInput = schemaOf((given): GivenCampaign => {
	const campaign = readCampaign(given);
	if (campaign === undefined) throw new Unusable('is missing');
	return campaign;
});
