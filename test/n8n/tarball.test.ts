import { packedFiles } from '../support/tarball.mts';

// What goes to npm, as it is packed.

const files = packedFiles();

test('it has what n8n loads, and what a reader needs', () => {
	const others = files
		.map(({ path }) => path)
		.filter((path) => !/^dist\/(nodes|credentials|icons)\/.+\.(js|json|svg)$/.test(path));
	expect(others.sort()).toEqual(['LICENSE.md', 'README.md', 'package.json']);
	expect(files.filter(({ path }) => path.endsWith('.node.js'))).toHaveLength(4);
	expect(files.filter(({ path }) => path.endsWith('.credentials.js'))).toHaveLength(2);
});

test('it has no source maps and no type declarations', () => {
	expect(files.filter(({ path }) => /\.(map|d\.ts)$/.test(path))).toEqual([]);
});

test('it takes less than 460 kB unpacked', () => {
	const total = files.reduce((sum, { size }) => sum + size, 0);
	expect(total).toBeGreaterThan(100_000);
	expect(total).toBeLessThan(460_000);
});
