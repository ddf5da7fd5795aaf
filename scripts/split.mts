// `npm run split`: writes this package as two, one for each service, into .surveys/split or the named folder, since n8n
// verifies packages of one service only. `--check` builds, lints, scans and tests each, and runs it in an n8n of its own.
//
// A package gets the nodes of its service and what they import, the sandbox, and every test of the service. A test that
// uses the other service stays here. In the files of LINE_BY_LINE, each line that names the other service goes.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';

import { execa } from 'execa';
import { z } from 'zod';

import { ROOT, runMain, say } from './processes.mts';
import { check } from './split/check.mts';
import { manifestOf, type Part } from './split/manifest.mts';
import { MOVE } from './split/move.mts';
import { readmeOf } from './split/readme.mts';

const PARTS: Part[] = [
	{ name: 'n8n-nodes-survey-a', service: 'A', other: 'B' },
	{ name: 'n8n-nodes-survey-b', service: 'B', other: 'A' },
];

const LINE_BY_LINE = [
	'test/support/engine.ts',
	'scripts/previews.mts',
	'scripts/lintDescriptions.mts',
];
const SCRIPTS = [
	...['scripts/bundle.mts', 'scripts/lintDescriptions.mts', 'scripts/scan.mts'],
	'test/support/contracts/watch.ts',
];
const TESTS =
	/^test\/(contract|simulate|unit\/(parameters|services|shared|trigger))\/.*\.test\.m?ts$/;

/** Files that no module imports. */
const OTHERS = [
	...[
		'.gitignore',
		'.npmrc',
		'.prettierrc.js',
		'LICENSE.md',
		'eslint.config.mjs',
		'jest.config.js',
	],
	...['tsconfig.json', 'tsconfig.dev.json', 'scripts/scanner.d.ts', 'test/support/quiet.js'],
	...['nodes/shared/README.md', '.github/workflows/publish.yml'],
];

const graphSchema = z.object({
	modules: z.array(
		z.object({ source: z.string(), dependencies: z.array(z.object({ resolved: z.string() })) }),
	),
});

/** The files that each file imports. */
type Graph = Map<string, string[]>;

async function main(): Promise<number> {
	const { values, positionals } = parseArgs({
		allowPositionals: true,
		options: { check: { type: 'boolean', default: false } },
	});
	const target = resolve(positionals[0] ?? join(ROOT, '.surveys/split'));
	const graph = await importGraph();
	for (const part of PARTS) {
		const folder = join(target, part.name);
		rmSync(folder, { recursive: true, force: true });
		const files = write(part, graph, folder);
		// Removes from the copied lock file what the package does not need.
		const args = ['install', '--package-lock-only', '--offline', '--ignore-scripts'];
		await execa('npm', args, { cwd: folder });
		say(`${part.name}: ${files} files in ${folder}`);
		if (values.check) await check(part, folder);
	}
	console.log(`\n${MOVE}`);
	return 0;
}

async function importGraph(): Promise<Graph> {
	const folders = ['credentials', 'nodes', 'sandbox', 'host', 'scripts', 'test'];
	const { stdout } = await execa('depcruise', [...folders, '--output-type', 'json'], {
		...{ cwd: ROOT, preferLocal: true, maxBuffer: 100_000_000 },
	});
	const { modules } = graphSchema.parse(JSON.parse(stdout));
	return new Map(
		modules.map(({ source, dependencies }) => [source, dependencies.map((one) => one.resolved)]),
	);
}

/** Writes a package, and returns the number of its files. */
function write(part: Part, graph: Graph, folder: string): number {
	const kept = modulesOf(part, graph);
	const codex = filesIn(`nodes/Survey${part.service}`).filter((file) => file.endsWith('.json'));
	const icons = filesIn('icons').filter((file) => !namesOther(part, file));
	const examples = filesIn('examples').filter(
		(file) => file.endsWith('.json') && !namesOther(part, textOf(file)),
	);
	const files = [...kept, ...codex, ...icons, ...examples, ...pagesReadBy(kept), ...OTHERS];
	const renamed = (text: string) => text.replaceAll('n8n-nodes-surveys', part.name);
	for (const file of files) put(part, folder, file, renamed(textOf(file)));
	const packages = [...kept].flatMap((file) => graph.get(file) ?? []);
	put(part, folder, 'package.json', renamed(manifestOf(part, packages)));
	put(part, folder, 'package-lock.json', renamed(textOf('package-lock.json')));
	put(part, folder, 'README.md', `${renamed(readmeOf(part))}\n${MOVE}\n`);
	put(part, folder, 'CHANGELOG.md', '# Changelog\n\n## 1.0.0\n\nFirst release.\n');
	put(part, folder, '.github/workflows/ci.yml', renamed(textOf('scripts/split/ci.yml')));
	return files.length + 5;
}

/** Returns the pages of docs whose tables tests read. */
function pagesReadBy(modules: Set<string>): string[] {
	const read = /fileText\('(docs\/[^']+)'\)/g;
	return [...modules].flatMap((file) =>
		[...textOf(file).matchAll(read)].map(([, page = '']) => page),
	);
}

/** Returns the nodes, tests and scripts of a service with all modules that they import. */
function modulesOf(part: Part, graph: Graph): Set<string> {
	const dropped = new Set([...graph.keys()].filter((file) => belongsToOther(part, file)));
	for (let size = -1; size < dropped.size; ) {
		size = dropped.size;
		for (const [file, imports] of graph) {
			if (LINE_BY_LINE.includes(file)) continue;
			if (imports.some((one) => dropped.has(one))) dropped.add(file);
		}
	}
	const start = new RegExp(`^(nodes/Survey|credentials/Survey)${part.service}`);
	const isStart = (file: string) => start.test(file) || TESTS.test(file) || SCRIPTS.includes(file);
	const kept = new Set([...graph.keys()].filter((file) => isStart(file) && !dropped.has(file)));
	// A set goes on with what is added to it on the way.
	for (const file of kept) {
		const imports = graph.get(file) ?? [];
		for (const one of imports)
			if (graph.has(one) && isOurs(one) && !dropped.has(one)) kept.add(one);
	}
	return kept;
}

const isOurs = (file: string) => /^(credentials|nodes|sandbox|host|scripts|test)\//.test(file);

/** Returns true for the code of the other service, and for tests that use it or start a file that no module imports. */
function belongsToOther(part: Part, file: string): boolean {
	if (file === 'test/support/child.mts') return true;
	if (new RegExp(`^(nodes|credentials)/Survey${part.other}`).test(file)) return true;
	return /^test\/(?!support\/)/.test(file) && namesOther(part, `${file} ${textOf(file)}`);
}

/** Returns true if a text names the other service, as in `Survey B`, `surveyBApi`, `sandbox.b` or `{ b } = sandbox`. */
function namesOther({ other }: Part, text: string): boolean {
	const small = other.toLowerCase();
	const names = [
		`[sS]urvey ?${other}(?![a-z])`,
		`sandbox[/.]${small}\\b`,
		`\\{[^}]*\\b${small}\\b[^}]*\\} = sandbox\\b`,
	];
	return new RegExp(names.join('|')).test(text);
}

function filesIn(folder: string): string[] {
	return readdirSync(join(ROOT, folder)).map((name) => `${folder}/${name}`);
}

function textOf(file: string): string {
	return readFileSync(join(ROOT, file), 'utf8');
}

/** Writes a file of a package. */
function put(part: Part, folder: string, file: string, text: string): void {
	const lines = text
		.split('\n')
		.filter((line) => !LINE_BY_LINE.includes(file) || !namesOther(part, line));
	mkdirSync(dirname(join(folder, file)), { recursive: true });
	writeFileSync(join(folder, file), lines.join('\n'));
}

await runMain(main);
