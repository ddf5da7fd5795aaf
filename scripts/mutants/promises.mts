// `npm run mutants -- --promises`: puts the fault of each entry of promises.json into a copy of the code, one at a time, and
// expects that the test with its title fails.
import {
	cpSync,
	existsSync,
	mkdirSync,
	readdirSync,
	readFileSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { basename, join, relative } from 'node:path';

import { z } from 'zod';

import { inLanes } from '../../host/inLanes.mts';
import { ROOT, run, say, scratchFolder } from '../processes.mts';
import { drawnFrom } from './sample.mts';

const faultSchema = z.object({
	test: z.string(),
	file: z.string(),
	replace: z.string(),
	by: z.string(),
});

type Fault = z.infer<typeof faultSchema>;

const NOT_COPIED = ['node_modules', '.git', 'dist', 'coverage', '.surveys'];

/** The copies of the code, in which faults are tried at the same time. */
const COPIES = 2;

/**
 * Tries the faults, or as many of them as asked for, chosen by the seed. Returns 1 if one of them is not noticed.
 *
 * @param sample how many; 0 for all
 */
export async function tryPromises(sample: number, seed: number): Promise<number> {
	const all = z.array(faultSchema).parse(JSON.parse(readFileSync(fileOf('promises.json'), 'utf8')));
	const faults = drawnFrom(all, sample, seed);
	const copies = Array.from({ length: COPIES }, copyOfCode);
	const results = await inLanes(faults, COPIES, async (fault) => {
		const copy = copies.pop() ?? '';
		const result = await tryFault(copy, fault);
		copies.push(copy);
		say(`${result}: ${fault.test}`);
		return result;
	});
	const caught = results.filter((result) => result === 'caught').length;
	console.log(`${caught} of ${faults.length} faults were caught`);
	return caught === faults.length ? 0 : 1;
}

const fileOf = (name: string) => join(import.meta.dirname, name);

function copyOfCode(): string {
	const copy = join(scratchFolder(), 'code');
	mkdirSync(copy);
	cpSync(ROOT, copy, {
		recursive: true,
		filter: (path) => path === ROOT || !NOT_COPIED.includes(basename(path)),
	});
	symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
	return copy;
}

type Result = 'caught' | 'MISSED' | 'NO SUCH TEST' | 'NO SUCH CODE' | 'BROKEN' | 'NOT ENDED';

const reportSchema = z.object({ numFailedTests: z.number(), numPassedTests: z.number() });

async function tryFault(copy: string, { test, file, replace, by }: Fault): Promise<Result> {
	const path = join(copy, file);
	const code = readFileSync(path, 'utf8');
	if (code.split(replace).length !== 2) return 'NO SUCH CODE';
	const files = filesWith(copy, test);
	if (files.length === 0) return 'NO SUCH TEST';
	writeFileSync(
		path,
		code.replace(replace, () => by),
	);
	const output = join(scratchFolder(), 'report.json');
	const title = test.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
	const args = ['-w', '1', '--json', `--outputFile=${output}`, '-t', title, ...files];
	// A fault may keep a test from ending.
	const options = { cwd: copy, localDir: ROOT, stdio: 'ignore', timeout: 300_000 } as const;
	await run('jest', [...args, '--forceExit'], { ...options, env: { SURVEYS_RUNS: '0.1' } });
	writeFileSync(path, code);
	if (!existsSync(output)) return 'NOT ENDED';
	const { numFailedTests, numPassedTests } = reportSchema.parse(
		JSON.parse(readFileSync(output, 'utf8')),
	);
	if (numFailedTests > 0) return 'caught';
	return numPassedTests > 0 ? 'MISSED' : 'BROKEN';
}

/** Returns the test files that have a title and need no n8n. */
function filesWith(copy: string, title: string): string[] {
	return ['unit', 'contract', 'simulate']
		.flatMap((folder) =>
			readdirSync(join(copy, 'test', folder), { recursive: true, withFileTypes: true }),
		)
		.filter(({ name }) => /\.test\.m?ts$/.test(name) && !name.startsWith('promises'))
		.map(({ parentPath, name }) => join(parentPath, name))
		.filter((path) => readFileSync(path, 'utf8').toLowerCase().includes(title.toLowerCase()))
		.map((path) => relative(copy, path));
}
