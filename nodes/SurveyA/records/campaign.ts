import { z } from 'zod/v4';

import { flag, text } from './scalars';

/** Contract: Campaign, new form. */
export const campaignRecord = () =>
	z.looseObject({
		id: z.string(),
		name: text(),
		isActive: flag(),
		templateId: text(),
		metric: text(),
		type: text(),
		channel: text(),
	});

/** Contract: Campaign, deprecated form. */
export const legacyCampaignRecord = () => z.looseObject({ id: z.string(), value: text() });
