// Compares this package with n8n's own HTTP Request node and with a lower bound: the same work, in the same real n8n,
// against the same sandbox, in turns. The sandbox counts the requests; the seconds are n8n's own record.
//
//     npm run bench                             five runs; writes docs/performance.md and docs/growth.svg
//     npm run bench -- --quick                  three runs at 25 ms with fewer rows, in minutes; writes the same tables,
//                                               but not those of memory and growth
//     npm run bench -- 3 1                      three runs at 25 ms, one at the other latencies
//     npm run bench -- 3 1 'Send surveys (A)'   one case at 25 ms; prints the table
//     npm run bench -- --rows=20                a trial of the benchmark: one run with 20 rows; prints the tables
import { builtPackage } from '../scripts/build.mts';
import { atEnd, run, runMain, say } from '../scripts/processes.mts';
import { startSandbox, type Sandbox } from '../sandbox/index.ts';
import { startHost, type Host } from '../test/support/n8n.mts';
import { cases, FULL, QUICK, trialSizes, type Case, type Side } from './cases.mts';
import { fromMemoryFolder, savePages } from './fromMemory.mts';
import { measure, median, memoryMb, type Measure } from './measure.mts';
import {
	fullTable,
	MAIN_LATENCY,
	shortTable,
	writeGrowth,
	writeReport,
	type Growth,
	type Peak,
	type Result,
} from './report.mts';

/** ms until the sandbox responds. */
const LATENCIES = [MAIN_LATENCY, 0, 100];

/** Rows in the table of growth. The largest takes long, so each is measured once. */
const GROWTH = [1000, 10_000, 100_000];
const WARM_UP = 1000;

/** Sides that are measured at every latency; the time of the others does not depend on it. */
const AT_EVERY_LATENCY = ['HTTP Request', 'Map Automatically', 'Expressions', 'Return All'];

async function main(): Promise<number> {
	const [options, positional] = split(process.argv.slice(2), (text) => text.startsWith('--'));
	const isQuick = options.includes('--quick');
	const trialRows = Number(
		options.find((text) => text.startsWith('--rows='))?.slice('--rows='.length) ?? 0,
	);
	const usual = trialRows ? 1 : isQuick ? 3 : 5;
	const [rounds = usual, others = rounds] = positional.slice(0, 2).map(Number);
	const only = positional[2];
	const sizes = trialRows ? trialSizes(trialRows) : isQuick ? QUICK : FULL;
	process.env.SURVEYS_TARBALL ??= await builtPackage();
	const sandbox = await startSandbox();
	atEnd(async () => await sandbox.close());
	const all = cases(sandbox, sizes, await savePages(sandbox, sizes.feedback));
	const host = await openHost(sandbox);
	const results: Result[] = [];
	for (const latency of isQuick || only !== undefined ? [MAIN_LATENCY] : LATENCIES) {
		for (const work of all.filter(({ name }) => only === undefined || name === only)) {
			const runs = latency === MAIN_LATENCY ? rounds : others;
			results.push(...(await compare(host, sandbox, work, latency, runs)));
		}
	}
	await host.end();
	if (trialRows || only !== undefined) {
		say(`${fullTable(results)}\n\n${shortTable(results)}`);
		return 0;
	}
	writeReport(results, isQuick ? { rounds } : { rounds, others });
	if (!isQuick) writeGrowth(await grow(sandbox, all), await peaks(sandbox, all));
	return await run('prettier', ['--write', 'docs/performance.md']);
}

/** Returns the items that match, and the others. */
function split<Item>(items: Item[], matches: (item: Item) => boolean): [Item[], Item[]] {
	return [items.filter(matches), items.filter((item) => !matches(item))];
}

async function openHost(sandbox: Sandbox): Promise<Host> {
	const host = await startHost(sandbox, { N8N_CUSTOM_EXTENSIONS: fromMemoryFolder() });
	atEnd(async () => await host.end());
	return host;
}

/** Runs all sides of a case in turns, so that a slow phase of the machine affects all of them. */
async function compare(
	host: Host,
	sandbox: Sandbox,
	work: Case,
	latency: number,
	runs: number,
): Promise<Result[]> {
	const sides = work.sides.filter(
		({ name }) => latency === MAIN_LATENCY || AT_EVERY_LATENCY.includes(name),
	);
	const measures = new Map<Side, Measure[]>(sides.map((side) => [side, []]));
	for (let count = 0; count < runs; count++) {
		for (const side of sides) {
			measures.get(side)?.push(await measure(host, sandbox, work, side, latency));
		}
	}
	return [...measures].map(([side, all]) => {
		const result = { case: work.name, side, latency, ...median(all) };
		say(`${work.name}, ${latency} ms, ${side.name}: ${result.seconds.toFixed(2)} s`);
		return result;
	});
}

/** Measures the memory that each way to read a list needs, each in a new n8n. */
async function peaks(sandbox: Sandbox, all: Case[]): Promise<Peak[]> {
	const measured: Peak[] = [];
	for (const work of all.filter(({ rowsOut }) => rowsOut !== undefined)) {
		for (const side of work.sides) {
			const host = await openHost(sandbox);
			const idle = memoryMb(host.n8n.pid);
			const { peakMb } = await measure(host, sandbox, work, side, MAIN_LATENCY);
			await host.end();
			measured.push({ case: work.name, side: side.name, mb: peakMb - idle });
			say(`${work.name}, ${side.name}: ${(peakMb - idle).toFixed(0)} MB`);
		}
	}
	return measured;
}

/** Measures each number of rows in a new n8n, after a warm-up. */
async function grow(sandbox: Sandbox, all: Case[]): Promise<Growth[]> {
	const growth: Growth[] = [];
	for (const work of all.filter(({ service }) => service === 'a')) {
		const side = work.sides.find(({ name }) => name === 'Map Automatically');
		if (side === undefined) continue;
		const points: Measure[] = [];
		for (const rows of GROWTH) {
			const host = await openHost(sandbox);
			await measure(host, sandbox, work, { ...side, rows: WARM_UP }, MAIN_LATENCY);
			const idle = memoryMb(host.n8n.pid);
			const point = await measure(host, sandbox, work, { ...side, rows }, MAIN_LATENCY);
			await host.end();
			points.push({ ...point, peakMb: point.peakMb - idle });
			say(`${work.name}, ${rows} rows: ${point.seconds.toFixed(2)} s`);
		}
		growth.push({ name: `${work.name}, Map Automatically`, points });
	}
	return growth;
}

await runMain(main);
