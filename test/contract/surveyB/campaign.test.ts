import { mapped } from '../../support/columns';
import { useRunner } from './runner';

const runner = useRunner();

const NEW = mapped({ email: 'new@example.com' });

test('a campaign name in place of an ID fails at once', async () => {
	for (const campaignId of [
		'Relationship',
		'NPS2026',
		'Q4-2026',
		{ __rl: true, mode: 'id', value: 'Relationship' },
	]) {
		const says = await runner.failure('survey.send', { campaignId, ...NEW });
		expect(says).toContain("'Campaign' must be an ID, not a name");
		expect(says).not.toContain('__rl');
	}
	expect(runner.lines()).toEqual([]);
});

test('metrics, feedback filters and new feedback take the ID of a campaign', async () => {
	const campaign_name = 'After support ticket';
	expect(await runner.one('metric.get', { campaignId: 102 })).toMatchObject({ campaign_name });
	const found = await runner.all('feedback.getAll', { filters: { campaignId: '102' } });
	expect(new Set(found.map((one) => one.campaign_name))).toEqual(new Set([campaign_name]));
	const made = { campaignId: '102', email: 'ada@acme.example', score: 3 };
	expect(await runner.one('feedback.create', made)).toMatchObject({ campaign_name });
});

test.each([
	['101', 101],
	[101, 101],
	[{ __rl: true, mode: 'id', value: '101' }, 101],
	[{ mode: 'list', value: 101 }, 101],
	['0101', '0101'],
])('the campaign ID %j is sent as %j without a lookup', async (campaignId, sent) => {
	await runner.run('survey.send', { campaignId, ...NEW });
	expect(runner.bodies()).toMatchObject([{ campaign_id: sent }]);
});

test.each(['={{ "" }}', '={{ null }}', '={{ ({ value: " " }) }}'])(
	'the campaign %j fails as missing',
	async (campaignId) => {
		const says = await runner.failure('survey.send', { campaignId, ...NEW });
		expect(says).toContain("'Campaign' is missing");
		expect(runner.lines()).toEqual([]);
	},
);
