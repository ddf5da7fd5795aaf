import { EMAIL_FROM_ROW, mapped, people } from '../../support/columns';
import { useBench } from './bench';

const bench = useBench();

const NAME = 'After support ticket';
const NEW = mapped({ email: 'new@example.com' });
const byName = { __rl: true, mode: 'name', value: NAME };
describe('campaigns by name', () => {
	test.each([[NAME], [byName], [` ${NAME.toUpperCase()} `]])(
		'Send finds the campaign %j by its exact name',
		async (campaignId) => {
			const item = await bench.one('survey.send', { campaignId, ...NEW });
			expect(item).toMatchObject({ campaign_id: 102 });
			expect(bench.lines()).toHaveLength(3);
		},
	);

	test('looks up a campaign name once in a run', async () => {
		const parameters = { campaignId: byName, ...EMAIL_FROM_ROW };
		const { error } = await bench.run('survey.send', parameters, { input: people(30) });
		expect(error).toBeUndefined();
		expect(bench.lines().filter((line) => line.startsWith('GET'))).toHaveLength(2);
	});

	test('skips a duplicate email when one row has the campaign ID and another its name', async () => {
		const input = [
			{ campaign: 102, email: 'new@example.com' },
			{ campaign: NAME, email: 'New@example.com' },
			{ campaign: NAME.toUpperCase(), email: 'new@example.com' },
			{ campaign: 101, email: 'new@example.com' },
		];
		const rows = { campaignId: '={{ $json.campaign }}', ...EMAIL_FROM_ROW };
		const { items } = await bench.rows('survey.send', rows, input);
		expect(items).toMatchObject([{}, { duplicateOfItem: 0 }, { duplicateOfItem: 0 }, {}]);
		expect(bench.lines().filter((line) => line.startsWith('POST'))).toHaveLength(2);
		expect(bench.service.state.sent).toMatchObject([{ email: 'new@example.com' }]);
	});

	test('an unknown campaign name stops the run before anything is sent, and the hint has the known names', async () => {
		const input = [{ campaign: 101 }, { campaign: 'Nowhere' }];
		const email = '={{ $json.campaign }}@example.com';
		for (const [operation, more] of [
			['survey.send', mapped({ email })],
			['feedback.create', { email, score: 3 }],
		] as const) {
			const rows = { campaignId: '={{ $json.campaign }}', ...more };
			const { error } = await bench.run(operation, rows, { input });
			expect(error?.message).toContain("No campaign named 'Nowhere'");
			expect(error?.message).toContain('[item 1]. Nothing was sent before it');
			expect(error?.description).toContain(
				'After support ticket, Relationship, Without contact list',
			);
		}
		expect(bench.lines().filter((line) => line.startsWith('POST'))).toEqual([]);
	});

	test('metrics, feedback filters and new feedback find a campaign by its name', async () => {
		expect(await bench.one('metric.get', { campaignId: byName })).toMatchObject({
			campaign_name: NAME,
		});
		const found = await bench.all('feedback.getAll', { filters: { campaignId: byName } });
		expect(new Set(found.map(({ campaign_name }) => campaign_name))).toEqual(new Set([NAME]));
		const made = { campaignId: NAME, email: 'ada@acme.example', score: 3 };
		expect(await bench.one('feedback.create', made)).toMatchObject({ campaign_name: NAME });
	});

	test('a name is found without the spaces around it, and apart from one with other letters', async () => {
		const [first, second] = bench.service.state.campaigns;
		if (first) first.record.name = ' 1 Mass 2 ';
		// In capitals, the two names are equal.
		if (second) second.record.name = '1 Maß 2';
		const found = await bench.all('feedback.getAll', { filters: { campaignId: '1 mass 2' } });
		expect(new Set(found.map(({ campaign_name }) => campaign_name))).toEqual(
			new Set([' 1 Mass 2 ']),
		);
	});

	test('a name that two campaigns share fails with both IDs', async () => {
		const [first, second] = bench.service.state.campaigns;
		if (first && second) second.record.name = first.record.name;
		const says = await bench.failure('metric.get', { campaignId: first?.record.name });
		expect(says).toContain("More than one campaign is named 'Relationship'");
		expect(says).toContain('Use the campaign ID: 101 or 102');
	});
});

test.each([
	['101', 101],
	[101, 101],
	[{ __rl: true, mode: 'id', value: '101' }, 101],
	[{ mode: 'list', value: 101 }, 101],
	['0101', '0101'],
])('the campaign ID %j is sent as %j without a lookup', async (campaignId, sent) => {
	await bench.run('survey.send', { campaignId, ...NEW });
	expect(bench.bodies()).toMatchObject([{ campaign_id: sent }]);
});

test.each(['={{ "" }}', '={{ null }}', '={{ ({ value: " " }) }}'])(
	'the campaign %j fails as missing',
	async (campaignId) => {
		const says = await bench.failure('survey.send', { campaignId, ...NEW });
		expect(says).toContain("'Campaign' is missing");
		expect(bench.lines()).toEqual([]);
	},
);

test('a campaign that only a later page of feedback names is found by its name', async () => {
	const campaign = { id: 102, name: 'On page two', status: 'ACTIVE' };
	for (const [rows, next] of [
		[[{ id: 1, campaign: { id: 7, name: 'Other' } }], '/api/v2/feedback/?page=2'],
		[[{ id: 2, campaign }], null],
	] as const) {
		const body = { count: 2, next, previous: null, results: rows };
		bench.service.faults.add({ path: /feedback/, kind: { status: 200, body } });
	}
	const campaignId = { __rl: true, mode: 'name', value: 'On page two' };
	const { items } = await bench.run('metric.get', { campaignId });
	expect(items).toHaveLength(1);
	expect(bench.lines()).toContain('GET /api/v2/feedback/?page=2');
});

test('the error for an unknown campaign says what could not be read', async () => {
	const { faults } = bench.service;
	faults.add({ path: /metrics/, kind: { status: 200, body: { results: [] } } });
	faults.add({ path: /feedback/, kind: { status: 403, body: { detail: 'Forbidden' } } });
	const campaignId = { __rl: true, mode: 'name', value: 'Unknown' };
	expect(await bench.failure('metric.get', { campaignId })).toContain(
		'Feedback could not be read completely: Forbidden (HTTP 403). Use the campaign ID: only',
	);
});
