import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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
	'README.md': `Issues: ${REPOSITORY}/issues`,
};

let folder: string;
let clone: string;

beforeEach(() => {
	folder = mkdtempSync(join(tmpdir(), 'surveys-release-'));
	clone = join(folder, 'clone');
	execFileSync('git', ['init', '--quiet', '--bare', join(folder, 'remote')]);
	execFileSync('git', ['init', '--quiet', '--initial-branch=main', clone]);
	git('config', 'user.name', 'Test');
	git('config', 'user.email', 'test@acme.test');
	git('remote', 'add', 'origin', join(folder, 'remote'));
	commit(FILES);
	git('push', '--quiet', 'origin', 'main');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('a dry run checks everything and changes nothing', () => {
	expect(release('--dry-run')).toEqual({
		status: 0,
		output: 'Dry run: 1.0.0 is ready. Nothing was tagged or pushed.\n',
	});
	expect(git('tag')).toBe('');
	expect(git('ls-remote', '--tags', 'origin')).toBe('');
	expect(git('status', '--porcelain')).toBe('');
});

test('a release tags the version in package.json, pushes it, and leaves CHANGELOG.md alone', () => {
	expect(release().status).toBe(0);
	expect(git('ls-remote', '--tags', 'origin')).toContain('refs/tags/1.0.0');
	expect(git('status', '--porcelain')).toBe('');
	expect(readFileSync(join(clone, 'CHANGELOG.md'), 'utf8')).toBe(FILES['CHANGELOG.md']);
});

test('names everything that is not ready at once', () => {
	commit({
		'package.json': FILES['package.json'].replace('acme.test', 'surveys.example'),
		'package-lock.json': '{"version":"0.9.0"}',
		'CHANGELOG.md': '# Changelog\n\n## 0.9.0\n',
		'README.md': 'https://github.com/example/n8n-nodes-surveys/issues',
	});
	git('tag', '1.0.0');
	git('switch', '--quiet', '-c', 'draft');
	writeFileSync(join(clone, 'notes.md'), 'not committed');
	const { status, output } = release();
	expect(status).toBe(1);
	expect(output.trim().split('\n- ')).toEqual([
		'1.0.0 is not ready:',
		'package-lock.json has version 0.9.0',
		'CHANGELOG.md begins with "## 0.9.0"',
		'the author in package.json is a placeholder',
		'https://github.com/example/n8n-nodes-surveys is not the repository in package.json',
		'the branch is "draft", not "main"',
		'there are changes that are not committed',
		'the tag 1.0.0 exists already',
	]);
	expect(git('ls-remote', '--tags', 'origin')).toBe('');
});

test('refuses to release a branch that is behind its remote', () => {
	commit({ 'README.md': 'newer' });
	git('push', '--quiet', 'origin', 'main');
	git('reset', '--quiet', '--hard', 'HEAD~1');
	const { status, output } = release();
	expect(status).toBe(1);
	expect(output).toContain('- origin/main has 1 more commits: pull first');
});

function release(...args: string[]) {
	const script = resolve('scripts/release.mts');
	const command = ['--import', resolve('node_modules/tsx/dist/loader.mjs'), script, ...args];
	const { status, stdout, stderr } = spawnSync(process.execPath, command, {
		cwd: clone,
		encoding: 'utf8',
	});
	return { status, output: stdout + stderr };
}

function commit(files: Record<string, string>) {
	for (const [name, text] of Object.entries(files)) writeFileSync(join(clone, name), text);
	git('add', '--all');
	git('commit', '--quiet', '--message', 'Change');
}

function git(...args: string[]): string {
	return execFileSync('git', args, { cwd: clone, encoding: 'utf8', stdio: 'pipe' }).trim();
}
