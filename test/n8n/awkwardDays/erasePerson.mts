import { until } from '../../../host/until.mts';
import { createTable, recordsOf } from '../../support/dataTable.mts';
import { click, linksInEmail, unwrapped } from '../../support/mailbox.mts';
import { host } from '../../support/n8n.mts';
import { request } from '../../support/sandbox';
import { NO_TABLE, type AwkwardDays, type Check } from './days.mts';
import type { Play } from './play.mts';
import { refusal } from './refusal.mts';
import * as stories from './stories.mts';

const ADA = 'Ada@Days.example';
const CAMPAIGN = '64a000000000000000000003';

/** Asks for an erasure, approves or declines it, and returns the receipt. */
async function erase(
	play: Play,
	email: string,
	{ decision = 'approve' as 'approve' | 'decline', meanwhile = async () => {} } = {},
): Promise<string> {
	const { n8n } = host;
	const { mailbox } = play.world;
	const [id = ''] = play.ids;
	const form = new FormData();
	form.append('field-0', ` ${email}`);
	await play.submit('Erase a Person', form);
	const links = await linksInEmail(mailbox);
	await n8n.waitUntilWaiting(id);
	mailbox.messages.length = 0;
	await meanwhile();
	await click(links[decision]);
	const runs = async () => await n8n.executions(id).catch(() => undefined);
	// The log of the run would keep all comments. n8n has removed it when its list is empty.
	await until(runs, (list) => list?.length === 0, {
		what: 'The log of the run',
		timeoutMs: 120_000,
	});
	return unwrapped(mailbox.messages[0] ?? '');
}

/** Puts a person into both services. Survey A keeps nothing but the customer. */
async function knownPerson({ world }: Play, email: string): Promise<void> {
	const { a, b } = world.sandbox;
	await request(a, 'POST /api/v2/survey', { campaign: CAMPAIGN, subscribers: [{ email }] });
	a.state.outbox.length = 0;
	await request(b, 'POST /api/v2/contacts/', { email });
	b.answer({ email, campaignId: 101, score: 2, comment: 'No' });
}

const isInA = ({ world }: Play, email: string) =>
	[...world.sandbox.a.state.customers.values()].some((one) => one.email === email);
const isInB = ({ world }: Play, email: string) =>
	[...world.sandbox.b.state.contacts.values()].some((one) => one.email === email);
const commentsOf = ({ world }: Play, email: string) =>
	world.sandbox.b.state.feedback.filter(({ contact }) => contact.email === email);

/** Survey B does not show its feedback. All else is deleted, and the receipt says why not all is gone. */
const refusedBy = (status: number): Check => {
	return async (play) => {
		await knownPerson(play, ADA);
		const read = { method: 'GET', path: /feedback/, kind: refusal(status), times: Infinity };
		play.world.sandbox.b.faults.add(read);
		const receipt = await erase(play, ADA);
		expect(isInA(play, ADA)).toBe(false);
		expect(receipt).toContain('Not all erased');
		expect(receipt).toContain('Refused');
	};
};

/** "Erase a person, and say what is gone and what is not." */
export const erasePerson: AwkwardDays = {
	story: { ...stories.erase, begin: undefined },
	days: {
		'an empty list': async (play) => {
			const receipt = await erase(play, 'nobody@days.example');
			expect(receipt).toContain('Subject: Erased');
			expect(receipt).toContain('0 deleted');
		},
		'one item': async (play) => {
			const rows = [{ email: ` ${ADA} ` }, { email: `not-${ADA}` }];
			await createTable(host.n8n, 'Referrals', [{ name: 'email', type: 'string' }], rows);
			await knownPerson(play, ADA);
			expect(await erase(play, ADA, { decision: 'decline' })).toBe('');
			expect([isInA(play, ADA), isInB(play, ADA)]).toEqual([true, true]);
			play.world.mailbox.messages.length = 0;
			const receipt = await erase(play, ADA);
			expect([isInA(play, ADA), isInB(play, ADA), commentsOf(play, ADA).length]).toEqual([
				...[false, false, 0],
			]);
			expect(receipt).toContain('Subject: Erased');
			expect(receipt).toContain('1 deleted');
			expect(receipt).toMatch(/Hash of the address[^<]*<\/td><td>Stays/);
			expect(await recordsOf(host.n8n, 'Referrals')).toMatchObject([{ email: `not-${ADA}` }]);
			await host.n8n.deleteDataTables(['Referrals']);
		},
		'many items': async (play) => {
			await knownPerson(play, ADA);
			play.world.sandbox.b.seedFeedback(150);
			const { contact } = commentsOf(play, ADA)[0] ?? {};
			for (const one of play.world.sandbox.b.state.feedback.slice(-150))
				Object.assign(one, { contact });
			await erase(play, ADA);
			expect(commentsOf(play, ADA)).toEqual([]);
		},
		'quotes, newlines, emoji and HTML': 'It shows no text of the person',
		'no email': 'The form requires one',
		'an address in other case': async (play) => {
			play.world.sandbox.a.settings.exactEmails = true;
			play.world.sandbox.b.settings.exactEmails = true;
			await knownPerson(play, ADA.toLowerCase());
			const subscribers = [{ email: ADA }];
			await request(play.world.sandbox.a, 'POST /api/v2/survey', {
				campaign: CAMPAIGN,
				subscribers,
			});
			const receipt = await erase(play, ADA);
			for (const email of [ADA, ADA.toLowerCase()]) {
				expect([isInA(play, email), isInB(play, email), commentsOf(play, email).length]).toEqual([
					...[false, false, 0],
				]);
			}
			expect(receipt).toContain(`Asked for ${ADA} and ${ADA.toLowerCase()}`);
			// Survey A's outbox cannot be deleted.
			expect(receipt).toContain('Not all erased');
			expect(receipt).toContain('Still there: ');
		},
		'two answers by one person in an hour': 'It deletes all answers',
		'two starts within two seconds': 'Each run asks for an approval, and deletes what is there',
		'a fault of the service': refusedBy(503),
		'a change of clocks': 'It compares no times',
		'an account that is refused for an hour': refusedBy(401),
		'an erased person': async (play) => {
			await knownPerson(play, ADA);
			await erase(play, ADA);
			play.world.mailbox.messages.length = 0;
			expect(await erase(play, ADA.toUpperCase())).toContain('Subject: Erased');
			// Both spellings are one person.
			expect(await play.rows('Erased people')).toHaveLength(1);
		},
		'a hand in the table': NO_TABLE,
		'a mass update': 'It erases the person whom the form names',
		'a second import': 'n8n publishes no second form with the same address',
	},
};
