import { z } from 'zod';

import { number, text } from './scalars';

/** Contract: Tag. */
export const tagRecord = z.object({ name: z.string(), category: text }).passthrough();

/** Contract: Events, tag.merged and tag.renamed. */
export const tagChangeRecord = z
	.object({
		campaign: z.object({ id: number, Name: text }).passthrough().nullish(),
		before: text,
		after: text,
	})
	.passthrough();

/** Contract: Events, tag.removed. */
export const tagRemovalRecord = z
	.object({ campaign: z.object({ id: number, Name: text }).passthrough().nullish(), name: text })
	.passthrough();
