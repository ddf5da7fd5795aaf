import { z } from 'zod';

import { text } from './scalars';

/** Contract: Campaign (embedded). */
export const campaignRecord = z
	.object({ id: z.number(), name: text, launch_date: text, status: text })
	.passthrough();
