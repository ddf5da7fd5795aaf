import { z } from 'zod/v4';

import { attributes, number, text } from './scalars';

/** Contract: Survey (embedded in feedback). `id` is absent in some payloads. */
export const surveyRecord = () =>
	z.looseObject({ id: number(), attributes: attributes(), sent_date: text() });

/** Contract: Endpoints, POST survey, its answer. */
export const surveySentRecord = () =>
	z.looseObject({
		contact: z
			.looseObject({
				email: text(),
				first_name: text(),
				last_name: text(),
				attributes: attributes(),
			})
			.nullish(),
		campaign_id: z.union([z.number(), z.string()]).nullish(),
		status: text(),
		attributes: attributes(),
	});
