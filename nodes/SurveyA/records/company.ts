import { z } from 'zod/v4';

import { fields, numeric, optional, record, string, strings } from '../../shared/records';

/** Contract: Company. */
export const companyRecord = record({
	id: z.string,
	...fields(string, 'createdDate', 'domain', 'companyName', 'industryName'),
	tags: strings,
	cxMetrics: optional({ NPS: numeric, CSAT: numeric, CES: numeric, STAR: numeric }),
	contactsCount: numeric,
});
