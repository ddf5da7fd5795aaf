/** Returns promoter for 9 and 10, passive for 7 and 8, detractor below. */
export function scoreType(score: number): 'promoter' | 'passive' | 'detractor' {
	if (score >= 9) return 'promoter';
	return score >= 7 ? 'passive' : 'detractor';
}

/** Counts scores by type. `score` is the net promoter score: promoters minus detractors in percent, -100 to 100. */
export function rate(scores: number[]) {
	const count = (type: string) => scores.filter((score) => scoreType(score) === type).length;
	const [promoters, passives, detractors] = [
		count('promoter'),
		count('passive'),
		count('detractor'),
	];
	const total = scores.length;
	return { promoters, passives, detractors, total, score: percent(promoters - detractors, total) };
}

/** Counts scores by rating, from 0 to 10. */
export function distribution(scores: number[]): Record<string, number> {
	const counts = Array.from({ length: 11 }, (_, rating) => [
		rating,
		scores.filter((score) => score === rating).length,
	]);
	return Object.fromEntries(counts);
}

/** Returns the part of the whole in whole percent. */
export function percent(part: number, whole: number): number {
	return whole === 0 ? 0 : Math.round((part / whole) * 100);
}
