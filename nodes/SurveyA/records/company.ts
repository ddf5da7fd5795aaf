import { z } from 'zod';

import { number, text, words } from './scalars';

/** Contract: Company. */
export const companyRecord = z
	.object({
		id: z.string(),
		createdDate: text,
		domain: text,
		companyName: text,
		industryName: text,
		tags: words,
		cxMetrics: z
			.object({ NPS: number, CSAT: number, CES: number, STAR: number })
			.passthrough()
			.nullish(),
		contactsCount: number,
	})
	.passthrough();
