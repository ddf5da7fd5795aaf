// `npm run mutants`: puts small faults into the code, one at a time, and tells which of them no test notices.
//
//     npm run mutants -- --sample 400 --seed 7      a seeded part of them
//     npm run mutants -- --room nodes/SurveyB       those of one room, or of several: nodes/SurveyA/*.ts,nodes/SurveyB
//     npm run mutants -- --concurrency 4            two at a time where nothing is said
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { ROOT, run, runMain, say } from '../processes.mts';

/** What Stryker's JSON report says of a fault. */
interface Reported {
	mutatorName: string;
	replacement: string;
	status: string;
	/** True for what runs while a file is loaded. */
	static?: boolean;
	location: { start: { line: number } };
}

/** A fault, at home. */
interface Mutant extends Reported {
	file: string;
	/** The line that it is in, trimmed. */
	line: string;
}

/** A fault that changes nothing anybody could see. */
interface Equivalent extends Pick<Mutant, 'file' | 'line' | 'replacement'> {
	reason: string;
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
			room: { type: 'string', default: 'nodes' },
			concurrency: { type: 'string', default: '2' },
		},
	});
	const { sample, seed, room, concurrency } = values;
	say(sample ? `A sample of ${sample} mutants, seed ${seed}` : 'All mutants');
	const mutate = [
		...room.split(',').map((one) => (one.endsWith('.ts') ? one : `${one}/**/*.ts`)),
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
			// A tenth of the random cases notices nearly as much as all of them.
			SURVEYS_RUNS: '0.1',
		},
	});
	if (!existsSync(REPORT)) return 1;
	tell(tested(), sample ? Number(sample) : Infinity);
	return 0;
}

/**
 * The faults that met the tests. What runs while a file is loaded is not among them, also where a few tests load files
 * anew, as another process would: of all tests, Stryker asks only those few.
 */
function tested(): Mutant[] {
	const { files }: { files: Record<string, { source: string; mutants: Reported[] }> } = JSON.parse(
		readFileSync(REPORT, 'utf8'),
	);
	return Object.entries(files).flatMap(([file, { source, mutants }]) => {
		const lines = source.split('\n');
		return mutants
			.filter((one) => !one.static && (CAUGHT.has(one.status) || MISSED.has(one.status)))
			.map((one) => ({ ...one, file, line: lines[one.location.start.line - 1]?.trim() ?? '' }));
	});
}

/** Prints the score and the survivors by room, and keeps them in coverage/mutants/report.txt. */
function tell(all: Mutant[], asked: number): void {
	if (all.length > asked) throw new Error(`${all.length} mutants were tried, and not ${asked}`);
	const equivalents: Equivalent[] = JSON.parse(
		readFileSync(join(ROOT, 'scripts/mutants/equivalent.json'), 'utf8'),
	);
	const counted = all.filter((one) => !equivalents.some((known) => isSame(known, one)));
	const rooms = [...new Set(counted.map(({ file }) => roomOf(file)))].sort();
	const lines = rooms.flatMap((room) => {
		const mutants = counted.filter(({ file }) => roomOf(file) === room);
		const missed = mutants.filter(({ status }) => MISSED.has(status));
		return [`${scoreOf(mutants)} ${room}`, ...missed.map((one) => `      ${described(one)}`)];
	});
	const left = all.length - counted.length;
	lines.push('', `${scoreOf(counted)} in all; ${left} equivalent ones left out`);
	mkdirSync(FOLDER, { recursive: true });
	writeFileSync(join(FOLDER, 'report.txt'), `${lines.join('\n')}\n`);
	console.log(`\n${lines.join('\n')}`);
}

function isSame(known: Equivalent, { file, line, replacement }: Mutant): boolean {
	return known.file === file && known.line === line && known.replacement === replacement;
}

/** `shared/http`, `SurveyB/trigger`: the first two folders below `nodes`. */
function roomOf(file: string): string {
	return file.split('/').slice(1, -1).slice(0, 2).join('/');
}

function scoreOf(mutants: Mutant[]): string {
	const caught = mutants.filter(({ status }) => CAUGHT.has(status)).length;
	const share = mutants.length === 0 ? 100 : (100 * caught) / mutants.length;
	return `${share.toFixed(0).padStart(3)} % (${caught} of ${mutants.length})`;
}

function described({ file, location, mutatorName, line, replacement }: Mutant): string {
	const short = replacement.replace(/\s+/g, ' ').slice(0, 100);
	return `${file}:${location.start.line} ${mutatorName}: ${line} -> ${short}`;
}

await runMain(main);
