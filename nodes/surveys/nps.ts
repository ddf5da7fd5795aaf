/** @param score from 0 to 10; anything but a number has no type */
export function npsType(score: unknown): string | undefined {
	if (typeof score !== 'number') return undefined;
	if (score >= 9) return 'promoter';
	return score >= 7 ? 'passive' : 'detractor';
}
