import { z } from 'zod';

import { attributes, number, text } from './scalars';

/** Contract: Survey (embedded in feedback). `id` is absent in some payloads. */
export const surveyRecord = z.object({ id: number, attributes, sent_date: text }).passthrough();

/** Contract: Endpoints, POST survey, its answer. */
export const surveySentRecord = z
	.object({
		contact: z
			.object({ email: text, first_name: text, last_name: text, attributes })
			.passthrough()
			.nullish(),
		campaign_id: z.union([z.number(), z.string()]).nullish(),
		status: text,
		attributes,
	})
	.passthrough();
