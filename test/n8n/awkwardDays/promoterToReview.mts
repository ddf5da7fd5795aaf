import { request } from '../../support/sandbox';
import { addresses, AWKWARD_TEXT, MOMENTS_ONLY, repeated, type AwkwardDays } from './days.mts';
import { afterFailingAccount, onceByTwoImports } from './disturbances.mts';
import type { Play } from './play.mts';
import { refusal } from './refusal.mts';
import * as stories from './stories.mts';

const TABLE = 'Review requests';
const ADA = 'ada@days.example';
const DAY = 24;
const CONTACT = { method: 'GET', path: /contacts/ };

const asked = stories.askedForReview;

const told = (play: Play) => play.mails().filter((one) => /^To: team@example.com/m.test(one));

const rowOf = async (play: Play, email: string) =>
	(await play.rows(TABLE)).find((row) => row.email === email);

/** Lets promoters answer in place of those of the story. */
function promoters({ world }: Play, ...emails: string[]): void {
	const { b } = world.sandbox;
	b.state.feedback.length = 0;
	for (const email of emails) b.answer({ email, campaignId: 101, score: 10 });
}

async function morning(play: Play): Promise<void> {
	await play.start('Every Morning');
	await play.settle();
}

/** "Promoters are asked for a public review: ten a week, each person once a year." */
export const promoterToReview: AwkwardDays = {
	story: stories.promoterToReview,
	days: {
		'an empty list': async (play) => {
			promoters(play);
			await morning(play);
			expect([await play.rows(TABLE), play.world.mailbox.messages]).toEqual([[], []]);
		},
		'one item': async (play) => {
			const { b } = play.world.sandbox;
			promoters(play, ADA, 'out@days.example');
			b.answer({ email: 'bad@days.example', campaignId: 101, score: 6 });
			await request(b, 'POST /api/v2/contacts/unsubscribe/', { emails: ['out@days.example'] });
			await morning(play);
			expect(asked(play)).toEqual([ADA]);
			expect(await rowOf(play, ADA)).toMatchObject({ result: 'asked' });
			expect(await rowOf(play, 'out@days.example')).toMatchObject({ result: null });
			// Once a year, whatever they answer.
			await play.hoursLater(200 * DAY);
			promoters(play, ADA);
			await play.hoursLater(DAY);
			expect(asked(play)).toEqual([ADA]);
			await play.hoursLater(165 * DAY);
			promoters(play, ADA);
			await play.hoursLater(DAY);
			expect(asked(play)).toEqual([ADA, ADA]);
			expect(told(play)).toEqual([]);
		},
		'many items': async (play) => {
			promoters(play, ...addresses(14));
			const found = [];
			for (let day = 0; day < 9; day++) {
				await (day === 0 ? morning(play) : play.hoursLater(DAY));
				found.push(asked(play).length);
			}
			expect(found).toEqual([10, 10, 10, 10, 10, 10, 10, 14, 14]);
			expect([...asked(play)].sort()).toEqual(addresses(14).sort());
		},
		'quotes, newlines, emoji and HTML': async (play) => {
			promoters(play, ADA);
			const contact = play.world.sandbox.b.state.contacts.get(ADA);
			Object.assign(contact ?? {}, { first_name: AWKWARD_TEXT });
			await morning(play);
			expect(asked(play)).toEqual([ADA]);
			const [mail = ''] = play.mails();
			expect(mail).toContain('&lt;b>bad');
			expect(mail).not.toContain('<b>bad');
		},
		'no email': async (play) => {
			promoters(play, 'p0@days.example', ADA);
			Object.assign(play.world.sandbox.b.state.feedback[0] ?? {}, { contact: null });
			await morning(play);
			expect(asked(play)).toEqual([ADA]);
		},
		'an address in other case': async (play) => {
			play.world.sandbox.b.settings.exactEmails = true;
			promoters(play, 'Ada@Days.example');
			await morning(play);
			promoters(play, ADA);
			await morning(play);
			// The domain of an address has no case, and n8n writes it in lower case.
			expect(asked(play)).toEqual(['Ada@days.example']);
		},
		'two answers by one person in an hour': async (play) => {
			promoters(play, ADA);
			play.world.sandbox.b.answer({ email: ADA, campaignId: 102, score: 9 });
			await morning(play);
			expect(asked(play)).toEqual([ADA]);
		},
		'two starts within two seconds': async (play) => {
			promoters(play, ...addresses(8));
			await Promise.all([play.start('Every Morning'), play.start('Every Morning')]);
			await play.settle();
			await play.hoursLater(DAY);
			expect(repeated(asked(play))).toEqual([]);
			expect(asked(play)).toHaveLength(8);
		},
		'a fault of the service': async (play) => {
			promoters(play, ADA, 'b@days.example');
			play.world.sandbox.b.faults.add({ ...CONTACT, kind: refusal(500), times: Infinity });
			await morning(play);
			expect(asked(play)).toEqual([]);
			expect(told(play).join()).toMatch(/b@days\.example: .*500/);
			play.world.mend();
			// The mail server refuses one address. The others are asked, and this one is tried again.
			play.world.mailbox.refused = ADA;
			await morning(play);
			expect(asked(play)).toEqual(['b@days.example']);
			expect(told(play).at(-1)).toContain(`${ADA}: `);
			play.world.mailbox.refused = undefined;
			await play.hoursLater(DAY);
			expect(asked(play)).toEqual(['b@days.example', ADA]);
			expect(await rowOf(play, ADA)).toMatchObject({ result: 'asked' });
		},
		'a change of clocks': MOMENTS_ONLY,
		'an account that is refused for an hour': afterFailingAccount('service'),
		'an erased person': 'erase-person deletes the feedback in Survey B, which this example reads',
		'a hand in the table': async (play) => {
			promoters(play, ADA);
			await morning(play);
			for (const value of ['', null, 'Waiting']) play.type(TABLE, { email: value, result: value });
			await play.hoursLater(DAY);
			expect(asked(play)).toEqual([ADA]);
		},
		'a mass update': async (play) => {
			promoters(play, ...addresses(30));
			for (const one of play.world.sandbox.b.state.feedback) {
				one.created = '2025-01-01T00:00:00.000000Z';
			}
			await morning(play);
			expect(asked(play)).toEqual([]);
		},
		'a second import': onceByTwoImports,
	},
};
