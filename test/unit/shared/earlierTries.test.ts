import { ExecuteContext } from 'n8n-core';
import { createRunExecutionData, Workflow } from 'n8n-workflow';
import type { IExecuteData, IExecuteFunctions } from 'n8n-workflow';

import { startTry } from '../../../nodes/shared/operations/progress';
import type { RunItemResult } from '../../../nodes/shared/operations/progress';
import { addNodeType, additionalData, nodeOf, nodeTypes } from '../../support/engine';
import { SurveyA } from '../../../nodes/SurveyA/SurveyA.node.ts';

addNodeType('n8n-nodes-surveys.surveyA', new SurveyA());
addNodeType('n8n-nodes-surveys.surveyATool', new SurveyA());

const input = { main: [[{ json: {} }]] };
const done: RunItemResult = { label: '', output: [{ email: 'ada@example.com' }], state: 'sent' };

/** Returns n8n's own context of a run. In n8n 1 to 2.1 it has no `isToolExecution`. */
function contextOf(
	execution: IExecuteData,
	{ isOld }: { isOld: boolean },
	data = createRunExecutionData({}),
): IExecuteFunctions {
	const { node } = execution;
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const items = input.main[0] ?? [];
	const context = new ExecuteContext(
		workflow,
		node,
		additionalData({}),
		'manual',
		data,
		0,
		items,
		input,
		execution,
		[],
	);
	if (isOld) Object.defineProperty(context, 'isToolExecution', { value: undefined });
	return context;
}

function executionOf(type: string, name = 'Tested'): IExecuteData {
	return { node: nodeOf(name, `n8n-nodes-surveys.${type}`), data: input, source: null };
}

/** Returns the result of the row that a second run on the same execution data finds. */
function secondRun(type: string, n8n: { isOld: boolean }): RunItemResult | undefined {
	const execution = executionOf(type);
	startTry(contextOf(execution, n8n), false).setResult(0, done);
	return startTry(contextOf(execution, n8n), false).result(0);
}

test.each([
	['a node in an n8n that says whether it runs as a tool', 'surveyA', false],
	['a tool that such an n8n runs itself', 'surveyATool', false],
	['a node in an older n8n', 'surveyA', true],
])('a later try of %s keeps the outcomes of rows that went out', (_, type, isOld) => {
	expect(secondRun(type, { isOld })).toEqual(done);
});

test("an agent's second call of a tool starts without outcomes", () => {
	expect(secondRun('surveyATool', { isOld: true })).toBeUndefined();
});

const request = { method: 'POST', path: '', effect: 'notIdempotent' } as const;
const row = { itemIndex: 0, lane: '', group: '', key: 'ada', identity: '0', request };

test.each([
	['the same node', 'Tested', false, 'earlierRun'],
	['a dry run of the same node', 'Tested', true, undefined],
	['another node', 'Other', false, undefined],
])(
	'a row that was sent before by %s is a duplicate, and what one said of a person still counts, only if this node ran in the same execution',
	(_, name, isDry, expected) => {
		const data = createRunExecutionData({});
		const run = (of: string, isDryRun: boolean) =>
			startTry(contextOf(executionOf('surveyA', of), { isOld: false }, data), isDryRun);
		const first = run(name, isDry);
		first.recordSent(row);
		first.objections.set('ada', { reason: '', code: 'unsubscribed' });
		const second = run('Tested', false);
		expect(second.objections.has('ada')).toBe(expected !== undefined);
		expect(second.duplicateOf(row)).toBe(expected);
		// Send at Most counts each run by itself.
		expect(second.countSent()).toBe(0);
	},
);
