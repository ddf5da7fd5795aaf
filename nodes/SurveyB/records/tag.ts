import { z } from 'zod/v4';

import { isObject } from '../../shared/base/json';
import { unchanged, numeric, optional, record, string } from '../../shared/records';
import type { RecordForms } from '../../shared/records';

/** Contract: Tag. */
export const tagRecord = record({ name: z.string, category: string });

/** These events write the campaign's name as `Name` (contract, section Events). */
const campaign = optional({ id: numeric, name: string, Name: string });

const campaignFields: RecordForms['simplified'] = {
	campaign_id: 'campaign.id',
	campaign_name: ({ campaign }) =>
		isObject(campaign) ? (campaign.name ?? campaign.Name) : campaign,
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
