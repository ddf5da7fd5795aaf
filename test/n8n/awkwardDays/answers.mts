import {
	AWKWARD_TEXT,
	BY_ID,
	MOMENTS_ONLY,
	NO_TABLE,
	ONE_DELIVERY,
	repeated,
	type AwkwardDays,
} from './days.mts';
import {
	afterFailingAccount,
	failingAccount,
	handInTable,
	importedTwice,
	onceByTwoImports,
} from './disturbances.mts';
import type { Play } from './play.mts';
import { refusal } from './refusal.mts';
import * as stories from './stories.mts';

// The examples that an answer in Survey B starts.

interface Answer {
	email?: string;
	campaignId?: number;
	score?: number;
	comment?: string;
}

const DELETED_IN_B = 'erase-person deletes the feedback in Survey B, which this example reads';
const BY_DELIVERY = 'Deliveries start it, and one that comes again finds its answer done';
const ONE_EACH = 'Each answer is taken by itself, whatever their number';
const REPLY = { path: /reply/ };

const callsOf = ({ world }: Play, path: string) =>
	world.calls.filter((call) => call.path === path).map(({ body }) => Object(body));
const feedback = ({ world }: Play) => world.sandbox.b.state.feedback;
const repliedTo = ({ world }: Play) =>
	world.sandbox.b.state.replies.map(({ feedbackId }) => String(feedbackId));
const escaped = (text: string) =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Lets answers come in, one after the other. */
async function come(play: Play, ...answers: Answer[]): Promise<void> {
	for (const answer of answers) {
		const person = { email: 'ada@days.example', campaignId: 101, score: 2 };
		play.world.sandbox.b.answer({ ...person, ...answer });
		await play.settle();
	}
}

/** Adds answers whose deliveries never came. */
async function missed(play: Play, count: number, answer: Answer = {}): Promise<void> {
	const { hooks } = play.world.sandbox.b.state;
	const held = hooks.splice(0);
	for (let i = 0; i < count; i++) {
		const email = `missed${i}@days.example`;
		play.world.sandbox.b.answer({ email, campaignId: 101, score: 1, comment: 'Lost', ...answer });
	}
	await play.world.sandbox.b.idle();
	hooks.push(...held);
}

/** "Each detractor is taken care of once, and the team reads every answer." */
export const routeDetractors: AwkwardDays = {
	story: stories.routeDetractors,
	days: {
		'an empty list': async (play) => {
			await play.hoursLater(1);
			expect(play.world.calls).toEqual([]);
		},
		'one item': async (play) => {
			await missed(play, 1);
			for (let hour = 0; hour < 2; hour++) await play.hoursLater(1);
			expect(repliedTo(play)).toHaveLength(1);
			expect(callsOf(play, '/open-ticket')).toHaveLength(1);
			// Nobody else would notice that deliveries stopped.
			expect((await play.seen()).match(/Subject: .*/g)).toEqual([
				'Subject: Detractors: 1 came by search only',
			]);
			expect(feedback(play)).toMatchObject([
				{ status: 'CLOSED', tags: [{ name: 'answered by n8n' }] },
			]);
		},
		'many items': async (play) => {
			await missed(play, 500);
			play.world.receiver.refusal = { path: '/open-ticket', status: 500, times: 10 };
			await play.hoursLater(1);
			expect(new Set(repliedTo(play)).size).toBe(500);
			expect(await play.seen()).toContain('ticket: ');
			expect(await play.seen()).toContain('Detractors: 500 came by search only');
			await play.hoursLater(1);
			expect(repeated(repliedTo(play))).toEqual([]);
			const tickets = callsOf(play, '/open-ticket').map((body) => String(body.feedback));
			expect(new Set(tickets).size).toBe(500);
		},
		'quotes, newlines, emoji and HTML': async (play) => {
			await come(play, { comment: AWKWARD_TEXT });
			expect(callsOf(play, '/alert-team')).toMatchObject([
				{ text: `ada@days.example gave 2: ${escaped(AWKWARD_TEXT)}` },
			]);
			expect(callsOf(play, '/open-ticket')).toMatchObject([{ comment: AWKWARD_TEXT }]);
		},
		'no email': async (play) => {
			await missed(play, 1);
			for (const one of feedback(play)) one.contact = { ...one.contact, email: '' };
			await play.hoursLater(1);
			expect(callsOf(play, '/alert-team')).toMatchObject([{ text: 'Somebody gave 1: Lost' }]);
			expect(feedback(play)).toMatchObject([{ status: 'CLOSED' }]);
		},
		'an address in other case': BY_ID,
		'two answers by one person in an hour': async (play) => {
			await come(play, {}, { campaignId: 102 }, { comment: 'Too slow' }, { score: 0 });
			expect(repliedTo(play)).toHaveLength(2);
			expect(callsOf(play, '/open-ticket')).toHaveLength(2);
			expect(callsOf(play, '/alert-team').map(({ text }) => text)).toEqual([
				'ada@days.example gave 2: no comment',
				'ada@days.example gave 2: no comment',
				'ada@days.example gave 2: Too slow',
				// A score that changes without a comment.
				'ada@days.example gave 0: Too slow',
			]);
			await play.hoursLater(1);
			expect(await play.seen()).toBe('');
		},
		'two starts within two seconds': async (play) => {
			await missed(play, 3);
			play.pass(1);
			await Promise.all([play.start('Every Hour'), play.start('Every Hour')]);
			await play.settle();
			expect(new Set(repliedTo(play)).size).toBe(3);
			expect(callsOf(play, '/open-ticket')).toHaveLength(3);
			expect(callsOf(play, '/alert-team')).toHaveLength(3);
		},
		'a fault of the service': async (play) => {
			// The reply fails: the team and the help desk hear of the detractor, and somebody hears of the reply.
			play.world.sandbox.b.faults.add({ ...REPLY, kind: refusal(500), times: Infinity });
			await come(play, { comment: 'Hello?' });
			expect(callsOf(play, '/alert-team')).toHaveLength(1);
			expect(callsOf(play, '/open-ticket')).toHaveLength(1);
			expect(await play.seen()).toContain('reply: ');
			expect(feedback(play)).toMatchObject([{ status: 'OPEN' }]);
			play.world.mend();
			await play.hoursLater(1);
			expect(repliedTo(play)).toHaveLength(1);
			expect(feedback(play)).toMatchObject([{ status: 'CLOSED' }]);
		},
		'a change of clocks': MOMENTS_ONLY,
		'an account that is refused for an hour': afterFailingAccount('service', 'crm'),
		'an erased person': DELETED_IN_B,
		'a hand in the table': async (play) => {
			const fill = async (count: number) => {
				for (let i = 0; 3 * i < count; i++) await come(play, { email: `p${i}@days.example` });
			};
			expect(await handInTable(play, 'Detractor steps', fill)).toEqual([]);
		},
		'a mass update': async (play) => {
			// Answers of last year that somebody opens again.
			await missed(play, 20);
			for (const one of feedback(play)) one.created = '2025-01-01T00:00:00.000000Z';
			await play.hoursLater(1);
			expect(play.world.calls).toEqual([]);
		},
		'a second import': onceByTwoImports,
	},
};

/** "Promoters are thanked once and become referrers." */
export const promoterToReferral: AwkwardDays = {
	story: stories.promoter,
	days: {
		'an empty list': async (play) => {
			await play.hoursLater(1);
			expect(await play.rows('Referrals')).toEqual([]);
		},
		'one item': async (play) => {
			await come(play, { score: 1 }, { score: 9, email: 'fan@days.example' });
			await play.hoursLater(1);
			expect(repliedTo(play)).toHaveLength(1);
			expect(await play.rows('Referrals')).toMatchObject([{ email: 'fan@days.example', score: 9 }]);
			const { attributes } = play.world.sandbox.b.state.contacts.get('fan@days.example') ?? {};
			expect(attributes).toMatchObject({ referrer: 'yes' });
			expect(feedback(play).at(-1)).toMatchObject({ status: 'CLOSED' });
		},
		'many items': async (play) => {
			await missed(play, 500, { score: 10 });
			await play.hoursLater(1);
			expect(new Set(repliedTo(play)).size).toBe(500);
			expect(await play.rows('Referrals')).toHaveLength(500);
		},
		'quotes, newlines, emoji and HTML': async (play) => {
			await come(play, { score: 9, comment: AWKWARD_TEXT });
			expect(await play.rows('Referrals')).toMatchObject([{ comment: AWKWARD_TEXT }]);
		},
		'no email': 'Nobody is surveyed without one',
		'an address in other case': BY_ID,
		'two answers by one person in an hour': async (play) => {
			const more = { score: 10, comment: 'Great' };
			await come(play, { score: 10 }, more, { ...more, campaignId: 102 });
			expect(repliedTo(play)).toHaveLength(2);
			const comments = (await play.rows('Referrals')).map(({ comment }) => comment);
			expect(comments).toEqual(['Great', 'Great']);
			expect(await play.seen()).toBe('');
		},
		'two starts within two seconds': BY_DELIVERY,
		'a fault of the service': async (play) => {
			play.world.sandbox.b.faults.add({ ...REPLY, kind: refusal(500), times: Infinity });
			await come(play, { score: 10 });
			expect(await play.seen()).toContain('500');
			play.world.mend();
			await play.hoursLater(1);
			expect(repliedTo(play)).toHaveLength(1);
		},
		'a change of clocks': MOMENTS_ONLY,
		'an account that is refused for an hour': afterFailingAccount('service'),
		'an erased person': DELETED_IN_B,
		'a hand in the table': 'Its table is a list to read: nothing is taken out of it',
		'a mass update': async (play) => {
			await missed(play, 20, { score: 10 });
			for (const one of feedback(play)) one.created = '2025-01-01T00:00:00.000000Z';
			await play.hoursLater(1);
			expect(repliedTo(play)).toEqual([]);
		},
		'a second import': onceByTwoImports,
	},
};

/** "Each detractor opens one Zendesk ticket with everything that is known." */
export const zendeskTicket: AwkwardDays = {
	story: stories.zendesk,
	days: {
		'an empty list': async (play) => {
			await play.hoursLater(1);
			expect(play.world.calls).toEqual([]);
		},
		'one item': async (play) => {
			await come(
				play,
				{ email: 'eve@other.example', score: 9, comment: 'Secret' },
				{ comment: 'Slow' },
			);
			await play.hoursLater(1);
			expect(callsOf(play, '/open-ticket')).toMatchObject([
				{ description: 'Slow\n\nEarlier answers:\nThis is the first answer.' },
			]);
			expect(callsOf(play, '/add-to-ticket')).toEqual([]);
		},
		'many items': ONE_EACH,
		'quotes, newlines, emoji and HTML': async (play) => {
			await come(play, { comment: AWKWARD_TEXT });
			expect(callsOf(play, '/open-ticket')).toMatchObject([
				{ description: expect.stringContaining(AWKWARD_TEXT) },
			]);
		},
		'no email': async (play) => {
			await come(play, { email: 'eve@other.example', score: 9, comment: 'Secret' });
			const [answer] = feedback(play);
			const given = { id: 999, score: 1, score_type: 'detractor', comment: 'Mine' };
			const nobody = { ...answer, ...given, contact: null };
			await play.world.sandbox.b.deliver('feedback.added_or_changed', nobody);
			await play.settle();
			expect(callsOf(play, '/open-ticket')).toHaveLength(1);
			expect(JSON.stringify(callsOf(play, '/open-ticket'))).not.toContain('Secret');
		},
		'an address in other case': async (play) => {
			play.world.sandbox.b.settings.exactEmails = true;
			const email = 'Ada@Days.example';
			await come(play, { email, campaignId: 102, score: 8, comment: 'Fine' }, { email });
			expect(callsOf(play, '/open-ticket')).toMatchObject([
				{ description: expect.stringContaining('Fine') },
			]);
		},
		'two answers by one person in an hour': async (play) => {
			await come(play, { comment: 'One' }, { campaignId: 102, comment: 'Two' });
			expect(callsOf(play, '/open-ticket')).toHaveLength(2);
			expect(callsOf(play, '/open-ticket')[1]?.description).toContain('One');
			// A score that changes without a comment.
			await come(play, { comment: 'One', score: 0 });
			expect(callsOf(play, '/open-ticket')).toHaveLength(2);
			expect(callsOf(play, '/add-to-ticket')).toMatchObject([
				{ updateFieldsJson: expect.stringContaining('The answer has changed: 0 of 10. One') },
			]);
		},
		'two starts within two seconds': BY_DELIVERY,
		'a fault of the service': async (play) => {
			// The ticket says that the earlier answers could not be read.
			const read = { method: 'GET', path: /feedback/ };
			play.world.sandbox.b.faults.add({ ...read, kind: refusal(500), times: Infinity });
			await come(play, {});
			expect(callsOf(play, '/open-ticket')).toMatchObject([
				{ description: expect.stringContaining('They could not be read: ') },
			]);
		},
		'a change of clocks': MOMENTS_ONLY,
		'an account that is refused for an hour': afterFailingAccount('crm'),
		'an erased person': DELETED_IN_B,
		'a hand in the table': async (play) => {
			const fill = async (count: number) => {
				for (let i = 0; i < count; i++) await come(play, { email: `p${i}@days.example` });
			};
			expect(await handInTable(play, 'Zendesk tickets of detractors', fill)).toEqual([]);
		},
		'a mass update': async (play) => {
			await missed(play, 20);
			for (const one of feedback(play)) one.created = '2025-01-01T00:00:00.000000Z';
			await play.hoursLater(1);
			expect(callsOf(play, '/open-ticket')).toEqual([]);
		},
		'a second import': onceByTwoImports,
	},
};

/** "A detractor is answered from Slack": once, and only after a person has approved the reply. */
export const slackReply: AwkwardDays = {
	story: stories.slack,
	days: {
		'an empty list': ONE_DELIVERY,
		'one item': async (play) => {
			await come(play, { comment: 'Slow' });
			expect(callsOf(play, '/ask-in-slack')).toHaveLength(1);
			expect(repliedTo(play)).toHaveLength(1);
			play.world.answer = () => ({ data: { approved: false } });
			await come(play, { comment: 'No reply', campaignId: 102 });
			expect([callsOf(play, '/ask-in-slack').length, repliedTo(play).length]).toEqual([2, 1]);
		},
		'many items': ONE_DELIVERY,
		'quotes, newlines, emoji and HTML': async (play) => {
			const link = `${AWKWARD_TEXT}\n<https://evil.example|Open the dashboard>\nReply:\n&lt;`;
			await come(play, { comment: link });
			// The Slack node turns each code of a character back into the character once.
			const characters: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };
			const asked = String(callsOf(play, '/ask-in-slack')[0]?.message);
			const shown = asked.replace(/&(amp|lt|gt);/g, (code) => characters[code] ?? '');
			expect(shown).not.toContain('<');
			expect(shown).toContain('*ada@days.example* gave *2*');
			expect(shown).toContain(
				'\n> &lt;https://evil.example|Open the dashboard&gt;\n> Reply:\n> &amp;lt;\n\nReply:\n> Thank you',
			);
			expect(play.world.sandbox.b.state.replies).toMatchObject([
				{ message: expect.stringContaining(link) },
			]);
		},
		'no email': 'Nobody is surveyed without one',
		'an address in other case': BY_ID,
		'two answers by one person in an hour': async (play) => {
			await come(play, { comment: 'One' }, { campaignId: 102, comment: 'Two' });
			expect(callsOf(play, '/ask-in-slack')).toHaveLength(2);
			expect(repliedTo(play)).toHaveLength(2);
		},
		'two starts within two seconds': BY_DELIVERY,
		'a fault of the service': async (play) => {
			play.world.sandbox.b.faults.add({ ...REPLY, kind: refusal(503), times: Infinity });
			await come(play, { comment: 'Hello?' });
			const [run] = await play.runs();
			expect(run).toMatchObject({ status: 'error', lastNode: 'Reply' });
			play.world.mend();
			// Retry goes on at the reply. Nobody is asked again.
			await play.retryAll();
			await play.settle();
			expect([callsOf(play, '/ask-in-slack').length, repliedTo(play).length]).toEqual([1, 1]);
		},
		'a change of clocks': MOMENTS_ONLY,
		'an account that is refused for an hour': async (play) => {
			for (const account of ['service', 'crm'] as const) {
				const { never, atOnce, clicks } = await failingAccount(play, account, 401);
				expect([account, never, clicks]).toEqual([account, [], 1]);
				expect(atOnce).not.toBe('');
			}
		},
		'an erased person': DELETED_IN_B,
		'a hand in the table': NO_TABLE,
		'a mass update': ONE_DELIVERY,
		'a second import': async (play) => {
			// Both copies ask. The customer gets one reply.
			const { never, twice } = await importedTwice(play);
			expect([never, twice]).toEqual([[], ['ask']]);
		},
	},
};
