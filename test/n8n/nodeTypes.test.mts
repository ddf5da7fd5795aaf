import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { NodeHelpers } from 'n8n-workflow';
import type { INodeParameters, INodeProperties, INodeTypeDescription } from 'n8n-workflow';

import { SurveyA } from '../../nodes/SurveyA/SurveyA.node.ts';
import { SurveyATrigger } from '../../nodes/SurveyA/SurveyATrigger.node.ts';
import { SurveyB } from '../../nodes/SurveyB/SurveyB.node.ts';
import { SurveyBTrigger } from '../../nodes/SurveyB/SurveyBTrigger.node.ts';

// What agents that build workflows read about our nodes, and what they and users find: n8n's own generator of types, and its
// searches over all nodes.

const ROOT = join(import.meta.dirname, '../..');
const MODULES = join(ROOT, 'host/node_modules');
const PACKAGE = 'n8n-nodes-surveys.';

interface Engine {
	searchByName(query: string, limit: number): Array<{ name: string }>;
}

interface Catalog {
	NodeTypeParser: new (nodes: INodeTypeDescription[]) => {
		searchNodeTypes(query: string, limit: number): Array<{ id: string }>;
	};
	searchCodeBuilderNodes(parser: object, queries: string[]): { results: string };
}

const fromN8n = createRequire(join(MODULES, 'n8n/package.json'));
const { generateNodeTypeFile }: { generateNodeTypeFile(node: INodeTypeDescription): string } =
	fromN8n('@n8n/workflow-sdk');
const catalog: Catalog = fromN8n('@n8n/ai-utilities/node-catalog');
const { convertNodeToAiTool }: { convertNodeToAiTool<Item>(item: Item): Item } = fromN8n(
	join(MODULES, 'n8n/dist/tool-generation/ai-tools.js'),
);

const withCodex = [
	['SurveyA/SurveyA', new SurveyA()] as const,
	['SurveyA/SurveyATrigger', new SurveyATrigger()] as const,
	['SurveyB/SurveyB', new SurveyB()] as const,
	['SurveyB/SurveyBTrigger', new SurveyBTrigger()] as const,
].map(([path, { description }]): INodeTypeDescription => {
	const codex = JSON.parse(readFileSync(join(ROOT, `nodes/${path}.node.json`), 'utf8'));
	return { ...description, codex };
});
const ours = withCodex.map((node) => ({ ...node, name: PACKAGE + node.name }));
const tools = ours
	.filter(({ usableAsTool }) => usableAsTool)
	.map((node) => convertNodeToAiTool({ description: structuredClone(node) }).description);
const ofN8n: INodeTypeDescription[] = JSON.parse(
	readFileSync(join(MODULES, 'n8n-nodes-base/dist/types/nodes.json'), 'utf8'),
);
const theirs = ofN8n.map((node) => ({ ...node, name: `n8n-nodes-base.${node.name}` }));
const { NodeSearchEngine }: { NodeSearchEngine: new (nodes: INodeTypeDescription[]) => Engine } =
	fromN8n(join(MODULES, '@n8n/ai-workflow-builder/dist/tools/engines/node-search-engine.js'));
const engine = new NodeSearchEngine([...ofN8n, ...withCodex]);

const typeOf = (name: string) => {
	const node = [...ours, ...tools].find((one) => one.name === PACKAGE + name);
	if (node === undefined) throw new Error(`There is no node ${name}`);
	return generateNodeTypeFile(node);
};

test.each([
	['surveyA', 18_000],
	['surveyATool', 18_100],
	['surveyB', 18_000],
	['surveyBTool', 18_100],
	['surveyATrigger', 3800],
	['surveyBTrigger', 3800],
])('the type of %s has at most %i characters', (name, most) => {
	expect(typeOf(name).length).toBeLessThanOrEqual(most);
});

test('the answer to a search for nps has at most 11,000 characters', () => {
	const parser = new catalog.NodeTypeParser([...theirs, ...ours, ...tools]);
	const { results } = catalog.searchCodeBuilderNodes(parser, ['nps']);
	expect(results).toContain('surveyBTrigger');
	expect(results.length).toBeLessThanOrEqual(11_000);
});

test.each([
	['customer feedback', /survey[AB]/],
	['customer survey', /survey[AB]/],
	['customer satisfaction', /survey[AB]/],
	['unsubscribe customer', /surveyA$/],
	['unsubscribe contact', /surveyB$/],
	['survey trigger', /survey[AB]/],
	['detractor', /surveyATrigger/],
	['detractor', /surveyBTrigger/],
	['new feedback', /surveyATrigger/],
	['feedback webhook', /surveyBTrigger/],
])("a search of an agent for '%s' finds %p among the first five", (query, name) => {
	const parser = new catalog.NodeTypeParser([...theirs, ...ours, ...tools]);
	const found = parser.searchNodeTypes(query, 5).map(({ id }) => id);
	expect(found).toContainEqual(expect.stringMatching(name));
});

test.each([
	['nps survey', 'surveyA'],
	['csat', 'surveyA'],
	['ces', 'surveyA'],
	['star rating', 'surveyA'],
	['send survey', 'surveyA'],
	['send survey to customer', 'surveyA'],
	['survey customers', 'surveyA'],
	['customer feedback', 'surveyA'],
	['customer satisfaction', 'surveyA'],
	['net promoter score', 'surveyA'],
	['unsubscribe customer', 'surveyA'],
	['survey report', 'surveyA'],
	['questionnaire', 'surveyA'],
	['churn', 'surveyA'],
	['new feedback', 'surveyATrigger'],
	['survey response', 'surveyATrigger'],
	['survey contact', 'surveyB'],
	['reply to feedback', 'surveyB'],
	['forward feedback', 'surveyB'],
	['tag feedback', 'surveyB'],
	['close feedback', 'surveyB'],
	['feedback to sheet', 'surveyB'],
	['unsubscribe contact', 'surveyB'],
	['contact list', 'surveyB'],
	['campaign metrics', 'surveyB'],
	['common reply', 'surveyB'],
	['detractor', 'surveyBTrigger'],
	['detractor alert', 'surveyBTrigger'],
	['feedback webhook', 'surveyBTrigger'],
	['survey trigger', 'surveyATrigger'],
])("a search of a user for '%s' finds %s first", (query, name) => {
	expect(engine.searchByName(query, 1)[0]?.name).toBe(name);
});

test.each(withCodex)(
	'$name describes its purpose and its related node to the AI builder',
	(node) => {
		expect(node.builderHint?.searchHint).toBeTruthy();
		expect(node.builderHint?.relatedNodes?.length).toBeGreaterThan(0);
	},
);

/** Fields of operations that are told once for all of them. */
const TOLD_ONCE = ['returnAll', 'limit', 'simplify'];

const isNeeded = ({ name, type, displayOptions }: INodeProperties) =>
	type !== 'notice' && displayOptions?.show?.['@tool'] === undefined && name !== 'operation';

test.each(['surveyA', 'surveyB'])(
	'the type of %s has every required parameter and every value of its choices',
	(name) => {
		const text = typeOf(name);
		const node = ours.find((one) => one.name === PACKAGE + name);
		for (const property of (node?.properties ?? []).filter(isNeeded)) {
			const isTold = property.required === true || TOLD_ONCE.includes(property.name);
			if (isTold) expect(text).toMatch(new RegExp(`\\b${property.name}\\??: `));
			const isChoice = property.required === true && property.type === 'options';
			for (const option of isChoice ? (property.options ?? []) : []) {
				if ('value' in option) expect(text).toContain(`'${option.value}'`);
			}
		}
	},
);

test.each(['surveyATrigger', 'surveyBTrigger'])(
	'the type of %s names its outputs in order',
	(name) => {
		expect(typeOf(name)).toContain('0 Detractor, 1 Passive, 2 Promoter, 3 Other');
	},
);

test.each([
	['surveyA', 'a row that opted out is not surveyed', 'of whom a row says: opted out'],
	['surveyB', 'a row that opted out is not surveyed', 'of whom a row says: opted out'],
	['surveyB', 'a second reply fails', 'A second reply fails'],
	['surveyB', 'a tag may be there already', 'alreadyTagged is true'],
	['surveyBTrigger', 'output Other has no score type', 'Other (no score type)'],
])('%s: agents and people read that %s', (name, _, told) => {
	expect(typeOf(name)).toContain(told);
	const shown = ours.find((one) => one.name === PACKAGE + name)?.properties;
	expect(JSON.stringify(shown)).toContain(told);
});

test('the type of Survey B Trigger tells the score of an answer from the score of a campaign', () => {
	expect(typeOf('surveyBTrigger')).toContain('metric.score_changed is about the NPS of a campaign');
});

test.each(['surveyATrigger', 'surveyBTrigger'])(
	'the type of %s says which field names the event',
	(name) => {
		expect(typeOf(name)).toContain('$json.event');
	},
);

test('a field that builders do not need is not in the type, and people can use it', () => {
	const node = ours.find(({ name }) => name.endsWith('.surveyA'));
	const field = node?.properties.find(
		({ name, disabledOptions }) => name === 'returnAll' && disabledOptions,
	);
	if (node === undefined || field === undefined)
		throw new Error('No field is hidden from builders');
	const { disabledOptions, ...open } = field;
	const typeWith = (property: INodeProperties) =>
		generateNodeTypeFile({ ...node, properties: [...node.properties.slice(0, 1), property] });
	expect(typeWith(open)).toContain('returnAll?: boolean');
	expect(typeWith(field)).not.toContain('returnAll?: boolean');
	const values = { resource: 'customer', operation: 'getAll' };
	const isDisabled = (parameters: INodeParameters) =>
		NodeHelpers.displayParameter(parameters, field, null, node, undefined, 'disabledOptions');
	expect(isDisabled(values)).toBe(false);
	expect(isDisabled({ ...values, operation: '' })).toBe(true);
});

test('a heading of an operation is about its own resource', () => {
	expect(typeOf('surveyB')).toContain(
		'/** URLs to call on events */\nexport type SurveyBV1WebhookDeleteParams',
	);
});
