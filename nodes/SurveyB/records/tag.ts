import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { isObject } from '../../shared/base/json';
import type { RecordForms } from '../../shared/records';
import { unchanged, numeric, optional, record, string } from '../../shared/records';

/** Contract: Tag. */
export const tagRecord = record({ name: z.string, category: string });

const campaign = optional({ id: numeric, name: string });

/** Writes the campaign's `name`, which these events call `Name` (contract, section Events), as all others do. */
export function tagEventFromResponse(response: IDataObject): IDataObject {
	if (!isObject(response.campaign)) return response;
	const { Name, ...campaign } = response.campaign;
	return { ...response, campaign: Name === undefined ? campaign : { ...campaign, name: Name } };
}

const campaignFields: RecordForms['simplified'] = {
	campaign_id: 'campaign.id',
	campaign_name: {
		from: ['campaign'],
		schema: string,
		value: ({ campaign }) => (isObject(campaign) ? campaign.name : campaign),
	},
};

/** Contract: Events, tag.merged and tag.renamed. */
export const tagChange: RecordForms = {
	raw: record({ campaign, before: z.string, after: z.string }),
	simplified: { ...campaignFields, ...unchanged('before', 'after') },
};

/** Contract: Events, tag.removed. */
export const tagRemoval: RecordForms = {
	raw: record({ campaign, name: z.string }),
	simplified: { ...campaignFields, ...unchanged('name') },
};
