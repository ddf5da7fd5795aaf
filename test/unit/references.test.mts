import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { fileText, filesBelow } from '../support/files.mts';

// The docs and the CI name files, commands and messages that exist.

const PAGES = ['.', 'docs', 'docs/evidence', 'examples'].flatMap((folder) =>
	filesIn(folder, '.md'),
);
const WORKFLOWS = filesIn('.github/workflows', '.yml');

/** Returns the files of a folder that end like this. `globSync` is not in Node 20. */
function filesIn(folder: string, ending: string): string[] {
	const names = readdirSync(folder).filter((name) => name.endsWith(ending));
	return names.map((name) => (folder === '.' ? name : `${folder}/${name}`));
}

const FILE =
	/`((?:\.github|bench|credentials|docs|examples|host|icons|nodes|sandbox|scripts|test)\/[\w./-]*|[\w.]+\.(?:md|mjs|cjs|yaml))`/g;
const LINK = /\]\((?!https?:|#)([^)#]+)/g;

const files = PAGES.flatMap((page) => {
	const text = fileText(page);
	const named = [...text.matchAll(FILE)].map(([, path = '']) => path);
	const links = [...text.matchAll(LINK)].map(([, path = '']) => join(dirname(page), path));
	return [...new Set([...named, ...links])].map((path) => [page, path] as const);
});

const commands = [...PAGES, ...WORKFLOWS].flatMap((page) =>
	[...fileText(page).matchAll(/npm run ([\w:]+)( -- [^`#\n]*)?/g)].map(
		([, name = '', args = '']) => [page, name, args.trim()] as const,
	),
);

const REPOSITORY = JSON.parse(fileText('package.json')).homepage;

/** The pages and headings of this repository that the editor links to. */
const editorLinks = [
	...filesBelow('nodes', /\.json$/),
	...filesBelow('credentials', /\.ts$/),
].flatMap((file) => {
	const links = fileText(file).matchAll(
		new RegExp(`${REPOSITORY}(?:/blob/main/([^#"']*))?#?([^"']*)`, 'g'),
	);
	return [...links].map(([, page = 'README.md', heading = '']) => [file, page, heading] as const);
});

/** The messages under Troubleshooting, in the parts between their placeholders. */
const messages = [...fileText('README.md').matchAll(/^- (`.*?`): /gm)].flatMap(([, line = '']) =>
	line
		.split(/[`…]/)
		.map((part) => part.trim())
		.filter((part) => part.length > 2),
);

test('the pages name files, commands and messages', () => {
	expect(files.length).toBeGreaterThan(60);
	expect(commands.length).toBeGreaterThan(30);
	expect(messages.length).toBeGreaterThan(3);
});

test.each(files)('%s names a file that exists: %s', (_page, path) => {
	expect(existsSync(path)).toBe(true);
});

test.each(editorLinks)('%s links to a heading that exists: %s#%s', (_file, page, heading) => {
	const headings = [...fileText(page).matchAll(/^##* (.*)$/gm)].map(([, title = '']) =>
		title
			.toLowerCase()
			.replace(/[^\w -]/g, '')
			.replace(/ /g, '-'),
	);
	expect(['', 'readme', ...headings]).toContain(heading);
	expect(headings).not.toEqual([]);
});

test.each(commands)('%s names a command that exists: npm run %s %s', (_page, name, args) => {
	const { scripts } = JSON.parse(fileText('package.json'));
	expect(Object.keys(scripts)).toContain(name);
	const [source = ''] =
		String(scripts[name])
			.match(/\S+\.mts/g)
			?.map(fileText) ?? [];
	const options = [...args.matchAll(/--([\w-]+)/g)].map(([, option = '']) => option);
	expect(options.filter((option) => !source.includes(option))).toEqual([]);
});

test.each(messages)('the nodes or the services say what README.md quotes: %s', (message) => {
	// The tests of the services' hints have the messages that the sandbox does not send.
	const folders = ['nodes', 'sandbox', 'test/unit/services'];
	const sources = folders.flatMap((folder) => filesBelow(folder, /\.ts$/)).map(fileText);
	expect(sources.some((text) => text.includes(message))).toBe(true);
});

const WORDS: Record<string, number> = { five: 5, ten: 10 };

/** The limits of the code that a page of docs states: a comment above each names the page and repeats its words. */
const limits = filesBelow('nodes', /\.ts$/).flatMap((file) =>
	[...fileText(file).matchAll(/^\/\/ (docs\/\w+\.md): (.+)\n(.+)$/gm)].map(
		([, page = '', words = '', code = '']) => [page, words, code] as const,
	),
);

test('the code marks the limits that the docs state', () => {
	expect(limits.length).toBeGreaterThan(5);
});

test.each(limits)('%s states a limit of the code: %s', (page, words, code) => {
	expect(fileText(page)).toContain(words);
	const [stated] = words
		.replaceAll(',', '')
		.split(' ')
		.flatMap((word) => WORDS[word] ?? (Number(word) || []));
	expect(code.replaceAll('_', '').match(/\d+/g)?.map(Number)).toContain(stated);
});
