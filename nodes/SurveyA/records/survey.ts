import { z } from 'zod/v4';

import { text, words } from './scalars';

/** Contract: Endpoints, POST nps/customers/survey (deprecated), each customer of its response. */
export const legacySurveySentRecord = () =>
	z.looseObject({
		id: text(),
		email: z.string(),
		first_name: text(),
		last_name: text(),
		company: text(),
		tags: words(),
		status: text(),
		reason: text(),
	});
