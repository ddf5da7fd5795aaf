import { z } from 'zod';

import { SurveyA } from '../../nodes/SurveyA/SurveyA.node';
import { SurveyATrigger } from '../../nodes/SurveyA/SurveyATrigger.node';
import { SurveyB } from '../../nodes/SurveyB/SurveyB.node';
import { SurveyBTrigger } from '../../nodes/SurveyB/SurveyBTrigger.node';
import { fileText } from '../support/files.mts';

// Requirements of n8n's reviewers that the linter and the scanner do not check.

const packageJson = JSON.parse(fileText('package.json'));
const lock = fileText('package-lock.json') + fileText('host/pnpm-lock.yaml');

test('the published package depends on nothing, and npm does not install n8n-workflow with it', () => {
	expect(packageJson.dependencies).toBeUndefined();
	expect(packageJson.peerDependencies).toEqual({ 'n8n-workflow': '*' });
	expect(packageJson.peerDependenciesMeta).toEqual({ 'n8n-workflow': { optional: true } });
	expect(packageJson.overrides).toBeUndefined();
});

test('the package has the MIT license, is strict, and publishes only what n8n loads', () => {
	expect(packageJson).toMatchObject({ license: 'MIT', n8n: { strict: true } });
	expect(packageJson.files).toEqual(['dist/credentials', 'dist/icons', 'dist/nodes']);
	expect(packageJson.keywords).toContain('n8n-community-node-package');
});

const codexSchema = z.object({
	node: z.string(),
	nodeVersion: z.string(),
	alias: z.array(z.string()),
});
const NODES = [
	['SurveyA', new SurveyA()],
	['SurveyA', new SurveyATrigger()],
	['SurveyB', new SurveyB()],
	['SurveyB', new SurveyBTrigger()],
] as const;

test.each(NODES)(
	'the codex file of %s has the name, version and search words of its node',
	(folder, node) => {
		const file = `nodes/${folder}/${node.constructor.name}.node.json`;
		const codex = codexSchema.parse(JSON.parse(fileText(file)));
		const { name, version } = node.description;
		const latest = Math.max(...[version].flat());
		expect(codex.node).toBe(`n8n-nodes-surveys.${name}`);
		expect(codex.nodeVersion).toBe(latest.toFixed(1));
		expect(codex.alias.length).toBeGreaterThan(3);
	},
);

test('the lock files contain no address of a registry', () => {
	expect(lock).not.toMatch(/"resolved"|tarball:/);
});
