import { z } from 'zod';

import { number, text } from './scalars';

/** Contract: Common reply. */
export const commonReplyRecord = z
	.object({
		id: z.number(),
		title: text,
		reply: text,
		category: z.object({ id: number, name: text }).passthrough().nullish(),
	})
	.passthrough();
