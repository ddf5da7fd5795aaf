// The commands for tests. The last line is "N passed, N failed".
//     npm run test:fast    types, unit and contract tests: without n8n
//     npm test             every check, the build, and the tests of one to two minutes, in a real n8n too
//     npm run test:long    browser, kills, queue mode, and all cases of random tests; with FOLDER only its files
//     npm test -- FILE …   the build, and jest with these arguments
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { inLanes } from '../host/inLanes.mts';
import { until } from '../host/until.mts';
import { builtPackage } from './build.mts';
import { ROOT, run, runMain, runQuietly, say, scratchFolder } from './processes.mts';

const reportSchema = z.object({
	numPassedTests: z.number(),
	numFailedTests: z.number(),
	numRuntimeErrorTestSuites: z.number(),
	numPendingTests: z.number(),
	numTodoTests: z.number(),
});

type Check = [name: string, command: string, ...args: string[]];

const CHECKS: Check[] = [
	['Lint', 'n8n-node', 'lint'],
	['Types', 'tsc', '-p', 'tsconfig.dev.json'],
	['Imports', 'depcruise', 'credentials', 'nodes', 'sandbox', 'host', 'scripts', 'test', 'bench'],
	['Descriptions', 'tsx', 'scripts/lintDescriptions.mts'],
	['Unused code', 'knip', '--no-progress', '--no-config-hints'],
	['Code that only tests use', 'knip', '--no-progress', '--production'],
	['Format', 'prettier', '--check', '.'],
];

/** The checks that run at the same time: one for each core of a small machine. */
const CHECKS_AT_A_TIME = 2;

type Suite = 'fast' | 'usual' | 'long';

const count = { passed: 0, failed: 0 };

async function main(): Promise<number> {
	const [first = '', ...rest] = process.argv.slice(2);
	if (first === '--fast') await fast();
	else if (first === '--long')
		await withPackage(async (tarball) => await suite('long', tarball, rest));
	else if (first) await withPackage(async (tarball) => await jest([first, ...rest], { tarball }));
	else await usual();
	console.log(`${count.passed} passed, ${count.failed} failed`);
	return count.failed === 0 ? 0 : 1;
}

async function fast(): Promise<void> {
	const types = CHECKS.filter(([name]) => name === 'Types');
	await Promise.all([runChecks(types), suite('fast')]);
}

async function usual(): Promise<void> {
	const [tarball] = await Promise.all([build(), runChecks(CHECKS)]);
	if (!tarball) return say('The tests did not run: they need the built package.');
	await runChecks([
		['Package', 'publint', '--strict', tarball],
		["n8n's reviewer", 'tsx', 'scripts/scan.mts', tarball],
	]);
	await suite('usual', tarball);
	const sizes = sourceFiles().map((file) => readFileSync(file, 'utf8').split('\n').length - 1);
	const lines = sizes.reduce((sum, size) => sum + size, 0);
	say(`nodes/ has ${lines.toLocaleString('en')} lines in ${sizes.length} files`);
}

function sourceFiles(): string[] {
	const folder = join(ROOT, 'nodes');
	const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	return names.filter((name) => name.endsWith('.ts')).map((name) => join(folder, name));
}

async function withPackage(test: (tarball: string) => Promise<void>): Promise<void> {
	const tarball = await build();
	if (tarball) await test(tarball);
}

/** Returns the path of the built package, or an empty text if the build failed. */
async function build(): Promise<string> {
	let tarball = '';
	await check('Build', async () => Boolean((tarball = await builtPackage())));
	return tarball;
}

/** Runs checks side by side, and prints the output of each that fails. */
async function runChecks(checks: Check[]): Promise<void> {
	await inLanes(checks, CHECKS_AT_A_TIME, async ([name, command, ...args]) => {
		await check(name, async () => await runQuietly(command, args));
	});
}

/** Waits until the set-up has built n8n's database driver, which it does during the checks. */
async function untilInstalled(): Promise<void> {
	const stamp = join(ROOT, 'host/node_modules/.surveys-installed');
	const what = "n8n's database driver";
	await until(() => existsSync(stamp), Boolean, { what, timeoutMs: 600_000 });
}

/** Runs the test files of a command. Random tests run all cases in the long one, and a tenth in the others. */
async function suite(name: Suite, tarball?: string, only: string[] = []): Promise<void> {
	const cases = name === 'long' ? '1' : '0.1';
	// In UTC, no test would see that a service's time without a zone is read in the machine's.
	const zone = name === 'fast' ? { TZ: 'America/New_York' } : {};
	await jest(['--config', 'scripts/joined/jest.config.cjs', ...only], {
		...{ tarball, SURVEYS_SUITE: name, SURVEYS_RUNS: process.env.SURVEYS_RUNS ?? cases, ...zone },
	});
}

async function check(name: string, passes: () => Promise<boolean>): Promise<void> {
	say(`${name} …`);
	const ok = await passes().catch((error: unknown) => {
		console.error(error);
		return false;
	});
	count[ok ? 'passed' : 'failed'] += 1;
	say(`${name}: ${ok ? 'passed' : 'failed'}`);
}

async function jest(
	args: string[],
	{ tarball, ...env }: { tarball?: string } & Record<string, string | undefined>,
): Promise<void> {
	if (tarball) await untilInstalled();
	const file = join(scratchFolder(), 'jest.json');
	const code = await run('jest', ['--json', `--outputFile=${file}`, ...args], {
		env: { ...env, SURVEYS_TARBALL: tarball },
	});
	const report = existsSync(file)
		? reportSchema.parse(JSON.parse(readFileSync(file, 'utf8')))
		: undefined;
	const failed = (report?.numFailedTests ?? 0) + (report?.numRuntimeErrorTestSuites ?? 0);
	count.passed += report?.numPassedTests ?? 0;
	// Jest can fail for other reasons than a test, which must not look like success.
	count.failed += code !== 0 && failed === 0 ? 1 : failed;
	const skipped = (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0);
	if (skipped) say(`${skipped} skipped`);
}

await runMain(main);
