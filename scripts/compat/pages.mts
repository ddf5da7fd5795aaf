import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../processes.mts';
import { details, summary, type Result } from './table.mts';

const PAGE = join(ROOT, 'docs/compatibility.md');
const README = join(ROOT, 'README.md');
const BEGIN = '<!-- compatibility: written by `npm run compat` -->';
const END = '<!-- /compatibility -->';

/** Writes the results into docs/compatibility.md and the README. Other versions keep the results that stand there. */
export function writeTables(results: Result[], checks: string[]): void {
	replaceTable(PAGE, (old) => details(results, checks, old));
	replaceTable(README, (old) => summary(results, checks, old));
}

function replaceTable(file: string, written: (old: string) => string): void {
	const [before = '', rest = ''] = readFileSync(file, 'utf8').split(BEGIN);
	const [old = '', after] = rest.split(END);
	if (after === undefined) throw new Error(`${file} has no place for the table: ${BEGIN}`);
	writeFileSync(file, `${before}${BEGIN}\n\n${written(old)}\n\n${END}${after}`);
}
