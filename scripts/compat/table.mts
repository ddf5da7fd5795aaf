import { table } from '../page.mts';
import { EXAMPLE, exclusion } from './examples.mts';

/** The results on one version. */
export interface Result {
	n8n: string;
	node: string;
	/** The checks that failed, and why. */
	failures: Map<string, string>;
}

/** The row that counts the examples. examples/README.md has the oldest n8n of each. */
const EXAMPLES = '[Examples](../../examples/README.md) whose nodes it has';

/** Returns the table with one column per version, and the reasons of failed checks. */
export function details(results: Result[], checks: string[]): string {
	const single = checks.filter((check) => !isExample(check));
	const cell = (check: string, { failures }: Result) => (failures.has(check) ? 'no' : 'yes');
	const rows = single.map((check) => [check, ...results.map((result) => cell(check, result))]);
	const examples = results.map((result) => passed(result, checks.filter(isExample)));
	const reasons = results.flatMap(({ n8n, failures }) =>
		[...failures].map(([check, reason]) => `- n8n ${n8n}, ${check}: ${reason}`),
	);
	return [
		table(['', ...results.map(({ n8n }) => `n8n ${n8n}`)], [...rows, [EXAMPLES, ...examples]]),
		...(reasons.length > 0 ? ['', 'Failed:', '', ...reasons] : []),
	].join('\n');
}

/** Returns one line: each version, with the number of checks that passed unless all did. */
export function summary(results: Result[], checks: string[]): string {
	const versions = results.map((result) =>
		result.failures.size === 0 ? result.n8n : `${result.n8n} (${passed(result, checks)} checks)`,
	);
	const nodes = new Set(results.map(({ node }) => node.replace('v', '')));
	return `Tried in n8n ${versions.join(', ')}, with Node.js ${[...nodes].join(', ')}.`;
}

const isExample = (check: string) => check.startsWith(EXAMPLE);

/** Counts the checks that passed, of those that apply to the version. */
function passed({ n8n, failures }: Result, checks: string[]): string {
	const applying = checks.filter((check) => !exclusion(check, n8n));
	return `${applying.filter((check) => !failures.has(check)).length} of ${applying.length}`;
}
