import { z } from 'zod/v4';

import {
	anyFields,
	boolean,
	fields,
	listOf,
	numeric,
	optional,
	record,
	string,
	unchanged,
} from '../../shared/records';
import type { RecordForms } from '../../shared/records';

/**
 * Contract: Report (items of `data` in GET reports); of the objects in it, what the simplified form takes. The simplified
 * counts are those of the newest day. `latestScore` is not `score`, which holds the delivery channel in the contract's example.
 */
export const report: RecordForms = {
	raw: record({
		campaignId: z.string,
		trend: listOf(anyFields),
		last: optional(fields(numeric, 'promoters', 'passives', 'detractors', 'total', 'score')),
		deliveryStats: optional({ responded: numeric }),
		questionsStats: listOf(anyFields),
		name: string,
		isActive: boolean,
		metric: string,
		type: string,
		score: string,
	}),
	simplified: {
		...unchanged('campaignId', 'name', 'metric', 'isActive'),
		latestScore: 'last.score',
		promoters: 'last.promoters',
		passives: 'last.passives',
		detractors: 'last.detractors',
		total: 'last.total',
		responded: 'deliveryStats.responded',
	},
};
