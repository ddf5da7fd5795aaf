import { resources as resourcesA } from '../../nodes/SurveyA/resources';
import { resources as resourcesB } from '../../nodes/SurveyB/resources';
import { titleOf } from '../../nodes/shared/base/text';
import { operationName } from '../../nodes/shared/node';
import type { Operation, Resources } from '../../nodes/shared/operations/operation';
import { startSandbox, type Sandbox } from '../../sandbox';
import { expectFile, fileText } from '../support/files.mts';
import { runSample, samplesOf, serviceOf, type Sample } from '../support/samples';

// The docs name every operation.

const NODES = [
	{ node: 'surveyA', title: 'Survey A', resources: resourcesA },
	{ node: 'surveyB', title: 'Survey B', resources: resourcesB },
] as const;

type Tested = (typeof NODES)[number];

const operationsOf = ({ resources }: { resources: Resources }) =>
	Object.entries(resources).flatMap(([resource, operations]) =>
		Object.entries(operations).map(([value, operation]) => ({
			name: `${resource}.${value}`,
			shown: `${titleOf(resource)}: ${operationName(value, operation)}`,
			operation,
		})),
	);

const PAGE = `# Operations and endpoints

For people who know the services' APIs: which request each operation sends. This page is evidence, written by \`npm run update\`.

**Assumed** means that the API documentation describes the operation and not its request. For another path, n8n's HTTP Request node takes the credential. The documentation does not describe removing a webhook at all. Score → Get sends no body, since n8n's HTTP helper sends none with GET. The earlier revision of Survey B's API, without \`v2\` in its paths, is not offered.

Survey A takes 1,000 rows in a request to create, update, unsubscribe or delete customers, and 100 to send surveys. Survey B takes all rows in one request to unsubscribe, and otherwise one. Survey A's Feedback → Get Many with the filter Campaign sends \`GET /api/v2/feedback/{campaignId}\`.
`;

/** Runs an operation once; returns its request as \`GET /api/v2/feedback/{id}/\`. */
async function endpointOf(
	sandbox: Sandbox,
	sample: Sample,
	{ writes = false }: Operation,
): Promise<string> {
	const service = serviceOf(sandbox, sample.node);
	service.requests.length = 0;
	await runSample(sandbox, sample);
	// A write may read what it needs first, such as the columns of the account.
	const sent = service.requests.find(({ method }) => !writes || method !== 'GET');
	const route = service.routes.find(
		({ method, pattern }) => method === sent?.method && pattern.test(sent.path),
	);
	return route ? `${route.method} ${route.path}` : 'no request';
}

const isAssumed = ({ fields }: Operation) =>
	fields.some(({ type, displayName }) => type === 'notice' && displayName.includes('assumed'));

async function sectionOf(tested: Tested, sandbox: Sandbox): Promise<string> {
	const samples = samplesOf(sandbox).filter(({ node }) => node === tested.node);
	const rows = [];
	for (const { name, shown, operation } of operationsOf(tested)) {
		const sample = samples.find((one) => one.name === name);
		const endpoint = sample && (await endpointOf(sandbox, sample, operation));
		const request = `\`${endpoint}\`${isAssumed(operation) ? ' (assumed)' : ''}`;
		rows.push(`| ${shown} | ${request} |`);
	}
	const head = ['| Operation | Endpoint |', '| --- | --- |'];
	return `## ${tested.title}\n\n${[...head, ...rows].join('\n')}\n`;
}

test('docs/operations.md lists the request of every operation', async () => {
	const sandbox = await startSandbox();
	const sections = [];
	for (const tested of NODES) sections.push(await sectionOf(tested, sandbox));
	await sandbox.close();
	expectFile('docs/operations.md', [PAGE, ...sections].join('\n'));
});

/** Returns the operations in the README's table of a node: `Campaign: Get Many`. */
function namedInReadme(title: string): string[] {
	const [, table = ''] = fileText('README.md').split(new RegExp(`^\\|\\s*${title}\\s*\\|.*$`, 'm'));
	const [rows = ''] = table.trimStart().split('\n\n');
	return rows.split('\n').flatMap((row) => {
		const [resources = '', operations = ''] = row
			.split('|')
			.slice(1)
			.map((cell) => cell.trim());
		const [current = '', deprecated = ''] = operations.split(/;?\s*deprecated:/);
		const names = [
			...current.split(',').map((name) => name.replace('(assumed)', '').trim()),
			...deprecated.split(',').map((name) => name && `${name.trim()} (Deprecated)`),
		].filter(Boolean);
		return resources.split(',').flatMap((one) => names.map((name) => `${one.trim()}: ${name}`));
	});
}

test.each(NODES)('the README lists every operation of $title', (tested) => {
	const all = operationsOf(tested).map(({ shown }) => shown);
	const named = namedInReadme(tested.title).filter((name) => !name.startsWith('-'));
	expect(named.sort()).toEqual(all.sort());
});

test('the CHANGELOG states the number of operations, so that it names each new one', () => {
	const [, stated] = /\((\d+) operations\)/.exec(fileText('CHANGELOG.md')) ?? [];
	expect(Number(stated)).toBe(NODES.flatMap(operationsOf).length);
});
