import { unwrapped } from '../../support/mailbox.mts';
import { request } from '../../support/sandbox';
import type { AwkwardDays } from './days.mts';
import { reportDays } from './exports.mts';
import type { Play } from './play.mts';
import * as stories from './stories.mts';

const DAY = 24 * 3_600_000;

const PURCHASE = { id: '64a000000000000000000003', name: 'After purchase' };
const SUPPORT = { id: '64a000000000000000000004', name: 'After support ticket' };

interface Sent {
	campaign: typeof PURCHASE;
	daysAgo: number;
	count: number;
	/** Days until the response; none without. */
	responses?: number[];
	bounced?: number;
}

/** Adds surveys to the outbox: the first ones have a response, the last ones bounced. */
async function sent({ world }: Play, ...batches: Sent[]): Promise<void> {
	const { a } = world.sandbox;
	const dateOf = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY).toISOString();
	const subscribers = [{ email: 'ada@days.example' }];
	await request(a, 'POST /api/v2/survey', { campaign: PURCHASE.id, subscribers });
	const [sample] = a.state.outbox.splice(0);
	if (!sample) throw new Error('The outbox is empty');
	for (const { campaign, daysAgo, count, responses = [], bounced = 0 } of batches) {
		for (let i = 0; i < count; i++) {
			const after = responses[i];
			a.state.outbox.push({
				...{ ...sample, email: `p${a.state.outbox.length}@days.example` },
				...{ campaign: campaign.name, campaignId: campaign.id, sentDate: dateOf(daysAgo) },
				detailedStatus: {
					...sample.detailedStatus,
					isResponded: after !== undefined,
					respondedDate: after === undefined ? '' : dateOf(daysAgo - after),
					isBounced: i >= count - bounced,
				},
			});
		}
	}
}

/** Returns the rows of the mail: campaign, delivery, response; bold ones begin with a star. */
async function monday(play: Play): Promise<string[]> {
	await play.start('Every Monday');
	await play.settle();
	expect(play.world.mailbox.messages).toHaveLength(1);
	const [, ...rows] = mail(play).split(/<tr/);
	return rows.slice(1).map((row) => {
		const cells = [...row.matchAll(/<td>(.*?)<\/td>/g)].map(([, text]) => text);
		return (row.includes('bold') ? '* ' : '') + cells.join(' | ');
	});
}

const mail = ({ world }: Play) => unwrapped(world.mailbox.messages[0] ?? '');
const soon = (count: number) => Array.from({ length: count }, () => 1);

const report = reportDays({
	story: stories.responseRate,
	reads: /outbox/,
	empty: ({ world }) => (world.sandbox.a.state.outbox.length = 0),
	emptySubject: /Subject: Survey rates: 0 campaigns[\s\S]*No survey was sent in five weeks/,
	many: ({ world }) => world.sandbox.a.seedOutbox(10_500),
	awkward: ({ world }) => {
		world.sandbox.a.seedOutbox(3);
		for (const one of world.sandbox.a.state.outbox) one.campaign = '<b>"A" & B</b> 😀';
	},
	// The mailbox decodes "&amp;".
	escaped: '&lt;b>"A" & B&lt;/b>',
});

/** "One mail has a row for each campaign, the largest fall first, and bold if chance hardly explains it." */
export const responseRate: AwkwardDays = {
	...report,
	days: {
		...report.days,
		'one item': async (play) => {
			await sent(
				play,
				// Support is as ever. An answer that came after the Monday of its week does not count.
				{ campaign: SUPPORT, daysAgo: 2, count: 20, responses: soon(8) },
				{ campaign: SUPPORT, daysAgo: 9, count: 20, responses: [...soon(8), 3, 3, 3, 3] },
				{ campaign: SUPPORT, daysAgo: 33, count: 20, responses: soon(8) },
				{ campaign: PURCHASE, daysAgo: 3, count: 40, responses: soon(4) },
				{ campaign: PURCHASE, daysAgo: 16, count: 80, responses: soon(32), bounced: 8 },
				// Older weeks do not count.
				{ campaign: PURCHASE, daysAgo: 36, count: 50, responses: soon(50) },
			);
			expect(await monday(play)).toEqual([
				'* After purchase | 100 % of 40, before 90 % of 80 | 10 % of 40, before 44 % of 72',
				'After support ticket | 100 % of 20, before 100 % of 40 | 40 % of 20, before 40 % of 40',
			]);
			expect(mail(play)).toContain('Subject: Survey rates: 1 campaigns fell clearly');
			expect(mail(play)).not.toContain('Only the newest');
		},
		'two answers by one person in an hour': async (play) => {
			// Three surveys more or less mean nothing, and bounces are a fall, too.
			await sent(
				play,
				{ campaign: SUPPORT, daysAgo: 2, count: 3 },
				{ campaign: SUPPORT, daysAgo: 9, count: 3, responses: soon(2) },
				{ campaign: PURCHASE, daysAgo: 2, count: 50, bounced: 20 },
				{ campaign: PURCHASE, daysAgo: 9, count: 50, bounced: 1 },
			);
			expect(await monday(play)).toEqual([
				'* After purchase | 60 % of 50, before 98 % of 50 | 0 % of 30, before 0 % of 49',
				'After support ticket | 100 % of 3, before 100 % of 3 | 0 % of 3, before 67 % of 3',
			]);
		},
		'many items': async (play) => {
			play.world.sandbox.a.seedOutbox(10_500);
			expect((await monday(play)).length).toBeGreaterThan(1);
			expect(mail(play)).toContain('Only the newest 10000 surveys were read, back to 20');
		},
	},
};
