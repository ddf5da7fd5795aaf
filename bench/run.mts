// Measures this package beside n8n's own HTTP Request node, and beside n8n's own limit: the same work, in the same
// real n8n, against the same sandbox, in turns. The sandbox counts the requests; the seconds are n8n's own record.
// Writes docs/performance.md, docs/growth.svg and the table in the README.
// Run: `npm run bench`, or `npm run bench -- 3` for fewer rounds.
import { builtPackage } from '../scripts/build.mts';
import { atEnd, run, runMain, say } from '../scripts/processes.mts';
import { startSandbox, type Sandbox } from '../sandbox/index.ts';
import { startHost, type Host } from '../test/support/n8n.mts';
import { cases, type Case, type Side } from './cases.mts';
import { measure, median, type Measure } from './measure.mts';
import { writeReport, type Growth, type Result } from './report.mts';

/** Milliseconds until the sandbox answers. */
const LATENCIES = [25, 0, 100];
const MAIN_LATENCY = 25;

/** Rows in the table of growth; once each, since the largest take long. */
const GROWTH = [1000, 10_000, 100_000];

/** What is measured at every latency; the others show n8n's own time, which does not depend on it. */
const AT_EVERY_LATENCY = ['HTTP Request', 'Map Automatically', 'Return All'];

async function main(): Promise<number> {
	const rounds = Number(process.argv[2] ?? 5);
	process.env.SURVEYS_TARBALL = await builtPackage();
	const sandbox = await startSandbox();
	atEnd(async () => await sandbox.close());
	const host = await startHost(sandbox);
	atEnd(async () => await host.end());
	const results: Result[] = [];
	for (const latency of LATENCIES) {
		for (const work of cases(sandbox)) {
			// Fewer rounds where it is only to be seen whether the picture holds.
			const times = latency === MAIN_LATENCY ? rounds : Math.ceil(rounds / 2);
			results.push(...(await compare(host, sandbox, work, latency, times)));
		}
	}
	const growth = await grow(host, sandbox);
	writeReport(results, growth, rounds);
	return await run('prettier', ['--write', 'README.md', 'docs/performance.md']);
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

async function grow(host: Host, sandbox: Sandbox): Promise<Growth[]> {
	const growing = cases(sandbox).filter(({ name }) => name.endsWith('(A)') && !/^Read/.test(name));
	const growth: Growth[] = [];
	for (const work of growing) {
		const side = work.sides.find(({ name }) => name === 'Map Automatically');
		if (side === undefined) continue;
		const points: Measure[] = [];
		for (const rows of GROWTH) {
			points.push(await measure(host, sandbox, work, { ...side, rows }, MAIN_LATENCY));
			say(`${work.name}, ${rows} rows: ${points.at(-1)?.seconds.toFixed(2)} s`);
		}
		growth.push({ name: `${work.name}, Map Automatically`, points });
	}
	return growth;
}

await runMain(main);
