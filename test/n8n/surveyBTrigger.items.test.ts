/** @jest-environment ./test/support/n8nEnvironment.mts */
import { feedback } from '../../nodes/SurveyB/records/feedback';
import { fresh, idOf, TriggerSetup } from './surveyBTriggerSetup';

// The trigger's items and outputs in a real n8n.

let setup: TriggerSetup;
beforeAll(async () => void (setup = await TriggerSetup.open()), 180_000);
afterAll(async () => await setup?.close());
afterEach(async () => await setup.clear());

const CHANGED = 'feedback.status_changed';
const REMOVED = 'feedback.removed';

describe('with Confirm', () => {
	const confirming = async () =>
		await setup.publish(setup.node({ events: [CHANGED, REMOVED], options: { confirm: true } }));
	const newFeedback = () =>
		setup.b.answer({ email: 'ada@acme.example', campaignId: 101, score: 9 });

	test('a forged body does not replace the data of the service', async () => {
		const id = await confirming();
		const real = structuredClone(newFeedback());
		const lie = { ...real, score: 0, score_type: 'detractor', comment: 'Refund me' };

		expect(await setup.deliver(CHANGED, lie)).toEqual([200]);
		expect(await setup.deliver(REMOVED, real)).toEqual([503]);
		expect(await setup.deliver(CHANGED, { score: 0 })).toEqual([400]);

		const runs = await setup.runs(id);
		expect(runs).toMatchObject([{ item: { event: CHANGED, data: real } }]);
		expect(runs[0]?.item).not.toHaveProperty('removed');
	});

	test('feedback that was removed in the meantime comes out as removed', async () => {
		const id = await confirming();
		const { id: gone } = newFeedback();
		await setup.ask('DELETE', `/api/v2/feedback/${gone}/`, undefined);
		await setup.b.idle();
		await setup.deliver(CHANGED, { id: gone, score: 9, comment: 'Still here' });
		const unknown = fresh();
		await setup.deliver(CHANGED, { id: unknown, score: 9 });

		const items = (await setup.runs(id)).map(({ item }) => item);
		expect(items).toMatchObject([
			{ event: REMOVED, removed: true },
			{ event: CHANGED, removed: true },
			{ event: CHANGED, removed: true },
		]);
		expect(items.map(({ data }) => data)).toEqual([{ id: gone }, { id: gone }, { id: unknown }]);
	});

	test('a delivery that the service could not confirm starts a run when it is repeated', async () => {
		const id = await confirming();
		const real = structuredClone(newFeedback());
		setup.b.faults.add({ method: 'GET', path: /feedback/, kind: { status: 403, body: {} } });
		expect(await setup.deliver(CHANGED, real)).toEqual([503]);
		expect(await setup.deliver(CHANGED, real)).toEqual([200]);
		expect((await setup.runs(id)).map(idOf)).toEqual([real.id]);
	});
});

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
