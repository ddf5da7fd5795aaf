import { z } from 'zod';

import { flag, number, text, words } from './scalars';

/** Contract: Endpoints, POST survey, its answer. */
export const surveySentRecord = z
	.object({ success: flag, code: number, message: text, status: text })
	.passthrough();

/** Contract: Endpoints, POST nps/customers/survey (deprecated), each customer of its answer. */
export const legacySurveySentRecord = z
	.object({
		id: text,
		email: z.string(),
		first_name: text,
		last_name: text,
		company: text,
		tags: words,
		status: text,
		reason: text,
	})
	.passthrough();
