// `npm run release` releases the version in package.json: it checks that everything is ready, tags the commit and pushes
// the tag. The tag starts the publish workflow. `npm run release -- --dry-run` only checks.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { z } from 'zod';

const BRANCH = 'main';
const manifestSchema = z.object({
	version: z.string().regex(/^\d+\.\d+\.\d+$/, 'must have the form 1.2.3'),
	author: z.object({ email: z.string() }),
	repository: z.object({ url: z.string() }),
});
type Manifest = z.infer<typeof manifestSchema>;

function main(): void {
	const { values } = parseArgs({ options: { 'dry-run': { type: 'boolean', default: false } } });
	const manifest = manifestSchema.parse(JSON.parse(readFileSync('package.json', 'utf8')));
	const { version } = manifest;
	git('fetch', '--quiet', '--tags', 'origin', BRANCH);
	const found = [...fileProblems(manifest), ...gitProblems(version)];
	if (found.length > 0) throw new Error([`${version} is not ready:`, ...found].join('\n- '));
	if (values['dry-run']) console.log(`Dry run: ${version} is ready. Nothing was tagged or pushed.`);
	else publishTag(version);
}

function fileProblems({ version, author, repository }: Manifest): string[] {
	const lock = z
		.object({ version: z.string() })
		.parse(JSON.parse(readFileSync('package-lock.json', 'utf8')));
	const heading = /^## (.*)$/m.exec(readFileSync('CHANGELOG.md', 'utf8'))?.[1];
	const own = repository.url.replace(/^git\+|\.git$/g, '');
	const otherUrls = new Set(
		git('grep', '-hoE', 'https://github\\.com/[A-Za-z0-9_.-]+/n8n-nodes-surveys\\b')
			.split('\n')
			.filter((url) => url !== own),
	);
	return [
		...(lock.version === version ? [] : [`package-lock.json has version ${lock.version}`]),
		...(heading === version ? [] : [`CHANGELOG.md begins with "## ${heading}"`]),
		...(author.email.endsWith('.example') ? ['the author in package.json is a placeholder'] : []),
		...[...otherUrls].map((url) => `${url} is not the repository in package.json`),
	];
}

function gitProblems(version: string): string[] {
	const branch = git('branch', '--show-current');
	const behind = git('rev-list', '--count', `HEAD..origin/${BRANCH}`);
	return [
		...(branch === BRANCH ? [] : [`the branch is "${branch}", not "${BRANCH}"`]),
		...(git('status', '--porcelain') === '' ? [] : ['there are changes that are not committed']),
		...(behind === '0' ? [] : [`origin/${BRANCH} has ${behind} more commits: pull first`]),
		...(git('tag', '--list', version) === '' ? [] : [`the tag ${version} exists already`]),
	];
}

/** Pushes the branch and the tag together, or neither. */
function publishTag(version: string): void {
	git('tag', '--annotate', version, '--message', version);
	try {
		git('push', '--quiet', '--atomic', 'origin', BRANCH, version);
	} catch (error) {
		git('tag', '--delete', version);
		throw error;
	}
	console.log(`Pushed the tag ${version}. The publish workflow tests and publishes it.`);
}

function git(...args: string[]): string {
	return execFileSync('git', args, {
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'inherit'],
	}).trim();
}

try {
	main();
} catch (error) {
	console.error(error instanceof Error ? error.message : error);
	process.exitCode = 1;
}
