import { installedPackages, packedFiles } from '../support/tarball.mts';

// What goes to npm, as it is packed.

const files = packedFiles();

test('it has what n8n loads, and what a reader needs', () => {
	const others = files
		.map(({ path }) => path)
		.filter((path) => !/^dist\/(nodes|credentials|icons)\/.+\.(js|json|svg)$/.test(path));
	expect(others.sort()).toEqual(['LICENSE.md', 'README.md', 'package.json']);
	expect(files.filter(({ path }) => path.endsWith('.credentials.js'))).toHaveLength(2);
});

test('its nodes share one file, and so what they remember of an account', () => {
	const code = files.map(({ path }) => path).filter((path) => /^dist\/nodes\/.+\.js$/.test(path));
	expect(code.sort()).toEqual([
		'dist/nodes/SurveyA/SurveyA.node.js',
		'dist/nodes/SurveyA/SurveyATrigger.node.js',
		'dist/nodes/SurveyB/SurveyB.node.js',
		'dist/nodes/SurveyB/SurveyBTrigger.node.js',
		'dist/nodes/surveys.js',
	]);
});

test('it has no source maps and no type declarations', () => {
	expect(files.filter(({ path }) => /\.(map|d\.ts)$/.test(path))).toEqual([]);
});

test('it takes less than 450 kB unpacked', () => {
	const total = files.reduce((sum, { size }) => sum + size, 0);
	expect(total).toBeGreaterThan(100_000);
	expect(total).toBeLessThan(450_000);
});

test('npm installs nothing beside the package', () => {
	expect(installedPackages()).toEqual(['n8n-nodes-surveys']);
});
