import { z } from 'zod/v4';

import { number } from './scalars';

/** Contract: Score summary. Its headline is named `nps`, or for other metrics as the metric or `score`. */
export const scoreRecord = () =>
	z.looseObject({
		nps: number(),
		csat: number(),
		ces: number(),
		star: number(),
		score: number(),
		promoters: number(),
		passives: number(),
		detractors: number(),
		promotersCount: number(),
		passivesCount: number(),
		detractorsCount: number(),
		ratingDistribution: z.record(z.string(), z.number()).nullish(),
		totalResponses: number(),
	});
