import { z } from 'zod';

import { number } from './scalars';

/** Contract: Score summary. Its headline is named `nps`, or for other metrics as the metric or `score`. */
export const scoreRecord = z
	.object({
		nps: number,
		csat: number,
		ces: number,
		star: number,
		score: number,
		promoters: number,
		passives: number,
		detractors: number,
		promotersCount: number,
		passivesCount: number,
		detractorsCount: number,
		ratingDistribution: z.record(z.number()).nullish(),
		totalResponses: number,
	})
	.passthrough();
