import { z } from 'zod';

import { flag, text } from './scalars';

/** Contract: Campaign, new form. */
export const campaignRecord = z
	.object({
		id: z.string(),
		name: text,
		isActive: flag,
		templateId: text,
		metric: text,
		type: text,
		channel: text,
	})
	.passthrough();

/** Contract: Campaign, deprecated form. */
export const legacyCampaignRecord = z.object({ id: z.string(), value: text }).passthrough();
