import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import type { INodeType, INodeTypeDescription } from 'n8n-workflow';

import { SurveyA } from '../../nodes/SurveyA/SurveyA.node.ts';
import { SurveyATrigger } from '../../nodes/SurveyA/SurveyATrigger.node.ts';
import { SurveyB } from '../../nodes/SurveyB/SurveyB.node.ts';
import { SurveyBTrigger } from '../../nodes/SurveyB/SurveyBTrigger.node.ts';

// Searches by users and by n8n's AI builder, with n8n's own search over all nodes.

const ROOT = join(import.meta.dirname, '../..');
const MODULES = join(ROOT, 'host/node_modules');

interface Engine {
	searchByName(query: string, limit: number): Array<{ name: string }>;
}

interface EngineModule {
	NodeSearchEngine: new (nodes: INodeTypeDescription[]) => Engine;
}

const requireFromHost = createRequire(join(MODULES, 'n8n/package.json'));

function withCodex(folder: string, { description }: INodeType): INodeTypeDescription {
	const path = join(ROOT, `nodes/${folder}/${folder}`);
	const isTrigger = description.group.includes('trigger');
	const codex = JSON.parse(readFileSync(`${path}${isTrigger ? 'Trigger' : ''}.node.json`, 'utf8'));
	return { ...description, codex };
}

const ours = [
	withCodex('SurveyA', new SurveyA()),
	withCodex('SurveyA', new SurveyATrigger()),
	withCodex('SurveyB', new SurveyB()),
	withCodex('SurveyB', new SurveyBTrigger()),
];
const theirs: INodeTypeDescription[] = JSON.parse(
	readFileSync(join(MODULES, 'n8n-nodes-base/dist/types/nodes.json'), 'utf8'),
);
const { NodeSearchEngine }: EngineModule = requireFromHost(
	join(MODULES, '@n8n/ai-workflow-builder/dist/tools/engines/node-search-engine.js'),
);
const engine = new NodeSearchEngine([...theirs, ...ours]);

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
])("a search for '%s' finds %s first", (query, name) => {
	expect(engine.searchByName(query, 1)[0]?.name).toBe(name);
});

test.each(ours)('$name describes its purpose and its related node to the AI builder', (node) => {
	expect(node.builderHint?.searchHint).toBeTruthy();
	expect(node.builderHint?.relatedNodes?.length).toBeGreaterThan(0);
});
