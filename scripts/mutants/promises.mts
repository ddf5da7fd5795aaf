// `npm run mutants -- --promises`: puts the fault of each promise into a copy of the code, one at a time, and expects that
// a test of this promise fails.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import ts from 'typescript';
import { z } from 'zod';

import { inLanes } from '../../host/inLanes.mts';
import { ROOT, run, say, scratchFolder } from '../processes.mts';
import { copyOfCode, languageServiceOf } from './code.mts';
import { drawnFrom } from './sample.mts';

const faultSchema = z.object({
	/** The ID of a promise: in a comment above the code, and in brackets in the titles of tests. */
	promise: z.string(),
	/** The code that replaces the marked code. */
	by: z.string(),
});

type Fault = z.infer<typeof faultSchema>;

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
	const unknown = unknownNames(faults);
	if (unknown.length > 0) throw new Error(`Some faults are no code:\n${unknown.join('\n')}`);
	const copies = Array.from({ length: COPIES }, copyOfCode);
	const results = await inLanes(faults, COPIES, async (fault) => {
		const copy = copies.pop() ?? '';
		const result = await tryFault(copy, fault);
		copies.push(copy);
		say(`${result}: ${fault.promise}`);
		return result;
	});
	const caught = results.filter((result) => result === 'caught').length;
	console.log(`${caught} of ${faults.length} faults were caught`);
	return caught === faults.length ? 0 : 1;
}

const fileOf = (name: string) => join(import.meta.dirname, name);

/** Returns errors about names in the faults that the code lacks: a test that fails because of them shows nothing. */
function unknownNames(faults: Fault[]): string[] {
	const copy = copyOfCode();
	for (const { promise, by } of faults) {
		const marked = markedCode(copy, promise);
		if (marked) writeFileSync(marked.path, marked.withFault(by));
	}
	const found = languageServiceOf(copy).getProgram()?.getSemanticDiagnostics() ?? [];
	const errors = found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'));
	return errors.filter((error) => /^Cannot find name|^Property .* does not exist/.test(error));
}

type Result = 'caught' | 'MISSED' | 'NO SUCH TEST' | 'NO SUCH CODE' | 'BROKEN' | 'NOT ENDED';

const reportSchema = z.object({ numFailedTests: z.number(), numPassedTests: z.number() });

async function tryFault(copy: string, { promise, by }: Fault): Promise<Result> {
	const tag = `[${promise}]`;
	const marked = markedCode(copy, promise);
	const files = filesWith(copy, tag);
	if (!marked) return 'NO SUCH CODE';
	if (files.length === 0) return 'NO SUCH TEST';
	const { path, code } = marked;
	writeFileSync(path, marked.withFault(by));
	const output = join(scratchFolder(), 'report.json');
	const args = ['-w', '1', '--json', `--outputFile=${output}`, '-t', `\\[${promise}\\]`, ...files];
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

/** Returns the statement or property below the comment that marks a promise, and its file. */
function markedCode(copy: string, promise: string) {
	const comment = `// promise: ${promise}\n`;
	for (const path of filesBelow(join(copy, 'nodes'), /\.ts$/)) {
		const code = readFileSync(path, 'utf8');
		const at = code.indexOf(comment);
		if (at < 0) continue;
		const [space = ''] = code.slice(at + comment.length).match(/^(?:\s*\/\/.*)*\s*/) ?? [];
		const start = at + comment.length + space.length;
		const file = ts.createSourceFile(path, code, ts.ScriptTarget.Latest, true);
		const end = nodeAt(file, start)?.end ?? start;
		return { path, code, withFault: (by: string) => code.slice(0, start) + by + code.slice(end) };
	}
	return undefined;
}

/** Returns the outermost node that begins at a position. */
function nodeAt(node: ts.Node, start: number): ts.Node | undefined {
	if (node.getStart() === start && !ts.isSourceFile(node)) return node;
	return ts.forEachChild(node, (child) => {
		return child.pos <= start && start < child.end ? nodeAt(child, start) : undefined;
	});
}

/** Returns the test files that have a tag in a title and need no n8n. */
function filesWith(copy: string, tag: string): string[] {
	return ['unit', 'contract', 'simulate']
		.flatMap((folder) => filesBelow(join(copy, 'test', folder), /\.test\.m?ts$/))
		.filter((path) => readFileSync(path, 'utf8').includes(tag))
		.map((path) => relative(copy, path));
}

function filesBelow(folder: string, ending: RegExp): string[] {
	const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
	return names.filter((name) => ending.test(name)).map((name) => join(folder, name));
}
