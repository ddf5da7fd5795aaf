import { readFileSync, writeFileSync } from 'node:fs';

import type { Figures } from './figures.mts';
import type { Outcome } from './faults.mts';
import type { Rate } from './rate.mts';
import type { Twice } from './sameMoment.mts';

/** The planned share of busy time at the peak. */
const LOAD = 0.7;
/** The peak load of a day as a multiple of its average. */
const PEAK = 4;
const DAY_SECONDS = 24 * 60 * 60;
const MILLION = 1_000_000;

const table = (head: string[], rows: Array<Array<string | number>>) =>
	[head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const thousands = (count: number) => Math.round(count).toLocaleString('en-US');

export function deliveryTable(outcomes: Outcome[]): string {
	const head = [
		'Fault',
		'Deliveries',
		'Got a 200',
		'Sent again',
		'Ran',
		'Failed',
		'Double',
		'Lost',
	];
	return table(
		[...head, 'Ran after the retry', 'Double then'],
		outcomes.map(({ fault, deliveries: now, retried }) => [
			fault,
			thousands(now.sent),
			thousands(now.answered),
			now.again,
			thousands(now.ran),
			now.failed,
			now.double,
			now.lost,
			thousands(retried.ran),
			retried.double,
		]),
	);
}

export function sendTable(outcomes: Outcome[]): string {
	const head = ['Fault', 'Rows', 'Got a 200', 'Surveyed', 'Interrupted', 'Failed runs'];
	return table(
		[...head, 'Double', 'Lost', 'Surveyed after the retry', 'Double then'],
		outcomes.map(({ fault, sends: now, retriedSends }) => [
			fault,
			`${now.sends} × ${thousands(now.rows / now.sends)}`,
			now.answered,
			thousands(now.ran),
			thousands(now.cutOff),
			now.failed,
			now.double,
			now.lost,
			thousands(retriedSends.ran),
			retriedSends.double,
		]),
	);
}

export function twiceTable(ways: Twice[]): string {
	return table(
		['Workflow', 'Changes', 'Ran twice: both to one processor', 'Ran twice: one to each processor'],
		ways.map(({ name, changes, toOne, toBoth }) => [name, changes, toOne, toBoth]),
	);
}

export function rateTable(rates: Rate[]): string {
	return table(
		[
			'Requests Per Minute set',
			'Limit of the service',
			'Rows',
			'Requests a minute',
			'429',
			'Surveyed',
		],
		rates.map(({ set, limit, rows, seen, throttled, surveyed }) => [
			set === 0 ? 'none' : thousands(set),
			limit === 0 ? 'none' : thousands(limit),
			thousands(rows),
			thousands(seen),
			throttled,
			thousands(surveyed),
		]),
	);
}

export function placeText(version: string, cores: Array<{ model: string }>): string {
	const day = new Date().toISOString().slice(0, 10);
	const kind = cores[0]?.model.trim() ?? 'unknown';
	return `Run on ${day} with n8n ${version}, everything on one machine with ${cores.length} cores (${kind}).`;
}

export function registrationText(before: number, after: number, secondMain: string): string {
	const second =
		secondMain === ''
			? 'A second main process started.'
			: `A second main process (\`N8N_MULTI_MAIN_SETUP_ENABLED\`) needs a license and ends with: "${secondMain.trim()}"`;
	return `Subscriptions at Survey B, with five processes: ${before}; after the main process was restarted: ${after}. ${second}`;
}

/** Returns a table with the CPU time of a delivery, and the processes for a million deliveries a day. */
export function figureTable({ perDelivery }: Figures): string {
	const names: Record<string, string> = {
		webhook: 'Webhook processor',
		worker: 'Worker',
		main: 'Main process',
		postgres: 'PostgreSQL',
		redis: 'Redis',
		proxy: 'Proxy',
	};
	return table(
		[
			'Process',
			'CPU time a delivery',
			'Deliveries a second, one core',
			'Cores for a million a day',
		],
		Object.entries(names).map(([kind, name]) => {
			const ms = perDelivery[kind] ?? 0;
			const cores = ((MILLION / DAY_SECONDS) * PEAK * ms) / 1000 / LOAD;
			const most = ms > 0 ? thousands((1000 * LOAD) / ms) : '';
			return [name, `${ms.toFixed(1)} ms`, most, cores.toFixed(1)];
		}),
	);
}

export function paperText(figures: Figures): string {
	const { deliveries, answeredPerSecond, ranPerSecond, bytes, perRow } = figures;
	const day = (MILLION * bytes) / 1e9;
	const rows = (ms: number) =>
		`${ms.toFixed(2)} ms and ${((MILLION * ms) / 3_600_000).toFixed(2)} hours`;
	return [
		`${thousands(deliveries)} deliveries without faults: ${answeredPerSecond.toFixed(1)} responses and ${ranPerSecond.toFixed(1)} runs a second, with all processes and the services on one machine.`,
		`An execution takes ${(bytes / 1000).toFixed(1)} kB of PostgreSQL: ${day.toFixed(1)} GB for a million, a day.`,
		`A worker's CPU time for a row of a bulk send, and for a million rows: ${rows(perRow.a)} (Survey A), ${rows(perRow.b)} (Survey B).`,
	]
		.map((line) => `- ${line}`)
		.join('\n');
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
