import { request } from '../../support/sandbox';
import { addresses, AWKWARD_TEXT, NO_TABLE, type AwkwardDays } from './days.mts';
import { allByTwoImports, erasedPerson, failingAccount } from './disturbances.mts';
import type { Play } from './play.mts';
import { refusal } from './refusal.mts';
import * as stories from './stories.mts';

const CAMPAIGN = '64a000000000000000000003';
const OUTBOX = { method: 'GET', path: /outbox/ };

type Customer = ReturnType<typeof stories.customer>;

const yesterday = ({ world }: Play) => world.ago(24);

/** Lets Survey A survey people an hour ago. Returns its list of them. */
async function surveyed({ world }: Play, ...emails: string[]) {
	const { a } = world.sandbox;
	for (let start = 0; start < emails.length; start += 100) {
		const subscribers = emails.slice(start, start + 100).map((email) => ({ email }));
		await request(a, 'POST /api/v2/survey', { campaign: CAMPAIGN, subscribers });
	}
	return a.state.outbox.slice(-emails.length);
}

/** A morning on which HubSpot shows these customers. */
async function morning(play: Play, ...customers: Customer[]): Promise<void> {
	play.world.answer = () => customers;
	await play.start('Every Morning');
	await play.settle();
}

const won = (play: Play, ...emails: string[]) =>
	emails.map((email) => stories.customer(email, yesterday(play)));

/** "Who was really surveyed?": one mail lists who got no survey. */
export const whoWasSurveyed: AwkwardDays = {
	story: stories.whoWasSurveyed,
	days: {
		'an empty list': async (play) => {
			await morning(play);
			expect(play.mails()).toEqual([]);
		},
		'one item': async (play) => {
			const emails = ['got', 'out', 'bounced', 'not'].map((name) => `${name}@days.example`);
			const [, out, bounced] = await surveyed(play, ...emails.slice(0, 3));
			if (out) out.detailedStatus.isOptedOut = true;
			if (bounced) bounced.detailedStatus.isBounced = true;
			await morning(play, ...won(play, ...emails));
			expect(play.mails()).toHaveLength(1);
			const [mail = ''] = play.mails();
			expect(mail).toContain('<p>not@days.example: notYet</p>');
			expect(mail).toContain('<p>out@days.example: optedOut</p>');
			expect(mail).toContain('<p>bounced@days.example: bounced</p>');
			expect(mail).not.toContain('got@days.example');
		},
		'many items': async (play) => {
			await surveyed(play, ...addresses(120));
			await morning(play, ...won(play, ...addresses(200)));
			expect(play.mails()).toHaveLength(1);
			expect(play.mails()[0]?.match(/: notYet/g)).toHaveLength(80);
		},
		'quotes, newlines, emoji and HTML': async (play) => {
			await morning(play, ...won(play, AWKWARD_TEXT, 'not@days.example'));
			expect(play.mails()).toHaveLength(1);
			expect(play.mails()[0]).not.toContain('<b>bad');
			expect(play.mails()[0]).toContain('not@days.example: notYet');
		},
		'no email': async (play) => {
			await morning(play, stories.customer(null, yesterday(play), {}, 77));
			expect(play.mails()).toHaveLength(1);
			expect(play.mails()[0]).toContain('HubSpot contact 77: ');
		},
		'an address in other case': async (play) => {
			await surveyed(play, 'Ada@Days.example');
			await morning(play, ...won(play, 'ada@days.EXAMPLE'));
			expect(play.mails()).toEqual([]);
		},
		'two answers by one person in an hour': 'It gets no answers',
		'two starts within two seconds': 'It reads, and sends one mail: a second one has the same text',
		'a fault of the service': async (play) => {
			play.world.sandbox.a.faults.add({ ...OUTBOX, kind: refusal(500), times: Infinity });
			await morning(play, ...won(play, 'a@days.example', 'b@days.example'));
			expect(play.mails()).toHaveLength(1);
			for (const email of ['a@days.example', 'b@days.example']) {
				expect(play.mails()[0]).toMatch(new RegExp(`${email}: .*500`));
			}
		},
		'a change of clocks': 'It compares calendar days',
		'an account that is refused for an hour': async (play) => {
			const { atOnce } = await failingAccount(play, 'service', 401);
			for (const email of addresses(2)) expect(atOnce).toMatch(new RegExp(`${email}: .*401`));
			// HubSpot shows nobody: the run fails, and the next one lists them.
			const byHubspot = await failingAccount(play, 'crm', 401);
			expect(byHubspot.never).toEqual([]);
			expect(byHubspot.atOnce).not.toBe('');
		},
		'an erased person': async (play) => {
			expect(await erasedPerson(play, 'p0@days.example')).toEqual([]);
			expect(play.mails()[0]).toContain('p1@days.example: notYet');
			// Somebody who opted out of email in HubSpot is not missed either.
			play.world.mailbox.messages.length = 0;
			const out = { hs_email_optout: 'true' };
			await morning(play, stories.customer('out@days.example', yesterday(play), out));
			expect(play.mails()).toEqual([]);
		},
		'a hand in the table': NO_TABLE,
		'a mass update': async (play) => {
			const dates = [0, 48, 24 * 400].map((hours) => play.world.ago(hours));
			await morning(play, ...dates.map((date) => stories.customer('old@days.example', date)));
			expect(play.mails()).toEqual([]);
		},
		'a second import': allByTwoImports,
	},
};
