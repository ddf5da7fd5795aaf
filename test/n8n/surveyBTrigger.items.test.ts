/** @jest-environment ./test/support/n8nEnvironment.mts */
import { feedback } from '../../nodes/SurveyB/records/feedback';
import { fresh, TriggerSetup } from './surveyBTriggerSetup';

// The trigger's items and outputs in a real n8n.

let setup: TriggerSetup;
beforeAll(async () => void (setup = await TriggerSetup.open()), 180_000);
afterAll(async () => await setup?.close());
afterEach(async () => await setup.clear());

const REMOVED = 'feedback.removed';

test.each([
	[
		'the simplified record unless Simplify is off',
		{},
		['event', 'deliveryId', ...Object.keys(feedback.simplified)],
	],
	[
		'the delivered data with Simplify off',
		{ simplify: false },
		['event', 'data', 'deliveryId', 'receivedAt', 'revision', 'hook'],
	],
])('an item contains %s', async (_, more, names) => {
	const parameters = { events: [REMOVED], ...more };
	const id = await setup.publish({ ...setup.node({}), parameters });
	expect(await setup.happen(REMOVED)).toEqual([200]);
	const [run] = await setup.runs(id);
	expect(Object.keys(run?.item ?? {})).toEqual(names);
});

test('routes each event to the output with its name', async () => {
	const events = ['tag.renamed', REMOVED];
	const options = { customEvents: 'survey.sent' };
	setup.b.settings.extraEvents.push('survey.sent');
	const id = await setup.publish(setup.node({ events, options, routeBy: 'event' }));
	for (const event of ['survey.sent', ...events]) await setup.happen(event);
	const runs = await setup.runs(id);
	expect(runs.map(({ output, item }) => [output, item.event])).toEqual([
		[2, 'survey.sent'],
		[0, 'tag.renamed'],
		[1, REMOVED],
	]);
});

test('routes by score type to detractor, passive, promoter, and a last output for items without a score', async () => {
	const id = await setup.publish(
		setup.node({ events: [REMOVED, 'tag.merged'], routeBy: 'scoreType' }),
	);
	for (const score of [10, 9, 8, 7, 6, 0]) await setup.happen(REMOVED, { score });
	await setup.happen('tag.merged', { score: undefined });
	const runs = await setup.runs(id);
	expect(runs.map(({ output }) => output)).toEqual([2, 2, 1, 1, 0, 0, 3]);
});

test('a repeated delivery starts no second run, unless Ignore Repeats is off', async () => {
	const ignoring = await setup.publish(setup.node({ events: [REMOVED] }));
	const open = await setup.publish(
		setup.node({ events: [REMOVED], options: { ignoreRepeats: false } }),
	);
	const data = { id: fresh(), score: 3 };
	for (let round = 0; round < 2; round++) {
		expect(await setup.deliver(REMOVED, data)).toEqual([200, 200]);
	}
	expect(await setup.runs(ignoring)).toHaveLength(1);
	expect(await setup.runs(open)).toHaveLength(2);
});

test('filters drop deliveries that do not match, and no item contains the token', async () => {
	const id = await setup.publish(
		setup.node({ events: [REMOVED], filters: { scoreTypes: ['detractor'], campaignIds: '101' } }),
	);
	for (const [score, campaign] of [
		[3, 101],
		[9, 101],
		[3, 102],
	]) {
		expect(await setup.happen(REMOVED, { score, campaign: { id: campaign } })).toEqual([200]);
	}
	const runs = await setup.runs(id);
	expect(runs).toMatchObject([{ item: { data: { score: 3, campaign: { id: 101 } } } }]);
	expect(JSON.stringify(runs)).not.toContain('token');
});
