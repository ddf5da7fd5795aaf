import { z } from 'zod/v4';

import { flag, number, text, words } from './scalars';

/** Contract: Endpoints, POST survey, its answer. */
export const surveySentRecord = () =>
	z.looseObject({
		success: flag(),
		code: number(),
		message: text(),
		status: text(),
	});

/** Contract: Endpoints, POST nps/customers/survey (deprecated), each customer of its answer. */
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
