import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../processes.mts';
import { CHECKS } from './checks.mts';

/** The results on one version. */
export interface Result {
	n8n: string;
	node: string;
	/** The checks that failed, and why. */
	failures: Map<string, string>;
}

const PAGE = join(ROOT, 'docs/compatibility.md');
const README = join(ROOT, 'README.md');
const BEGIN = '<!-- compatibility: written by `npm run compat` -->';
const END = '<!-- /compatibility -->';

/** Writes the results into docs/compatibility.md, and a short table into the README. */
export function writeTables(results: Result[]): void {
	replaceTable(PAGE, details(results));
	replaceTable(README, summary(results));
}

function replaceTable(file: string, text: string): void {
	const [before = '', rest = ''] = readFileSync(file, 'utf8').split(BEGIN);
	const [, after] = rest.split(END);
	if (after === undefined) throw new Error(`${file} has no place for the table: ${BEGIN}`);
	writeFileSync(file, `${before}${BEGIN}\n\n${text}\n\n${END}${after}`);
}

function details(results: Result[]): string {
	const rows = Object.keys(CHECKS).map((check) => [
		check,
		...results.map(({ failures }) => (failures.has(check) ? 'no' : 'yes')),
	]);
	const failed = results.flatMap(({ n8n, failures }) =>
		[...failures].map(([check, reason]) => `- n8n ${n8n}, ${check}: ${reason}`),
	);
	return [
		table(['', ...results.map(({ n8n }) => `n8n ${n8n}`)], rows),
		...(failed.length > 0 ? ['', 'Failed:', '', ...failed] : []),
	].join('\n');
}

function summary(results: Result[]): string {
	const count = Object.keys(CHECKS).length;
	const rows = results.map(({ n8n, node, failures }) => [
		n8n,
		node.replace('v', ''),
		failures.size === 0 ? 'yes' : `${count - failures.size} of ${count} checks`,
	]);
	return table(['n8n', 'Node.js', 'Works'], rows);
}

function table(head: string[], rows: string[][]): string {
	return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}
