import { onItsOwnClock } from '../../support/clock.mts';
import { useRunner } from './runner';

const runner = useRunner();

const seeded = () => runner.service.state.feedback;
const first = () => seeded()[0];
const newestFirst = () => [...seeded()].reverse();
const feedbackId = () => String(first()?.id);
const ids = (rows: Array<{ id?: unknown }>) => rows.map(({ id }) => id);

describe('Get Feedback', () => {
	test('finds feedback by ID', async () => {
		const item = await runner.one('feedback.get', { feedbackId: feedbackId(), simplify: false });
		expect(item).toEqual(first());
		runner.expectSent(`GET /api/v2/feedback/${feedbackId()}`);
	});

	test('returns the simplified fields', async () => {
		const item = await runner.one('feedback.get', { feedbackId: feedbackId() });
		expect(item).toEqual({
			id: feedbackId(),
			createdDate: '2026-01-01T00:00:08.000Z',
			email: 'ada@acme.example',
			name: 'Ada Lovelace',
			companyName: 'Acme',
			score: 0,
			metricsType: 'NPS',
			comment: 'Support never called back.',
			campaignName: 'After purchase',
			answers: {
				'How easy was it to get started?': 1,
				'Which feature do you use most?': 'Export',
			},
		});
	});

	test('says that there is no feedback with the ID of a campaign, in either case of its letters', async () => {
		const campaignId = runner.campaign('After purchase');
		const responses = [{ id: feedbackId(), campaignId }];
		runner.respond(200, { code: 200, data: { responses } });
		const parameters = { feedbackId: campaignId.toUpperCase() };
		const { error } = await onItsOwnClock(async () => await runner.run('feedback.get', parameters));
		expect(error?.message).toMatch(/Feedback record not found\.$/);
	});

	const questions = [
		{ type: 'RATING', questionText: '', answer: 5 },
		{ questionText: null, answer: 'Export' },
	];

	test.each([
		[
			'without a name are named by what is known of them',
			{ additionalQuestions: questions },
			{
				answers: { RATING: 5, Question: 'Export' },
			},
		],
		['that the service does not send are empty', {}, { answers: {} }],
	])('answers %s', async (_, fields, expected) => {
		runner.respond(200, { code: 200, data: { responses: [{ id: feedbackId(), ...fields }] } });
		const item = await onItsOwnClock(
			async () => await runner.one('feedback.get', { feedbackId: feedbackId() }),
		);
		expect({ answers: item.answers }).toEqual(expected);
	});
});

describe('Get Many Feedback', () => {
	test('sends the request of the contract and returns simplified records', async () => {
		const items = await runner.all('feedback.getAll');
		expect(ids(items)).toEqual(ids(newestFirst()));
		expect(Object.keys(items[0] ?? {})).toHaveLength(10);
		runner.expectSent('GET /api/v2/feedback?page=1&limit=50');
	});

	test('sends every filter, dates in the UNIX seconds around them, and the sort field', async () => {
		await runner.all('feedback.getAll', {
			returnAll: true,
			simplify: false,
			filters: {
				email: 'ada@acme.example',
				customerId: '5f3c9a2b8d1e4f6a7b0c1d2e',
				startDate: '2026-01-01T00:00:00.500Z',
				endDate: '2026-01-01T23:59:59.500Z',
			},
			sort: { property: { field: 'createdDate', direction: 'asc' } },
		});
		runner.expectSent(
			'GET /api/v2/feedback?email=ada%40acme.example&customerId=5f3c9a2b8d1e4f6a7b0c1d2e&startDate=1767225599&endDate=1767312000&sort=createdDate&page=1&limit=1000',
		);
	});

	test('requests the feedback of a campaign by its path', async () => {
		const campaignId = runner.campaign('After purchase');
		const items = await runner.all('feedback.getAll', {
			filters: { campaignId: { __rl: true, mode: 'list', value: campaignId } },
			simplify: false,
		});
		expect(items).toEqual(newestFirst().filter((one) => one.campaignId === campaignId));
		runner.expectSent(`GET /api/v2/feedback/${campaignId}?page=1&limit=50`);
	});

	test('asks for the other filters and looks at the campaign itself if both are set', async () => {
		runner.service.settings.maxLimit = 20;
		runner.service.seedFeedback(400);
		const campaignId = runner.campaign('After purchase');
		const wanted = newestFirst().filter(
			(one) => one.campaignId === campaignId && one.email === 'ada@acme.example',
		);
		const filters = { campaignId: campaignId.toUpperCase(), email: 'ada@acme.example' };
		const items = await onItsOwnClock(
			async () => await runner.all('feedback.getAll', { returnAll: true, filters }),
		);
		expect(ids(items)).toEqual(ids(wanted));
		expect(runner.lines()[0]).toBe(
			'GET /api/v2/feedback?email=ada%40acme.example&page=1&limit=1000',
		);
		const some = await onItsOwnClock(
			async () => await runner.all('feedback.getAll', { limit: 30, filters }),
		);
		expect(ids(some)).toEqual(ids(wanted.slice(0, 30)));
	});

	test('sorts the list of all feedback and looks at the campaign itself if both are set', async () => {
		const campaignId = runner.campaign('After purchase');
		const sort = { property: { field: 'createdDate', direction: 'asc' } };
		const items = await runner.all('feedback.getAll', { filters: { campaignId }, sort });
		const wanted = newestFirst().filter((one) => one.campaignId === campaignId);
		expect(ids(items)).toEqual(ids(wanted.reverse()));
		runner.expectSent('GET /api/v2/feedback?sort=createdDate&page=1&limit=1000');
	});

	test('looks at the campaign and at the part of a second in Start Date if both are set', async () => {
		const [{ campaignId } = { campaignId: '' }] = seeded();
		const startDate = '2026-01-01T00:00:08.500Z';
		const items = await runner.all('feedback.getAll', { filters: { campaignId, startDate } });
		const wanted = newestFirst().filter((one) => one.campaignId === campaignId);
		expect(ids(items)).toEqual(ids(wanted.slice(0, -1)));
	});

	test('rows with the same filters get as many records as Limit of each row says', async () => {
		const input = [{ limit: 1 }, { limit: 2 }];
		const parameters = { limit: '={{ $json.limit }}' };
		const { items } = await runner.run('feedback.getAll', parameters, { input });
		const [newest = '', second = ''] = ids(newestFirst());
		expect(ids(items)).toEqual([newest, newest, second]);
	});

	test('fails for a campaign that the service does not find: a 404 is no empty list', async () => {
		const campaignId = runner.campaign('After purchase');
		runner.respond(404, { code: 404, message: 'Feedback record not found.', data: null });
		const { error } = await runner.run('feedback.getAll', { filters: { campaignId } });
		expect(error?.message).toBe('Feedback record not found (HTTP 404)');
	});

	test('leaves the filter for a customer to the service if there is no campaign', async () => {
		runner.respond(200, { data: { responses: [{ id: 'a', customerId: 'c1' }, { id: 'b' }] } });
		const items = await runner.all('feedback.getAll', { limit: 2, filters: { customerId: 'c1' } });
		expect(ids(items)).toEqual(['a', 'b']);
	});

	test('asks by email if the filter for a customer has one, unless another email is a filter, too', async () => {
		const customerId = 'ada@acme.example';
		expect(await runner.all('feedback.getAll', { filters: { customerId } })).not.toEqual([]);
		await runner.all('feedback.getAll', { filters: { customerId, email: 'bob@acme.example' } });
		expect(runner.lines()).toEqual([
			'GET /api/v2/feedback?email=ada%40acme.example&page=1&limit=50',
			'GET /api/v2/feedback?email=bob%40acme.example&customerId=ada%40acme.example&page=1&limit=50',
		]);
	});
});

describe('Get Many Feedback (Deprecated)', () => {
	test('sends the request of the contract', async () => {
		const items = await runner.all('feedback.getAllLegacy', {
			filters: { startDate: 1767225600, endDate: '2026-01-02T00:00:00Z' },
			sort: { property: { field: 'createdDate', direction: 'desc' } },
		});
		expect(items).toHaveLength(8);
		expect(items[7]).toEqual({
			email: 'ada@acme.example',
			firstName: 'Ada',
			lastName: 'Lovelace',
			companyName: 'Acme',
			tags: [],
			createdDate: '2026-01-01T00:00:08.000Z',
			score: 0,
			comment: 'Support never called back.',
			feedbackTags: ['support', 'at risk'],
		});
		runner.expectSent(
			'GET /api/v2/nps/customers/response?startDate=1767225599&endDate=1767312000&sort=-createdDate&page=1&limit=1000',
		);
	});

	test('a response that is tagged while it moves to another page comes out once, and one with another comment is another one', async () => {
		const row = (email: string, feedbackTags: string[] = []) => ({ email, score: 9, feedbackTags });
		const pages = [
			[row('a@x.example'), row('b@x.example')],
			[row('b@x.example', ['vip']), { ...row('b@x.example'), comment: 'Later' }],
			[],
		];
		pages.forEach((responses, index) => {
			const data = { responses, limit: 2, total: 3 };
			runner.service.faults.add({
				when: ({ query }) => query.page === String(index + 1),
				times: Infinity,
				kind: { status: 200, body: { code: 200, message: 'ok', data } },
			});
		});
		const items = await runner.all('feedback.getAllLegacy', { returnAll: true });
		expect(items.map(({ email }) => email)).toEqual(
			['a', 'b', 'b'].map((name) => `${name}@x.example`),
		);
	});
});

test.each([
	['setTags', 'POST /api/v2/response/tags'],
	['setTagsLegacy', 'POST /api/v2/nps/customers/response/tags'],
])('%s sends no op to replace and op to append', async (operation, line) => {
	const id = feedbackId();
	const set = (parameters: object) =>
		runner.one(`feedback.${operation}`, { feedbackId: id, ...parameters });
	const tags = ['pricing', 'churn'];
	expect(await set({ update: 'replace', tags: 'pricing, churn' })).toEqual({
		id,
		update: 'replace',
		tags,
	});
	await set({ update: 'append', tags: "={{ ['more'] }}" });
	expect(runner.lines()).toEqual([line, line]);
	expect(runner.bodies()).toEqual([
		{ id, tags },
		{ id, tags: ['more'], op: 'append' },
	]);
	expect(first()?.feedbackTags).toEqual([...tags, 'more']);
});

test('Set Tags removes all tags with Remove All', async () => {
	const parameters = { feedbackId: feedbackId(), update: 'replace', tags: '={{ [] }}' };
	await runner.one('feedback.setTags', { ...parameters, options: { removeAll: true } });
	expect(runner.bodies()).toEqual([{ id: feedbackId(), tags: [] }]);
	expect(first()?.feedbackTags).toEqual([]);
});

test.each(['setTags', 'setTagsLegacy'])('%s cannot append no tags', async (operation) => {
	const parameters = { feedbackId: feedbackId(), update: 'append', tags: '={{ [] }}' };
	const message = await runner.failure(`feedback.${operation}`, parameters);
	expect(message).toMatch(/'Tags' is missing/);
});

test('Set Topics sends the requests of the contract', async () => {
	const run = (update: string, topic: Array<{ name: string; sentiment: string }>) =>
		runner.one('feedback.setTopics', { feedbackId: feedbackId(), update, topics: { topic } });
	const pricing = { name: 'Pricing', sentiment: 'negative' };
	expect(await run('replace', [pricing])).toEqual({
		id: feedbackId(),
		update: 'replace',
		topics: [pricing],
	});
	await run('append', [{ name: 'Speed', sentiment: '' }]);
	expect(new Set(runner.lines())).toEqual(new Set(['POST /api/v2/response/topics']));
	expect(runner.bodies()).toEqual([
		{ id: feedbackId(), topics: [pricing] },
		{ id: feedbackId(), topics: [{ name: 'Speed' }], op: 'append' },
	]);
	expect(first()?.feedbackTopics).toEqual([pricing, { name: 'Speed', sentiment: 'neutral' }]);
});

test('Set Topics and Set Tags append by default, and a topic may have any sentiment', async () => {
	const topics = { topic: [{ name: 'Speed', sentiment: '={{ "mixed" }}' }] };
	await runner.one('feedback.setTopics', { feedbackId: feedbackId(), topics });
	await runner.one('feedback.setTags', { feedbackId: feedbackId(), tags: 'fast' });
	await runner.one('feedback.setTagsLegacy', { feedbackId: feedbackId(), tags: 'fast' });
	const bodies = runner.bodies();
	expect(bodies).toHaveLength(3);
	for (const body of bodies) expect(body).toMatchObject({ op: 'append' });
	expect(bodies[0]).toMatchObject({ topics: [{ name: 'Speed', sentiment: 'mixed' }] });
});

test('Set Topics names only the part of a topic that is missing', async () => {
	const { error } = await runner.run('feedback.setTopics', {
		feedbackId: feedbackId(),
		topics: { topic: [{ name: '={{ $json.nothing }}' }] },
	});
	expect(error?.message).toBe(`Feedback ${feedbackId()}: 'Name' is missing`);
});

test('Set Topics without topics fails, with Replace unless Remove All is on', async () => {
	const fail = async (update: string, options = {}) =>
		await runner.failure('feedback.setTopics', { feedbackId: feedbackId(), update, options });
	expect(await fail('replace')).toMatch(/'Topics' is missing.*'Remove All'/);
	expect(await fail('={{ "append" }}', { removeAll: true })).toMatch(
		/'Topics' is missing(?!.*Remove All)/,
	);
	expect(runner.service.requests).toEqual([]);
});
