import { z } from 'zod/v4';

import { text } from './scalars';

/** Contract: Campaign (embedded). */
export const campaignRecord = () =>
	z.looseObject({
		id: z.number(),
		name: text(),
		launch_date: text(),
		status: text(),
	});
