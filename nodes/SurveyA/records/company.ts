import { z } from 'zod/v4';

import { numeric, optional, record, string, strings } from '../../shared/records';

/** Contract: Company. */
export const companyRecord = record({
	id: z.string,
	createdDate: string,
	domain: string,
	companyName: string,
	industryName: string,
	tags: strings,
	cxMetrics: optional({ NPS: numeric, CSAT: numeric, CES: numeric, STAR: numeric }),
	contactsCount: numeric,
});
