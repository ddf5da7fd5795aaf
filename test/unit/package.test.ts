import { fileText } from '../support/files.mts';

// What n8n's reviewers ask of a verified package, beside what the linter sees.

const packageJson = JSON.parse(fileText('package.json'));
const lock = fileText('package-lock.json') + fileText('host/package-lock.json');

test('the published package depends on nothing but n8n', () => {
	expect(packageJson.dependencies).toBeUndefined();
	expect(packageJson.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	expect(packageJson.overrides).toBeUndefined();
});

test('it is MIT, strict, and publishes nothing but what n8n loads', () => {
	expect(packageJson).toMatchObject({ license: 'MIT', n8n: { strict: true } });
	expect(packageJson.files).toEqual(['dist/credentials', 'dist/icons', 'dist/nodes']);
	expect(packageJson.keywords).toContain('n8n-community-node-package');
});

test.each<string>(packageJson.n8n.nodes)('%s has its search words, and is no copy', (path) => {
	const codex = JSON.parse(fileText(path.replace('dist/', '').replace('.js', '.json')));
	const name = path.split('/').pop()?.replace('.node.js', '') ?? '';
	expect(codex.node.toLowerCase()).toBe(`n8n-nodes-surveys.${name.toLowerCase()}`);
	expect(codex.alias.length).toBeGreaterThan(3);
});

test('the lock files name no registry', () => {
	expect(lock).not.toContain('"resolved"');
});
