import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

// `npm run release` in a repository with a remote, both in a temporary folder.

const REPOSITORY = 'https://github.com/acme/n8n-nodes-surveys';
const FILES = {
	'package.json': JSON.stringify({
		version: '1.0.0',
		author: { email: 'nodes@acme.test' },
		repository: { url: `git+${REPOSITORY}.git` },
	}),
	'package-lock.json': JSON.stringify({ version: '1.0.0' }),
	'CHANGELOG.md': '# Changelog\n\n## 1.0.0\n\nThe first version.\n',
	'README.md': 'Issues: https://github.com/example/n8n-nodes-surveys/issues',
};

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'surveys-release-'))));
afterEach(() => rmSync(folder, { recursive: true }));

function git(...args: string[]): string {
	return execFileSync('git', args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
}

function release() {
	const loader = resolve('node_modules/tsx/dist/loader.mjs');
	const command = ['--import', loader, resolve('scripts/release.mts')];
	return spawnSync(process.execPath, command, { cwd: folder, encoding: 'utf8' });
}

test('a release names what is not ready, and pushes the tag of the version when nothing is left', () => {
	git('init', '--quiet', '--initial-branch=main');
	git('init', '--quiet', '--bare', '.git/remote');
	git('remote', 'add', 'origin', '.git/remote');
	git('config', 'user.name', 'Test');
	git('config', 'user.email', 'test@acme.test');
	for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text);
	git('add', '--all');
	git('commit', '--quiet', '--message', 'Change');
	git('push', '--quiet', 'origin', 'main');

	const wrong = 'https://github.com/example/n8n-nodes-surveys is not the repository';
	expect(release()).toMatchObject({ status: 1, stderr: expect.stringContaining(wrong) });
	expect(git('ls-remote', '--tags', 'origin')).toBe('');

	writeFileSync(join(folder, 'README.md'), `Issues: ${REPOSITORY}/issues`);
	git('commit', '--quiet', '--all', '--message', 'Own address');
	expect(release()).toMatchObject({ status: 0, stderr: '' });
	expect(git('ls-remote', '--tags', 'origin')).toContain('refs/tags/1.0.0');
});
