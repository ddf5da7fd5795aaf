import { z } from 'zod/v4';

import { number, text } from './scalars';

/** Contract: Common reply. */
export const commonReplyRecord = () =>
	z.looseObject({
		id: z.number(),
		title: text(),
		reply: text(),
		category: z.looseObject({ id: number(), name: text() }).nullish(),
	});
