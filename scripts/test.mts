// `npm test`: the checks, the build, and jest with the given arguments. The last line is "N passed, N failed".
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import { builtPackage } from './build.mts';
import { run, runMain, say, scratchFolder } from './processes.mts';

const reportSchema = z.object({
	numPassedTests: z.number(),
	numFailedTests: z.number(),
	numRuntimeErrorTestSuites: z.number(),
	numPendingTests: z.number(),
	numTodoTests: z.number(),
});

const CHECKS: Array<[name: string, command: string, ...args: string[]]> = [
	['Lint', 'n8n-node', 'lint'],
	['Types', 'tsc', '-p', 'tsconfig.dev.json'],
	['Imports', 'depcruise', 'credentials', 'nodes', 'sandbox', 'host', 'scripts', 'test', 'bench'],
	['Descriptions', 'tsx', 'scripts/lintDescriptions.mts'],
	['Unused code', 'knip', '--no-progress', '--no-config-hints'],
	['Code that only tests use', 'knip', '--no-progress', '--production'],
	['Unused keys', 'tsx', 'scripts/unusedKeys.mts'],
	['Format', 'prettier', '--check', '.'],
];

/** The configuration that joins the tests that load n8n-core. */
const ALL = ['--config', 'scripts/together/jest.config.cjs'];

const count = { passed: 0, failed: 0 };

async function main(): Promise<number> {
	for (const [name, command, ...args] of CHECKS) {
		await check(name, async () => (await run(command, args)) === 0);
	}
	let tarball = '';
	await check('Build', async () => {
		tarball = await builtPackage();
		return true;
	});
	if (tarball) {
		await check('Package', async () => (await run('publint', ['--strict', tarball])) === 0);
		await check(
			"n8n's reviewer",
			async () => (await run('tsx', ['scripts/scan.mts', tarball])) === 0,
		);
		const args = process.argv.slice(2);
		await jest(tarball, args.length > 0 ? args : ALL);
	} else say('The tests did not run: they need the built package.');
	console.log(`${count.passed} passed, ${count.failed} failed`);
	return count.failed === 0 ? 0 : 1;
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

async function jest(tarball: string, args: string[]): Promise<void> {
	const file = join(scratchFolder(), 'jest.json');
	const code = await run('jest', ['--json', `--outputFile=${file}`, ...args], {
		env: { SURVEYS_TARBALL: tarball },
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
