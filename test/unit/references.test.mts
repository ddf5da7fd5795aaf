import { existsSync } from 'node:fs';

import { fileText } from '../support/files.mts';

// Docs that name files of this repository name files that exist.

const PAGES = ['SECURITY.md', 'docs/compatibility.md', 'docs/security.md', 'docs/verification.md'];
const FILE =
	/`((?:\.github|credentials|docs|examples|host|icons|nodes|scripts|test)\/[\w./-]*|[\w.]+\.(?:md|mjs|cjs|json|yaml))`/g;
const LINK = /\]\((?!https?:|#)([^)#]+)/g;

const named = PAGES.flatMap((page) => {
	const text = fileText(page);
	const folder = page.includes('/') ? `${page.split('/')[0]}/` : '';
	const files = [...text.matchAll(FILE)].map(([, path = '']) => path);
	const links = [...text.matchAll(LINK)].map(([, path = '']) => folder + path);
	return [...new Set([...files, ...links])].map((path) => [page, path] as const);
});

test('the docs name files', () => {
	expect(named.length).toBeGreaterThan(20);
});

test.each(named)('%s names a file that exists: %s', (_page, path) => {
	expect(existsSync(path.replace(/^docs\/\.\.\//, ''))).toBe(true);
});
