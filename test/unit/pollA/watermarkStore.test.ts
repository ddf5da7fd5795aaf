import { PollContext } from 'n8n-core';
import { Workflow } from 'n8n-workflow';
import type { IDataObject, INode, IPollFunctions } from 'n8n-workflow';

import { SurveyATrigger } from '../../../nodes/SurveyA/SurveyATrigger.node';
import { Watermark } from '../../../nodes/SurveyA/trigger/watermark';
import { PollMemory } from '../../../nodes/SurveyA/trigger/watermarkStore';
import { additionalData, addNodeType, nodeTypes } from '../../support/engine';

const EVENT = 'feedback.created';

addNodeType('surveyATrigger', new SurveyATrigger());

/** Makes a workflow ID for each start of n8n, because the trigger's memory in a process is kept by workflow ID. */
let processes = 0;
let stored: IDataObject;

beforeEach(() => {
	stored = {};
	let now = 1_800_000_000_000;
	jest.spyOn(Date, 'now').mockImplementation(() => now++);
});

afterEach(() => jest.restoreAllMocks());

/** Starts n8n with triggers of these IDs and names. Returns a function that creates the context of each. */
function open(names: Record<string, string>, isDurable = false): (id: string) => IPollFunctions {
	const nodes = Object.entries(names).map(([id, name]): INode => {
		const place: [number, number] = [0, 0];
		return { id, name, type: 'surveyATrigger', typeVersion: 1, position: place, parameters: {} };
	});
	const workflow = new Workflow({
		id: `workflow ${++processes}`,
		nodes,
		connections: {},
		active: true,
		nodeTypes,
		staticData: stored,
	});
	stored = workflow.staticData;
	return (id) => {
		const node = nodes.find((one) => one.id === id);
		if (!node) throw new RangeError(id);
		const context = new PollContext(workflow, node, additionalData({}), 'trigger', 'update');
		if (isDurable) Object.assign(context, { getPollBudgetMs: () => 36_000 });
		return context;
	};
}

function keep(context: IPollFunctions, floor: number): void {
	const marks = { [EVENT]: new Watermark({ floor }) };
	new PollMemory(context).remember([{ id: 'account', marks }], true);
}

const recall = (context: IPollFunctions) => new PollMemory(context).accounts;

const copyOf = (data: IDataObject): IDataObject => JSON.parse(JSON.stringify(data));

const floorOf = (context: IPollFunctions) => recall(context)?.[0]?.marks[EVENT]?.floor;

test.each<[string, Record<string, string>]>([
	['keep their names', { one: 'First', two: 'Second' }],
	['are both renamed', { one: 'Third', two: 'Fourth' }],
	['swap names', { one: 'Second', two: 'First' }],
	['are renamed, the second one to the old name of the first one', { one: 'Old', two: 'First' }],
	['are renamed, the first one to the old name of the second one', { one: 'Second', two: 'New' }],
])('two triggers that %s each continue where they were', (_, names) => {
	const before = open({ one: 'First', two: 'Second' });
	keep(before('one'), 1);
	keep(before('two'), 2);
	keep(before('one'), 3);
	const after = open(names);
	expect([floorOf(after('one')), floorOf(after('two'))]).toEqual([3, 2]);
	keep(after('two'), 4);
	expect([floorOf(after('one')), floorOf(after('two'))]).toEqual([3, 4]);
});

test('a node with the name of a deleted one does not get its memory', () => {
	keep(open({ one: 'First' })('one'), 1);
	expect(floorOf(open({ two: 'First' })('two'))).toBeUndefined();
});

test('a node remembers three accounts, the account of the last poll first', () => {
	const context = open({ one: 'First' })('one');
	const accounts = ['d', 'c', 'b', 'a'].map((id) => ({ id, marks: {} }));
	new PollMemory(context).remember(accounts, true);
	const after = open({ one: 'First' })('one');
	expect(recall(after)?.map(({ id }) => id)).toEqual(['d', 'c', 'b']);
});

test('a new node with the name of a deleted node does not get its memory if poll cursors are durable', () => {
	keep(open({ one: 'First' }, true)('one'), 1);
	expect(floorOf(open({ two: 'First' }, true)('two'))).toBeUndefined();
});

test.each([true, false])(
	'a node continues with the data stored last, though the clock stands still (durable first: %s)',
	(isDurable) => {
		jest.spyOn(Date, 'now').mockReturnValue(1_800_000_000_000);
		keep(open({ one: 'First' }, isDurable)('one'), 1);
		keep(open({ one: 'First' }, !isDurable)('one'), 2);
		expect(floorOf(open({ one: 'First' })('one'))).toBe(2);
	},
);

test.each([
	[-1, false],
	[0, true],
	[4999, true],
	[5000, false],
])('data from before a poll is outdated %i ms after it: %s', (age, expected) => {
	const now = 1_800_000_000_000;
	const context = open({ one: 'First' }, true)('one');
	keep(context, 1);
	const before = copyOf(stored);
	jest.spyOn(Date, 'now').mockReturnValue(now + 1000);
	keep(context, 2);
	Object.assign(stored, before);
	jest.spyOn(Date, 'now').mockReturnValue(now + 1000 + age);
	expect(new PollMemory(context).isOutdated).toBe(expected);
});

test('polls without items are remembered for the 1,000 nodes that polled last', () => {
	const others = Array.from({ length: 1000 }, (_, i) => `other ${i}`);
	const names = Object.fromEntries(['one', ...others].map((id) => [id, id]));
	const context = open(names);
	keep(context('one'), 1);
	const before = copyOf(stored);
	const marks = { [EVENT]: new Watermark({ floor: 2 }) };
	new PollMemory(context('one')).remember([{ id: 'account', marks }], false);
	Object.assign(stored, before);
	for (const id of others.slice(1)) keep(context(id), 3);
	expect(floorOf(context('one'))).toBe(2);
	keep(context('other 0'), 3);
	expect(floorOf(context('one'))).toBe(1);
});
