/** @param score from 0 to 10 */
export function npsType(score: number): string {
	if (score >= 9) return 'promoter';
	return score >= 7 ? 'passive' : 'detractor';
}
