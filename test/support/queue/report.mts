import { readFileSync, writeFileSync } from 'node:fs';

import type { Outcome } from './faults.mts';
import type { Twice } from './sameMoment.mts';

const table = (head: string[], rows: Array<Array<string | number>>) =>
	[head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const thousands = (count: number) => Math.round(count).toLocaleString('en-US');

const lastColumns = (done: string) => [`${done} after the retry`, 'Twice or lost'];

export function deliveryTable(outcomes: Outcome[]): string {
	return table(
		['Fault', 'Deliveries', 'Got a 200', 'Sent again', 'Ran', 'Failed', ...lastColumns('Ran')],
		outcomes.map(({ fault, deliveries: now, retried: then }) => [
			fault,
			thousands(now.sent),
			thousands(now.answered),
			now.again,
			thousands(now.ran),
			now.failed,
			thousands(then.ran),
			now.double + now.lost + then.double + then.lost,
		]),
	);
}

export function sendTable(outcomes: Outcome[]): string {
	const head = ['Fault', 'Rows', 'Got a 200', 'Surveyed', 'Interrupted', 'Failed runs'];
	return table(
		[...head, ...lastColumns('Surveyed')],
		outcomes.map(({ fault, sends: now, retriedSends: then }) => [
			fault,
			`${now.sends} × ${thousands(now.rows / now.sends)}`,
			now.answered,
			thousands(now.ran),
			thousands(now.cutOff),
			now.failed,
			thousands(then.ran),
			now.double + now.lost + then.double + then.lost,
		]),
	);
}

export function twiceTable(ways: Twice[]): string {
	return table(
		['Workflow', 'Changes', 'Ran twice: both to one processor', 'Ran twice: one to each processor'],
		ways.map(({ name, changes, toOne, toBoth }) => [name, changes, toOne, toBoth]),
	);
}

export function placeText(version: string, cores: Array<{ model: string }>): string {
	const day = new Date().toISOString().slice(0, 10);
	const kind = cores[0]?.model.trim() ?? 'unknown';
	return `Run on ${day} with n8n ${version}, everything on one machine with ${cores.length} cores (${kind}).`;
}

/** Replaces the text between the markers of that name in a file. */
export function writeBetween(file: string, name: string, text: string): void {
	const [begin, end] = [`<!-- run: ${name} -->`, '<!-- end of run -->'];
	const old = readFileSync(file, 'utf8');
	const from = old.indexOf(begin);
	const to = old.indexOf(end, from);
	if (from < 0 || to < 0) throw new Error(`${file} has no place for "${name}"`);
	writeFileSync(file, `${old.slice(0, from + begin.length)}\n\n${text}\n\n${old.slice(to)}`);
}
