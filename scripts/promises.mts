// Writes docs/promises.md from docs/promises.yaml. Run: `npx tsx scripts/promises.mts`.
import { readFileSync, writeFileSync } from 'node:fs';

import { parse } from 'yaml';
import { z } from 'zod';

const PAGE = 'docs/promises.md';

const placeSchema = z.union([z.string(), z.object({ file: z.string(), words: z.string() })]);
const promiseSchema = z.object({
	statement: z.string(),
	condition: z.string().optional(),
	places: z.array(placeSchema).nonempty(),
	tests: z.array(z.object({ file: z.string(), title: z.string() })).nonempty(),
});
const fileSchema = z.array(z.object({ group: z.string(), promises: z.array(promiseSchema) }));

export type Promised = z.infer<typeof promiseSchema>;

/** Reads the promises, by group. */
export function readPromises() {
	return fileSchema.parse(parse(readFileSync('docs/promises.yaml', 'utf8')));
}

/** Returns the files and words of a promise in the docs; the words are the statement by default. */
export function placesOf({ statement, places }: Promised) {
	return places.map((place) =>
		typeof place === 'string' ? { file: place, words: statement } : place,
	);
}

/** Returns the text of docs/promises.md. */
export function promisesPage(): string {
	const groups = readPromises();
	const sections = groups.map(({ group, promises }) => `## ${group}\n\n${table(promises)}`);
	return [
		'# Promises',
		'For maintainers and reviewers: the promises of the package, their conditions, where users read them, and the tests that fail when a promise is not true. This page is evidence: `npx tsx scripts/promises.mts` makes it from `docs/promises.yaml`, and `test/unit/promises.test.ts` checks every place and test.',
		...sections,
	]
		.join('\n\n')
		.concat('\n');
}

function table(promises: Promised[]): string {
	const rows = promises.map((promise) => [
		promise.statement,
		promise.condition ?? '',
		[...new Set(placesOf(promise).map(({ file }) => link(file)))].join(', '),
		promise.tests.map(({ file, title }) => `\`${file}\`: ${escape(title)}`).join('<br>'),
	]);
	return [
		['Promise', 'Condition', 'Written in', 'Tested by'],
		['---', '---', '---', '---'],
		...rows,
	]
		.map((cells) => `| ${cells.join(' | ')} |`)
		.join('\n');
}

function link(file: string): string {
	return `[${file}](${file.startsWith('docs/') ? file.slice('docs/'.length) : `../${file}`})`;
}

function escape(title: string): string {
	return title.replace(/[|_*`]/g, '\\$&');
}

if (process.argv[1]?.endsWith('promises.mts')) {
	writeFileSync(PAGE, promisesPage());
}
