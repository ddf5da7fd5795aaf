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
const EXAMPLES = '[Examples](../examples/README.md) whose nodes it has';

/** Returns the table with one column per version, and the reasons of failed checks. `old` is the text to add to. */
export function details(results: Result[], checks: string[], old: string): string {
	const columns = new Map(columnsOf(old));
	for (const result of results) columns.set(`n8n ${result.n8n}`, columnOf(result, checks));
	const sorted = [...columns].sort(byVersion);
	const rows = [...checks.filter((check) => !isExample(check)), EXAMPLES].map((check) => [
		check,
		...sorted.map(([, cells]) => cells.get(check) ?? 'not run'),
	]);
	const isKept = (line: string) =>
		line.startsWith('- n8n ') && !results.some(({ n8n }) => line.startsWith(`- n8n ${n8n},`));
	const failed = results.flatMap(({ n8n, failures }) =>
		[...failures].map(([check, reason]) => `- n8n ${n8n}, ${check}: ${reason}`),
	);
	const reasons = [...old.split('\n').filter(isKept), ...failed];
	return [
		table(['', ...sorted.map(([name]) => name)], rows),
		...(reasons.length > 0 ? ['', 'Failed:', '', ...reasons] : []),
	].join('\n');
}

const isExample = (check: string) => check.startsWith(EXAMPLE);

/** Returns the cells of a version, by the first cell of their row. */
function columnOf({ n8n, failures }: Result, checks: string[]): Map<string, string> {
	const examples = checks.filter((check) => isExample(check) && !exclusion(check, n8n));
	const failed = examples.filter((check) => failures.has(check)).length;
	return new Map([
		...checks.map((check) => [check, failures.has(check) ? 'no' : 'yes'] as const),
		[EXAMPLES, `${examples.length - failed} of ${examples.length}`],
	]);
}

/** Returns the short table with one row per version. `old` is the text to add to. */
export function summary(results: Result[], checks: string[], old: string): string {
	const rows = new Map(cellsOf(old).map((row) => [row[0] ?? '', row]));
	for (const { n8n, node, failures } of results) {
		const count = checks.filter((check) => !exclusion(check, n8n)).length;
		const works = failures.size === 0 ? 'yes' : `${count - failures.size} of ${count} checks`;
		rows.set(n8n, [n8n, node.replace('v', ''), works]);
	}
	rows.delete('n8n');
	const sorted = [...rows].sort(byVersion).map(([, row]) => row);
	return table(['n8n', 'Node.js', 'Works'], sorted);
}

/** Sorts entries by the version in their key. */
function byVersion([one]: [string, unknown], [other]: [string, unknown]): number {
	return one.localeCompare(other, 'en', { numeric: true });
}

/** Returns the cells of a table in Markdown, without the line below its head. */
function cellsOf(text: string): string[][] {
	return text
		.split('\n')
		.filter((line) => line.startsWith('|') && !/^[|\s:-]+$/.test(line))
		.map((line) => line.split('|').slice(1, -1))
		.map((cells) => cells.map((cell) => cell.trim()));
}

/** Returns the columns of a table by their head, each with its cells by the first cell of the row. */
function columnsOf(text: string): Array<[string, Map<string, string>]> {
	const [[, ...heads] = [], ...rows] = cellsOf(text);
	return heads.map((head, i) => [
		head,
		new Map(rows.map(([check = '', ...cells]) => [check, cells[i] ?? ''])),
	]);
}
