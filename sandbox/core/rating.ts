interface Rating {
	promoters: number;
	passives: number;
	detractors: number;
	total: number;
	ratingDistribution: Record<string, number>;
}

/** Returns promoter for 9 and 10, passive for 7 and 8, detractor below. */
export function scoreType(score: number): 'promoter' | 'passive' | 'detractor' {
	if (score >= 9) return 'promoter';
	return score >= 7 ? 'passive' : 'detractor';
}

/** Counts scores by type and by rating. */
export function rate(scores: number[]): Rating {
	const ratingDistribution: Record<string, number> = {};
	for (let rating = 0; rating <= 10; rating++) ratingDistribution[String(rating)] = 0;
	const counts = { promoter: 0, passive: 0, detractor: 0 };
	for (const score of scores) {
		counts[scoreType(score)]++;
		ratingDistribution[String(score)] = (ratingDistribution[String(score)] ?? 0) + 1;
	}
	return {
		promoters: counts.promoter,
		passives: counts.passive,
		detractors: counts.detractor,
		total: scores.length,
		ratingDistribution,
	};
}

/** Returns the part of the whole in whole percent. */
export function percent(part: number, whole: number): number {
	return whole === 0 ? 0 : Math.round((part / whole) * 100);
}

/** Returns promoters minus detractors in percent: -100 to 100. */
export function netPromoterScore({ promoters, detractors, total }: Rating): number {
	return percent(promoters - detractors, total);
}
