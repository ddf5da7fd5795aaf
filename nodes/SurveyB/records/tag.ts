import { z } from 'zod/v4';

import { number, text } from './scalars';

/** Contract: Tag. */
export const tagRecord = () => z.looseObject({ name: z.string(), category: text() });

/** Contract: Events, tag.merged and tag.renamed. */
export const tagChangeRecord = () =>
	z.looseObject({
		campaign: z.looseObject({ id: number(), Name: text() }).nullish(),
		before: text(),
		after: text(),
	});

/** Contract: Events, tag.removed. */
export const tagRemovalRecord = () =>
	z.looseObject({
		campaign: z.looseObject({ id: number(), Name: text() }).nullish(),
		name: text(),
	});
