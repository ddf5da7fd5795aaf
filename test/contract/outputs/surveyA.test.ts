import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { useRunner } from '../surveyA/runner';

const runner = useRunner();

const ANSWERS = [
	{ type: 'RATING', questionText: 'How easy was it?', metricsType: 'CES', answer: 8 },
	{ type: 'MULTIPLE_OPTIONS', questionText: 'What did you use?', answer: 'Reports' },
];

const AS_COLUMNS = { options: { answersAsColumns: true } };

/** Gives the two newest feedback responses answers and properties of their own; returns the newest. */
function addAnswers() {
	const [other, newest] = runner.service.state.feedback.slice(-2);
	if (!other || !newest) throw new Error('The seed has too little feedback');
	newest.additionalQuestions = ANSWERS;
	newest.customProps = [{ name: 'plan', type: 'string', value: 'Team' }];
	other.additionalQuestions = [{ type: 'RATING', questionText: 'Would you stay?', answer: 3 }];
	other.customProps = [];
	return newest;
}

test('Answers as Columns gives each row a column for each of its answers and properties', async () => {
	runner.service.settings.ignoresLimit = false;
	addAnswers();
	const items = await runner.all('feedback.getAll', { limit: 2, ...AS_COLUMNS });
	const plan = 'plan (property)';
	const columns = ['How easy was it?', 'What did you use?', plan];
	expect(Object.keys(items[0] ?? {}).slice(-3)).toEqual(columns);
	expect(items[0]).toMatchObject({ 'How easy was it?': 8, [plan]: 'Team' });
	expect(items[1]).toMatchObject({ 'Would you stay?': 3 });
	expect(items[0]).not.toHaveProperty('answers');
	const raw = await runner.all('feedback.getAll', { limit: 1, simplify: false, ...AS_COLUMNS });
	expect(raw[0]).toMatchObject({ [plan]: 'Team', feedbackTags: expect.any(Array) });
	for (const name of ['additionalQuestions', 'customProps']) {
		expect(raw[0]).not.toHaveProperty(name);
	}
});

test('answers to a question that is named like a field or comes twice are kept, simplified and as columns', async () => {
	const newest = addAnswers();
	newest.additionalQuestions = [
		{ type: 'RATING', questionText: 'score', answer: 1 },
		{ type: 'RATING', questionText: 'Why?', answer: 2 },
		{ type: 'RATING', questionText: 'Why?', answer: 3 },
		{ type: 'RATING', questionText: 'Why?', answer: 4 },
	];
	Object.assign(newest, { score: 9, additionalQuestions: [null, ...newest.additionalQuestions] });
	const feedbackId = newest.id;
	const feedback = await runner.one('feedback.get', { feedbackId, ...AS_COLUMNS });
	const answers = { 'score (answer)': 1, 'Why?': 2, 'Why? (2)': 3, 'Why? (3)': 4 };
	expect(feedback).toMatchObject({ score: 9, ...answers });
	const simplified = await runner.one('feedback.get', { feedbackId });
	expect(simplified.answers).toEqual({ score: 1, 'Why?': 2, 'Why? (2)': 3, 'Why? (3)': 4 });
});

test('a column of answers holds no raw field of another record, although the record with the answer lacks it', async () => {
	const newest: IDataObject = addAnswers();
	newest.additionalQuestions = [{ type: 'TEXT', questionText: 'country', answer: 'France' }];
	delete newest.country;
	const parameters = { limit: 1, simplify: false, ...AS_COLUMNS };
	const [item] = await runner.all('feedback.getAll', parameters);
	expect(item).toMatchObject({ 'country (answer)': 'France' });
	expect(item).not.toHaveProperty('country');
});

test('Answers as Columns never takes a property for the answer to a question of its name', async () => {
	const newest: IDataObject = addAnswers();
	newest.additionalQuestions = [{ type: 'TEXT', questionText: 'plan', answer: 'Which plan?' }];
	expect(
		await runner.one('feedback.get', { feedbackId: String(newest.id), ...AS_COLUMNS }),
	).toMatchObject({ plan: 'Which plan?', 'plan (property)': 'Team' });
});

test('Answers as Columns makes text of lists and objects, which a cell of a data table cannot hold', async () => {
	const newest = addAnswers();
	const customProps = [
		{ name: 'plan', type: 'collection', value: ['Team', 2] },
		{ name: 'city', type: 'string', value: null },
		{ name: 'sites', type: 'collection', value: ['Bonn', Object({ zip: 1 })] },
	];
	Object.assign(newest, { customProps });
	const feedback = await runner.one('feedback.get', { feedbackId: newest.id, ...AS_COLUMNS });
	expect(feedback).toMatchObject({
		'plan (property)': 'Team, 2',
		'city (property)': null,
		'sites (property)': '["Bonn",{"zip":1}]',
	});
	const values = Object.values(feedback).filter((value) => value !== null);
	expect(values.filter((value) => typeof value === 'object')).toEqual([]);
});

test.each([
	['no field gets the ID', { id: 'sent 1' }, undefined, ['id']],
	['a field gets it and the ID', { id: 'sent 1' }, ['status'], ['id', 'status']],
	[
		'a field of a record without an ID gets its first field too',
		{},
		['status'],
		['email', 'status'],
	],
])('an agent that selects %s', async (_, more, outputFields, names) => {
	for (const sent of runner.service.state.outbox) Object.assign(sent, more);
	const fields = { output: 'selectedFields', ...(outputFields && { outputFields }) };
	const { items } = await runner.run('outbox.getAll', { limit: 1, ...fields }, { asTool: true });
	expect(Object.keys(items[0] ?? {})).toEqual(names);
	expect(items[0]).toMatchObject(more);
});

test.each([
	['raw', true],
	['simplified', false],
])('an agent with Output set to %s gets the raw fields: %p', async (output, isRaw) => {
	const { id: feedbackId } = addAnswers();
	const { items } = await runner.run('feedback.get', { feedbackId, output }, { asTool: true });
	expect(items[0]).toHaveProperty('id', feedbackId);
	expect('additionalQuestions' in (items[0] ?? {})).toBe(isRaw);
});

describe('the list of an agent', () => {
	const itemsOf = async (parameters: INodeParameters) =>
		(await runner.run('customer.getAll', parameters, { asTool: true })).items;

	test('without records has one item that says so', async () => {
		runner.service.state.customers.clear();
		expect(await itemsOf({ returnAll: true })).toEqual([{ note: 'There are no such records' }]);
	});

	test('of all records ends after 100, and says how many there are', async () => {
		const { customers } = runner.service.state;
		const [customer] = customers.values();
		if (customer === undefined) throw new Error('The sandbox has no customers');
		customers.clear();
		for (let id = 0; id < 250; id++) {
			const email = `p${id}@example.com`;
			customers.set(email, { ...customer, id: String(id), email });
		}
		const items = await itemsOf({ returnAll: true });
		expect(items).toHaveLength(101);
		expect(items[100]).toEqual({
			note: 'Only the first 100 records are here. 250 are in the list: narrow the list by its filters',
		});
		const some = await itemsOf({ returnAll: false, limit: 2 });
		expect(some[2]).toEqual({
			note: 'Only the first 2 records are here. 250 are in the list: narrow the list by its filters',
		});
	});

	test('that has no filters is not narrowed by them', async () => {
		const parameters = { returnAll: false, limit: 1 };
		const { items } = await runner.run('campaign.getAll', parameters, { asTool: true });
		expect(items[1]?.note).toBe('Only the first 1 records are here. There may be more');
	});

	test('names its parameter Limit in an error about it', async () => {
		const parameters = { returnAll: false, limit: '={{ "" }}' };
		const { error } = await runner.run('customer.getAll', parameters, { asTool: true });
		expect(error?.message).toContain("'Limit' (limit) is missing");
	});

	test('that the node itself filters does not count the records of others', async () => {
		const [first] = runner.service.state.feedback;
		const filters = { campaignId: String(first?.campaignId), startDate: '2020-01-01' };
		const parameters = { returnAll: false, limit: 1, filters };
		const { items } = await runner.run('feedback.getAll', parameters, { asTool: true });
		expect(items[1]?.note).toContain('There may be more: ');
	});

	test('with all of its records has nothing but them', async () => {
		const count = runner.service.state.customers.size;
		expect(await itemsOf({ returnAll: false, limit: count })).toHaveLength(count);
		expect(await itemsOf({ returnAll: false, limit: count + 1 })).toHaveLength(count);
	});
});
