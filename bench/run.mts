// Measures this package beside n8n's own HTTP Request node, and beside n8n's own limit: the same work, in the same
// real n8n, against the same sandbox, in turns. The sandbox counts the requests; the seconds are n8n's own record.
// Writes docs/performance.md, docs/growth.svg and the table in the README.
// Run: `npm run bench`, or with other rounds than five: `npm run bench -- 3 1`, three at 25 ms and one at the others.
// `npm run bench -- 3 1 'Send surveys (A)'` measures one kind of work at 25 ms, and writes nothing.
import { builtPackage } from '../scripts/build.mts';
import { atEnd, run, runMain, say } from '../scripts/processes.mts';
import { startSandbox, type Sandbox } from '../sandbox/index.ts';
import { startHost, type Host } from '../test/support/n8n.mts';
import { cases, FEEDBACK, type Case, type Side } from './cases.mts';
import { fromMemoryFolder, keepPages } from './fromMemory.mts';
import { measure, median, memoryMb, type Measure } from './measure.mts';
import { writeReport, type Growth, type Peak, type Result } from './report.mts';

/** Milliseconds until the sandbox answers. */
const LATENCIES = [25, 0, 100];
const MAIN_LATENCY = 25;

/** Rows in the table of growth; once each, since the largest take long. */
const GROWTH = [1000, 10_000, 100_000];
const WARM_UP = 1000;

/** What is measured at every latency; the others show n8n's own time, which does not depend on it. */
const AT_EVERY_LATENCY = ['HTTP Request', 'Map Automatically', 'Return All'];

async function main(): Promise<number> {
	const [rounds = 5, others = rounds] = process.argv.slice(2, 4).map(Number);
	const [only] = process.argv.slice(4);
	process.env.SURVEYS_TARBALL = await builtPackage();
	const sandbox = await startSandbox();
	atEnd(async () => await sandbox.close());
	const all = cases(sandbox, await keepPages(sandbox, FEEDBACK));
	const host = await openHost(sandbox);
	if (only !== undefined) {
		for (const work of all.filter(({ name }) => name === only)) {
			await compare(host, sandbox, work, MAIN_LATENCY, rounds);
		}
		return 0;
	}
	const results: Result[] = [];
	for (const latency of LATENCIES) {
		for (const work of all) {
			const times = latency === MAIN_LATENCY ? rounds : others;
			results.push(...(await compare(host, sandbox, work, latency, times)));
		}
	}
	await host.end();
	const growth = await grow(sandbox, all);
	writeReport(results, growth, await peaks(sandbox, all), { rounds, others });
	return await run('prettier', ['--write', 'README.md', 'docs/performance.md']);
}

async function openHost(sandbox: Sandbox): Promise<Host> {
	const host = await startHost(sandbox, { N8N_CUSTOM_EXTENSIONS: fromMemoryFolder() });
	atEnd(async () => await host.end());
	return host;
}

/** All sides of a case in turns, so that none has the machine to itself. */
async function compare(
	host: Host,
	sandbox: Sandbox,
	work: Case,
	latency: number,
	rounds: number,
): Promise<Result[]> {
	const sides = work.sides.filter(
		({ name }) => latency === MAIN_LATENCY || AT_EVERY_LATENCY.includes(name),
	);
	const measured = new Map<Side, Measure[]>(sides.map((side) => [side, []]));
	for (let round = 0; round < rounds; round++) {
		for (const side of sides) {
			measured.get(side)?.push(await measure(host, sandbox, work, side, latency));
		}
	}
	return [...measured].map(([side, all]) => {
		const result = { case: work.name, side: side.name, latency, ...median(all) };
		say(`${work.name}, ${latency} ms, ${side.name}: ${result.seconds.toFixed(2)} s`);
		return result;
	});
}

/** How much each way to read takes of the memory of an n8n that has done nothing before. */
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

/** Each number of rows in an n8n of its own, that has warmed up with the smallest number. */
async function grow(sandbox: Sandbox, all: Case[]): Promise<Growth[]> {
	const growing = all.filter(({ name }) => name.endsWith('(A)') && !/^Read/.test(name));
	const growth: Growth[] = [];
	for (const work of growing) {
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
