// `npm run mutants`: puts small faults into the code, one at a time, and tells which of them no test notices.
//
//     npm run mutants -- --sample 400 --seed 7      a seeded part of them
//     npm run mutants -- --room nodes/SurveyB       those of one room
//     npm run mutants -- --concurrency 4            two at a time where nothing is said
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

import { Stryker } from '@stryker-mutator/core';

import { atEnd, ROOT, runMain, say } from '../processes.mts';

type Mutant = Awaited<ReturnType<Stryker['runMutationTest']>>[number];

/** A fault that changes nothing anybody could see. */
interface Equivalent {
	file: string;
	/** The line that it is in, trimmed. */
	line: string;
	replacement: string;
	reason: string;
}

const FOLDER = join(ROOT, 'coverage/mutants');
const CAUGHT = new Set(['Killed', 'Timeout', 'RuntimeError']);
const MISSED = new Set(['Survived', 'NoCoverage']);

async function main(): Promise<number> {
	const { values } = parseArgs({
		options: {
			sample: { type: 'string' },
			seed: { type: 'string', default: '1' },
			room: { type: 'string', default: 'nodes' },
			concurrency: { type: 'string', default: '2' },
		},
	});
	const names = join(FOLDER, `names-${process.pid}`);
	mkdirSync(names, { recursive: true });
	atEnd(() => rmSync(names, { recursive: true, force: true }));
	Object.assign(process.env, {
		SURVEYS_MUTANTS: values.sample ?? '',
		SURVEYS_MUTANTS_SEED: values.seed,
		SURVEYS_TEST_NAMES: names,
		// A part of the random cases notices nearly as much, in a tenth of the time.
		SURVEYS_RUNS: '0.1',
	});
	say(values.sample ? `A sample of ${values.sample}, seed ${values.seed}` : 'All mutants');
	const all = await mutantsOf(values.room, Number(values.concurrency));
	return tell(all, values.sample === undefined ? undefined : Number(values.sample));
}

async function mutantsOf(room: string, concurrency: number): Promise<Mutant[]> {
	const stryker = new Stryker({
		testRunner: 'jest',
		jest: {
			projectType: 'custom',
			configFile: 'scripts/mutants/jest.config.cjs',
			enableFindRelatedTests: false,
		},
		plugins: ['@stryker-mutator/jest-runner', join(ROOT, 'scripts/mutants/plugins.mjs')],
		ignorers: ['texts'],
		reporters: ['sample', 'progress-append-only'],
		mutate: [`${room}/**/*.ts`, '!nodes/**/*.node.ts', '!nodes/**/fields.ts'],
		ignorePatterns: ['/coverage', '/dist', '/docs/*.webp', '/host/node_modules', '/.surveys'],
		coverageAnalysis: 'perTest',
		// What runs once, while the files are loaded, are schemas and descriptions; each would meet all tests.
		ignoreStatic: true,
		concurrency,
		// A busy machine must not look like a noticed fault.
		timeoutMS: 30_000,
		timeoutFactor: 4,
		allowConsoleColors: false,
	});
	return await stryker.runMutationTest();
}

/** Prints the score and the survivors by room, and keeps them in coverage/mutants. */
function tell(all: Mutant[], asked: number | undefined): number {
	const equivalents = readEquivalents();
	const tested = all.filter(({ status }) => CAUGHT.has(status) || MISSED.has(status));
	if (asked !== undefined && tested.length > asked) {
		throw new Error(
			`${tested.length} mutants were tried in place of ${asked}: is the sample drawn?`,
		);
	}
	const counted = tested.filter((one) => !equivalents.some((known) => isSame(known, one)));
	const rooms = [...new Set(counted.map(({ fileName }) => roomOf(fileName)))].sort();
	const lines = rooms.flatMap((room) => {
		const mutants = counted.filter(({ fileName }) => roomOf(fileName) === room);
		const missed = mutants.filter(({ status }) => MISSED.has(status));
		return [`${scoreOf(mutants)} ${room}`, ...missed.map((one) => `      ${described(one)}`)];
	});
	const known = tested.length - counted.length;
	const text = [...lines, '', `${scoreOf(counted)} in all, ${known} equivalent ones left out`].join(
		'\n',
	);
	mkdirSync(FOLDER, { recursive: true });
	writeFileSync(join(FOLDER, 'report.txt'), `${text}\n`);
	writeFileSync(join(FOLDER, 'mutants.json'), JSON.stringify(tested.map(plain), null, '\t'));
	console.log(`\n${text}`);
	return 0;
}

function readEquivalents(): Equivalent[] {
	return JSON.parse(readFileSync(join(ROOT, 'scripts/mutants/equivalent.json'), 'utf8'));
}

function isSame({ file, line, replacement }: Equivalent, mutant: Mutant): boolean {
	return (
		file === relative(ROOT, mutant.fileName) &&
		replacement === mutant.replacement &&
		line === lineOf(mutant)
	);
}

/** `shared/http`, `SurveyB/trigger`: the first two folders below `nodes`. */
function roomOf(fileName: string): string {
	const [, ...folders] = relative(ROOT, fileName).split('/').slice(0, -1);
	return folders.slice(0, 2).join('/');
}

function scoreOf(mutants: Mutant[]): string {
	const caught = mutants.filter(({ status }) => CAUGHT.has(status)).length;
	const share = mutants.length === 0 ? 100 : (100 * caught) / mutants.length;
	return `${share.toFixed(0).padStart(3)} % (${caught} of ${mutants.length})`;
}

function described(mutant: Mutant): string {
	const { fileName, location, mutatorName, replacement = '' } = mutant;
	const place = `${relative(ROOT, fileName)}:${location.start.line}`;
	return `${place} ${mutatorName}: ${lineOf(mutant)} -> ${replacement.replace(/\s+/g, ' ')}`;
}

function lineOf({ fileName, location }: Mutant): string {
	return readFileSync(fileName, 'utf8').split('\n')[location.start.line - 1]?.trim() ?? '';
}

function plain(mutant: Mutant) {
	const { fileName, location, mutatorName, replacement, status, killedBy } = mutant;
	return {
		file: relative(ROOT, fileName),
		location,
		mutatorName,
		replacement,
		status,
		line: lineOf(mutant),
		killedBy,
	};
}

await runMain(main);
