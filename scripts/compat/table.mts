import { table } from '../page.mts';

/** The results on one version. */
export interface Result {
	n8n: string;
	node: string;
	/** The checks that failed, and why. */
	failures: Map<string, string>;
}

/** Returns the table with one column per version, and the reasons of failed checks. */
export function details(results: Result[], checks: string[]): string {
	const cell = (check: string, { failures }: Result) => (failures.has(check) ? 'no' : 'yes');
	const rows = checks.map((check) => [check, ...results.map((result) => cell(check, result))]);
	const reasons = results.flatMap(({ n8n, failures }) =>
		[...failures].map(([check, reason]) => `- n8n ${n8n}, ${check}: ${reason}`),
	);
	return [
		table(['', ...results.map(({ n8n }) => `n8n ${n8n}`)], rows),
		...(reasons.length > 0 ? ['', 'Failed:', '', ...reasons] : []),
	].join('\n');
}

/** Returns one line: each version, with the number of checks that passed unless all did. */
export function summary(results: Result[], checks: string[]): string {
	const versions = results.map(({ n8n, failures: { size } }) =>
		size === 0 ? n8n : `${n8n} (${checks.length - size} of ${checks.length} checks)`,
	);
	const nodes = new Set(results.map(({ node }) => node.replace('v', '')));
	return `Tried in n8n ${versions.join(', ')}, with Node.js ${[...nodes].join(', ')}.`;
}
