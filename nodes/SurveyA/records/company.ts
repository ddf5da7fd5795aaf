import { z } from 'zod/v4';

import { number, text, words } from './scalars';

/** Contract: Company. */
export const companyRecord = () =>
	z.looseObject({
		id: z.string(),
		createdDate: text(),
		domain: text(),
		companyName: text(),
		industryName: text(),
		tags: words(),
		cxMetrics: z
			.looseObject({ NPS: number(), CSAT: number(), CES: number(), STAR: number() })
			.nullish(),
		contactsCount: number(),
	});
