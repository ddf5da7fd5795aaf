import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../processes.mts';
import { CHECKS } from './checks.mts';

/** What was seen on one version. */
export interface Result {
	n8n: string;
	node: string;
	/** The checks that failed, and why. */
	failures: Map<string, string>;
}

const FILE = join(ROOT, 'docs/compatibility.md');
const README = join(ROOT, 'README.md');
const BEGIN = '<!-- compatibility: written by `npm run compat` -->';
const END = '<!-- /compatibility -->';

/** Writes what was seen into docs/compatibility.md, and the short table into the README. */
export function writeTables(results: Result[]): void {
	writeFileSync(FILE, page(results));
	const [before = '', rest = ''] = readFileSync(README, 'utf8').split(BEGIN);
	const [, after] = rest.split(END);
	if (after === undefined) throw new Error(`The README has no place for the table: ${BEGIN}`);
	writeFileSync(README, `${before}${BEGIN}\n\n${summary(results)}\n\n${END}${after}`);
}

function page(results: Result[]): string {
	const rows = Object.keys(CHECKS).map((check) => [
		check,
		...results.map(({ failures }) => (failures.has(check) ? 'no' : 'yes')),
	]);
	const failed = results.flatMap(({ n8n, failures }) =>
		[...failures].map(([check, why]) => `- n8n ${n8n}, ${check}: ${why}`),
	);
	return [
		'# Compatibility',
		'',
		'What `npm run compat` saw: the packed package in a real n8n of each version, against both services.',
		'',
		table(['', ...results.map(({ n8n }) => `n8n ${n8n}`)], rows),
		...(failed.length > 0 ? ['', 'What failed:', '', ...failed] : []),
		'',
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
