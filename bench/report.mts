import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

import { ROOT } from '../scripts/processes.mts';
import type { Measure } from './measure.mts';

/** The median of one side of one case. */
export interface Result extends Measure {
	case: string;
	side: string;
	latency: number;
}

/** How a case grows with its rows. */
export interface Growth {
	name: string;
	points: Measure[];
}

/** The most memory that reading a list took, beyond what n8n held before, in MB. */
export interface Peak {
	case: string;
	side: string;
	mb: number;
}

/** A number as readers write it. */
export const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 0 });

const perRow = ({ seconds, rows }: Measure) => (seconds * 1000) / rows;

/** What is measured beside this package. */
const OTHERS = ['HTTP Request', 'HTTP Request, batched', 'Edit Fields', 'From memory'];

/** How many times as long as ours the other takes for a row. */
const times = (other: Measure, ours: Measure) => perRow(other) / perRow(ours);

function row(result: Result, all: Result[]): string[] {
	const beside = all.find(
		({ case: name, latency, side }) =>
			name === result.case && latency === result.latency && side === 'HTTP Request',
	);
	const isOurs = !OTHERS.includes(result.side);
	const factor = isOurs && beside ? `${times(beside, result).toFixed(1)} ×` : '';
	return [
		result.case,
		`${result.latency} ms`,
		result.side,
		number(result.rows),
		number(result.requests),
		result.seconds.toFixed(2),
		perRow(result).toFixed(3),
		factor,
	];
}

/** A table in Markdown. */
export function table(head: string[], lines: string[][]): string {
	return [head, head.map(() => '---'), ...lines]
		.map((line) => `| ${line.join(' | ')} |`)
		.join('\n');
}

/** The table of everything that was measured. */
function fullTable(results: Result[]): string {
	const head = [
		'Work',
		'Answer after',
		'By',
		'Rows',
		'Requests',
		'Seconds',
		'ms a row',
		'Beside HTTP Request',
	];
	return table(
		head,
		results.map((result) => row(result, results)),
	);
}

/** This package at its best, and what the README says of the setting; by default On Error is Stop. */
const AT_ITS_BEST: Record<string, string> = {
	'Map Automatically': '',
	'Map Automatically, going on': ', On Error = Continue',
	'Return All': '',
};

/** The short table of the README: answers after 25 ms, this package at its best beside HTTP Request. */
function shortTable(results: Result[]): string {
	const at = results.filter(({ latency }) => latency === 25);
	const told = ({ rows, requests, seconds }: Result) =>
		`${number(rows)} rows: ${number(requests)} requests, ${seconds.toFixed(1)} s`;
	const lines = at.flatMap((ours) => {
		const setting = AT_ITS_BEST[ours.side];
		const http = at.find(({ case: name, side }) => name === ours.case && side === 'HTTP Request');
		if (setting === undefined || !http) return [];
		return [[ours.case + setting, told(http), told(ours), `${times(http, ours).toFixed(1)} ×`]];
	});
	return table(['Work', 'HTTP Request node', 'This package', 'Faster, by row'], lines);
}

function growthTable(growth: Growth[]): string {
	const lines = growth.flatMap(({ name, points }) =>
		points.map((point) => [
			name,
			number(point.rows),
			number(point.requests),
			point.seconds.toFixed(2),
			perRow(point).toFixed(3),
			number(point.peakMb),
		]),
	);
	return table(['Work', 'Rows', 'Requests', 'Seconds', 'ms a row', 'MB'], lines);
}

function peakTable(peaks: Peak[]): string {
	const lines = peaks.map(({ case: work, side, mb }) => [work, side, number(mb)]);
	return table(['Work', 'By', 'MB'], lines);
}

const WIDTH = 640;
const HEIGHT = 320;
const EDGE = 56;
const COLORS = ['#0b7285', '#c2255c', '#5f3dc4'];

/** Time a row over rows, both in powers of ten, one line for each kind of work. */
function chart(growth: Growth[]): string {
	const points = growth.flatMap(({ points }) => points);
	const values = points.map(perRow);
	const [low, high] = [
		Math.floor(Math.log10(Math.min(...values))),
		Math.ceil(Math.log10(Math.max(...values))),
	];
	const x = (rows: number) => EDGE + ((Math.log10(rows) - 3) / 2) * (WIDTH - 2 * EDGE);
	const y = (ms: number) =>
		HEIGHT - EDGE - ((Math.log10(ms) - low) / Math.max(1, high - low)) * (HEIGHT - 2 * EDGE);
	const text = (at: number, top: number, words: string, anchor = 'middle') =>
		`<text x="${at.toFixed(0)}" y="${top.toFixed(0)}" text-anchor="${anchor}">${words}</text>`;
	const lines = growth.map(({ name, points: own }, i) => {
		const color = COLORS[i % COLORS.length];
		const path = own
			.map((one) => `${x(one.rows).toFixed(1)},${y(perRow(one)).toFixed(1)}`)
			.join(' ');
		const dots = own.map(
			(one) =>
				`<circle cx="${x(one.rows).toFixed(1)}" cy="${y(perRow(one)).toFixed(1)}" r="3" fill="${color}"/>`,
		);
		const label = `<text x="${EDGE + 8}" y="${20 + 16 * i}" fill="${color}">${name}</text>`;
		return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="2"/>${dots.join('')}${label}`;
	});
	const decades = Array.from({ length: high - low + 1 }, (_, i) => 10 ** (low + i));
	const grid = [
		...[1000, 10_000, 100_000].map((rows) => text(x(rows), HEIGHT - EDGE + 20, number(rows))),
		...decades.map((ms) => text(EDGE - 8, y(ms) + 4, String(ms), 'end')),
		...decades.map(
			(ms) => `<path d="M${EDGE} ${y(ms).toFixed(1)}H${WIDTH - EDGE}" stroke="#ddd"/>`,
		),
		text(WIDTH / 2, HEIGHT - 8, 'rows'),
		text(EDGE - 40, EDGE - 12, 'ms a row', 'start'),
	];
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>${grid.join('')}${lines.join('')}</svg>\n`;
}

/** What it was measured on. */
export function machine(): string {
	return `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`;
}

/** Writes the tables and the chart to where readers find them. */
export function writeReport(
	results: Result[],
	growth: Growth[],
	peaks: Peak[],
	{ rounds, others }: { rounds: number; others: number },
): void {
	put(
		'docs/performance.md',
		'setting',
		`Medians of ${rounds} at 25 ms, of ${others} at 0 and 100 ms; ${machine()}.`,
	);
	put('docs/performance.md', 'results', fullTable(results));
	put('docs/performance.md', 'growth', growthTable(growth));
	put('docs/performance.md', 'memory', peakTable(peaks));
	put('README.md', 'performance', shortTable(results));
	writeFileSync(join(ROOT, 'docs/growth.svg'), chart(growth));
}

/** Puts text between two marks of a file; a mark without an end gets one. */
export function put(path: string, mark: string, text: string): void {
	const file = join(ROOT, path);
	const before = readFileSync(file, 'utf8');
	const [begin, end] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`];
	const from = before.indexOf(begin);
	if (from < 0) throw new Error(`${path} has no mark ${begin}`);
	const to = before.indexOf(end);
	const rest = to < 0 ? before.slice(from + begin.length) : before.slice(to + end.length);
	writeFileSync(file, `${before.slice(0, from)}${begin}\n\n${text}\n\n${end}${rest}`);
}
