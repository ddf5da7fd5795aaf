import { installedPackages, packedFiles } from '../support/tarball.mts';

// The package as it would be published.

const files = packedFiles();

test('the package contains the files that n8n loads, the README and the license, and no source map or type declaration', () => {
	const others = files
		.map(({ path }) => path)
		.filter((path) => !/^dist\/(nodes|credentials|icons)\/.+\.(js|json|svg)$/.test(path));
	expect(others.sort()).toEqual(['LICENSE.md', 'README.md', 'package.json']);
	expect(files.filter(({ path }) => path.endsWith('.credentials.js'))).toHaveLength(2);
});

test('all nodes are in one file, so that they share the state of an account', () => {
	const code = files.map(({ path }) => path).filter((path) => /^dist\/nodes\/.+\.js$/.test(path));
	expect(code.sort()).toEqual([
		'dist/nodes/SurveyA/SurveyA.node.js',
		'dist/nodes/SurveyA/SurveyATrigger.node.js',
		'dist/nodes/SurveyB/SurveyB.node.js',
		'dist/nodes/SurveyB/SurveyBTrigger.node.js',
		'dist/nodes/surveys.js',
	]);
});

test('the package is smaller than 500 kB unpacked', () => {
	const total = files.reduce((sum, { size }) => sum + size, 0);
	expect(total).toBeGreaterThan(100_000);
	expect(total).toBeLessThan(500_000);
});

test('npm installs nothing besides the package', () => {
	expect(installedPackages()).toEqual(['n8n-nodes-surveys']);
});
