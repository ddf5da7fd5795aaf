// `npm run mutants`: runs the tests with small faults in the code, one at a time, and prints those that no test notices.
//
//     npm run mutants -- --sample 400 --seed 7      a random sample
//     npm run mutants -- --module nodes/SurveyB     one module, or several: nodes/SurveyA/*.ts,nodes/SurveyB
//     npm run mutants -- --concurrency 4            processes; default: 2
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { z } from 'zod';

import { ROOT, run, runMain, say } from '../processes.mts';
import { enclosingName } from './enclosing.mts';

const positionSchema = z.object({ line: z.number(), column: z.number() });

/** Stryker's JSON report. `static` is true for code that runs while a file is loaded. */
const reportSchema = z.object({
	files: z.record(
		z.object({
			source: z.string(),
			mutants: z.array(
				z.object({
					mutatorName: z.string(),
					replacement: z.string().default(''),
					status: z.string(),
					static: z.boolean().optional(),
					location: z.object({ start: positionSchema, end: positionSchema }),
				}),
			),
		}),
	),
});

/** Mutants that do not change the behavior, with the reason. Names, unlike lines, survive a formatter. */
const equivalentsSchema = z.array(
	z.object({
		file: z.string(),
		/** The function or method around the mutant. */
		function: z.string(),
		/** The code that the mutant replaces. */
		original: z.string(),
		replacement: z.string(),
		reason: z.string(),
	}),
);

type Equivalent = z.infer<typeof equivalentsSchema>[number];

interface Mutant extends Omit<Equivalent, 'reason'> {
	mutatorName: string;
	status: string;
	line: number;
}

const FOLDER = join(ROOT, 'coverage/mutants');
const REPORT = join(FOLDER, 'mutants.json');
const CAUGHT = new Set(['Killed', 'Timeout', 'RuntimeError']);
const MISSED = new Set(['Survived', 'NoCoverage']);

async function main(): Promise<number> {
	const { values } = parseArgs({
		options: {
			sample: { type: 'string', default: '' },
			seed: { type: 'string', default: '1' },
			module: { type: 'string', default: 'nodes' },
			concurrency: { type: 'string', default: '2' },
		},
	});
	const { sample, seed, module, concurrency } = values;
	say(sample ? `A sample of ${sample} mutants, seed ${seed}` : 'All mutants');
	const mutate = [
		...module.split(',').map((one) => (one.endsWith('.ts') ? one : `${one}/**/*.ts`)),
		'!nodes/**/*.node.ts',
		'!nodes/**/fields.ts',
		'!nodes/**/lazy.ts',
	].join();
	rmSync(REPORT, { force: true });
	const config = 'scripts/mutants/stryker.config.json';
	await run('stryker', ['run', config, '--mutate', mutate, '--concurrency', concurrency], {
		env: {
			SURVEYS_MUTANTS: sample,
			SURVEYS_MUTANTS_SEED: seed,
			// A tenth of the random cases finds nearly as many mutants as all of them.
			SURVEYS_RUNS: '0.1',
		},
	});
	if (!existsSync(REPORT)) return 1;
	report(testedMutants(), sample ? Number(sample) : Infinity);
	return 0;
}

/**
 * Returns the mutants that tests ran with. Leaves out static mutants: Stryker tries them only with the few tests that load
 * their file again.
 */
function testedMutants(): Mutant[] {
	const { files } = reportSchema.parse(JSON.parse(readFileSync(REPORT, 'utf8')));
	return Object.entries(files).flatMap(([file, { source, mutants }]) => {
		const lines = source.split('\n');
		const offsetOf = ({ line, column }: z.infer<typeof positionSchema>) =>
			lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0) + column - 1;
		return mutants
			.filter((one) => !one.static && (CAUGHT.has(one.status) || MISSED.has(one.status)))
			.map(({ mutatorName, replacement, status, location: { start, end } }) => ({
				...{ file, mutatorName, replacement, status, line: start.line },
				function: enclosingName(source, offsetOf(start)),
				original: source.slice(offsetOf(start), offsetOf(end)),
			}));
	});
}

/** Prints the score and the survivors by module, and writes them to coverage/mutants/report.txt. */
function report(all: Mutant[], asked: number): void {
	if (all.length > asked) throw new Error(`${all.length} mutants ran instead of ${asked}`);
	const equivalents = equivalentsSchema.parse(
		JSON.parse(readFileSync(join(ROOT, 'scripts/mutants/equivalent.json'), 'utf8')),
	);
	const counted = all.filter((one) => !equivalents.some((known) => isSame(known, one)));
	const modules = [...new Set(counted.map(({ file }) => moduleOf(file)))].sort();
	const lines = modules.flatMap((module) => {
		const mutants = counted.filter(({ file }) => moduleOf(file) === module);
		const missed = mutants.filter(({ status }) => MISSED.has(status));
		return [`${scoreOf(mutants)} ${module}`, ...missed.map((one) => `      ${described(one)}`)];
	});
	const left = all.length - counted.length;
	lines.push('', `${scoreOf(counted)} in all, without ${left} equivalent mutants`);
	mkdirSync(FOLDER, { recursive: true });
	writeFileSync(join(FOLDER, 'report.txt'), `${lines.join('\n')}\n`);
	console.log(`\n${lines.join('\n')}`);
}

function isSame(known: Equivalent, mutant: Mutant): boolean {
	return (['file', 'function', 'original', 'replacement'] as const).every(
		(name) => known[name] === mutant[name],
	);
}

/** Returns `shared/http` or `SurveyB/trigger`: the first two folders below `nodes`. */
function moduleOf(file: string): string {
	return file.split('/').slice(1, -1).slice(0, 2).join('/');
}

function scoreOf(mutants: Mutant[]): string {
	const caught = mutants.filter(({ status }) => CAUGHT.has(status)).length;
	const share = mutants.length === 0 ? 100 : (100 * caught) / mutants.length;
	return `${share.toFixed(0).padStart(3)} % (${caught} of ${mutants.length})`;
}

function described({ file, line, mutatorName, original, replacement }: Mutant): string {
	const short = (text: string) => text.replace(/\s+/g, ' ').slice(0, 100);
	return `${file}:${line} ${mutatorName}: ${short(original)} -> ${short(replacement)}`;
}

await runMain(main);
