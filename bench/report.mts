import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

import { ROOT } from '../scripts/processes.mts';
import type { Side } from './cases.mts';
import { floorSeconds } from './floor.mts';
import type { Measure } from './measure.mts';

/** The median run of a side at one latency. */
export interface Result extends Measure {
	case: string;
	side: Side;
	/** ms until the service responds. */
	latency: number;
}

/** The time of a case by number of rows. */
export interface Growth {
	name: string;
	points: Measure[];
}

/** The peak memory of reading a list, in MB above the memory of an idle n8n. */
export interface Peak {
	case: string;
	side: string;
	mb: number;
}

/** Latency of the summary, and the only one at which every side is measured (ms). */
export const MAIN_LATENCY = 25;

/** Formats an integer with thousands separators. */
export const number = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 0 });

const msPerRow = ({ seconds, rows }: Measure) => (seconds * 1000) / rows;

function besides(result: Result, all: Result[], side: string, latency: number) {
	return all.find(
		(other) => other.case === result.case && other.side.name === side && other.latency === latency,
	);
}

/** Returns the seconds that a result of this package needs at least; undefined for other nodes. */
function floorOf(result: Result, all: Result[]): number | undefined {
	const { floor } = result.side;
	const items = floor && besides(result, all, floor.items, MAIN_LATENCY);
	return items && floorSeconds(result, items, floor, result.latency);
}

/** Returns how many times as long HTTP Request takes per row; undefined for other nodes. */
function timesHttp(result: Result, all: Result[]): number | undefined {
	const http = result.side.floor && besides(result, all, 'HTTP Request', result.latency);
	return http && msPerRow(http) / msPerRow(result);
}

const fixed = (value: number | undefined, digits: number, unit = '') =>
	value === undefined ? '' : value.toFixed(digits) + unit;

function row(result: Result, all: Result[]): string[] {
	const floor = floorOf(result, all);
	return [
		result.case,
		`${result.latency} ms`,
		result.side.name,
		number(result.rows),
		number(result.requests),
		number(result.inFlight),
		result.seconds.toFixed(2),
		fixed(floor, 2),
		fixed(floor && result.seconds / floor, 2),
		msPerRow(result).toFixed(3),
		fixed(timesHttp(result, all), 1, ' ×'),
	];
}

/** Formats a Markdown table. */
export function table(head: string[], lines: string[][]): string {
	return [head, head.map(() => '---'), ...lines]
		.map((line) => `| ${line.join(' | ')} |`)
		.join('\n');
}

/** Formats all results. */
export function fullTable(results: Result[]): string {
	const head = [
		...['Work', 'Response after', 'By', 'Rows', 'Requests', 'In flight', 'Seconds'],
		...['Floor', 'Of the floor', 'ms per row', 'Faster than HTTP Request'],
	];
	return table(
		head,
		results.map((result) => row(result, results)),
	);
}

/** Sides of the summary, with the setting that it mentions. */
const SUMMARY_SIDES: Record<string, string> = {
	'Map Automatically': '',
	'Map Automatically, Continue': ', On Error = Continue',
	Expressions: '',
	'Return All': '',
};

function summary({ rows, requests, seconds }: Result): string {
	return `${number(rows)} rows: ${number(requests)} requests, ${seconds.toFixed(1)} s`;
}

/** Formats the summary: the fastest way of each case. */
export function shortTable(results: Result[]): string {
	const all = results.filter(({ latency }) => latency === MAIN_LATENCY);
	const lines = all.flatMap((result) => {
		const setting = SUMMARY_SIDES[result.side.name];
		const http = besides(result, all, 'HTTP Request', MAIN_LATENCY);
		const slower =
			result.side.name === 'Expressions' && besides(result, all, 'Map Automatically', MAIN_LATENCY);
		const floor = floorOf(result, all);
		if (setting === undefined || !http || slower || !floor) return [];
		const ratios = [fixed(timesHttp(result, all), 1, ' ×'), (result.seconds / floor).toFixed(2)];
		return [[result.case + setting, summary(http), summary(result), ...ratios]];
	});
	const head = ['Work', 'HTTP Request node', 'This package', 'Faster, per row', 'Of the floor'];
	return table(head, lines);
}

function growthTable(growth: Growth[]): string {
	const lines = growth.flatMap(({ name, points }) =>
		points.map((point) => [
			name,
			number(point.rows),
			number(point.requests),
			point.seconds.toFixed(2),
			msPerRow(point).toFixed(3),
			number(point.peakMb),
		]),
	);
	return table(['Work', 'Rows', 'Requests', 'Seconds', 'ms per row', 'MB'], lines);
}

function peakTable(peaks: Peak[]): string {
	const lines = peaks.map(({ case: work, side, mb }) => [work, side, number(mb)]);
	return table(['Work', 'By', 'MB'], lines);
}

const WIDTH = 640;
const HEIGHT = 320;
const EDGE = 56;
const COLORS = ['#0b7285', '#c2255c', '#5f3dc4'];

/** Draws ms per row over rows as SVG, both axes logarithmic, one line per case. */
function chart(growth: Growth[]): string {
	const points = growth.flatMap(({ points }) => points);
	const values = points.map(msPerRow);
	const [low, high] = [
		Math.floor(Math.log10(Math.min(...values))),
		Math.ceil(Math.log10(Math.max(...values))),
	];
	const x = (rows: number) => EDGE + ((Math.log10(rows) - 3) / 2) * (WIDTH - 2 * EDGE);
	const y = (ms: number) =>
		HEIGHT - EDGE - ((Math.log10(ms) - low) / Math.max(1, high - low)) * (HEIGHT - 2 * EDGE);
	const text = (at: number, top: number, label: string, anchor = 'middle') =>
		`<text x="${at.toFixed(0)}" y="${top.toFixed(0)}" text-anchor="${anchor}">${label}</text>`;
	const lines = growth.map(({ name, points: own }, i) => {
		const color = COLORS[i % COLORS.length];
		const path = own
			.map((one) => `${x(one.rows).toFixed(1)},${y(msPerRow(one)).toFixed(1)}`)
			.join(' ');
		const dots = own.map(
			(one) =>
				`<circle cx="${x(one.rows).toFixed(1)}" cy="${y(msPerRow(one)).toFixed(1)}" r="3" fill="${color}"/>`,
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
		text(EDGE - 40, EDGE - 12, 'ms per row', 'start'),
	];
	return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="#fff"/>${grid.join('')}${lines.join('')}</svg>\n`;
}

/** Describes the machine. */
export function machine(): string {
	return `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`;
}

/** Number of runs per side, at the main latency and at the others. */
export interface Rounds {
	rounds: number;
	others?: number;
}

/** Writes the tables of all cases to the docs. */
export function writeReport(results: Result[], { rounds, others }: Rounds): void {
	const atOthers = others === undefined ? '' : `, of ${others} at the other latencies`;
	put(
		'docs/performance.md',
		'setting',
		`Medians of ${rounds} runs at ${MAIN_LATENCY} ms${atOthers}; ${machine()}.`,
	);
	put('docs/performance.md', 'results', fullTable(results));
	put('docs/performance.md', 'summary', shortTable(results));
}

/** Writes the tables of growth and memory, and the chart. */
export function writeGrowth(growth: Growth[], peaks: Peak[]): void {
	put('docs/performance.md', 'growth', growthTable(growth));
	put('docs/performance.md', 'memory', peakTable(peaks));
	writeFileSync(join(ROOT, 'docs/growth.svg'), chart(growth));
}

/** Replaces the text between two marks of a file; adds the closing mark if it is missing. */
export function put(path: string, mark: string, text: string): void {
	const file = join(ROOT, path);
	const before = readFileSync(file, 'utf8');
	const [begin, end] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`];
	const from = before.indexOf(begin);
	if (from < 0) throw new Error(`${path} does not contain ${begin}`);
	const to = before.indexOf(end);
	const rest = to < 0 ? before.slice(from + begin.length) : before.slice(to + end.length);
	writeFileSync(file, `${before.slice(0, from)}${begin}\n\n${text}\n\n${end}${rest}`);
}
