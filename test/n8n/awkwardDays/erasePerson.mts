import { until } from '../../../host/until.mts';
import { click, linksInEmail, unwrapped } from '../../support/mailbox.mts';
import { createTable, recordsOf } from '../../support/dataTable.mts';
import { host, sandbox } from '../../support/n8n.mts';
import {
	contactsOfB,
	imported,
	mailbox,
	refusal,
	submit,
	surveyedByA,
	type AwkwardDays,
} from './setup.mts';

const NAME = 'erase-person';
const ADA = 'Ada@Days.example';

/** Asks for an erasure, approves it, and returns the receipt. */
async function erase(email: string, meanwhile: () => Promise<void> = async () => {}) {
	const { n8n } = host;
	const id = await imported(NAME);
	await n8n.activate(id);
	const form = new FormData();
	form.append('field-0', ` ${email}`);
	await submit(id, 'Erase a Person', form);
	const { approve } = await linksInEmail(mailbox);
	await n8n.waitUntilWaiting(id);
	mailbox.messages.length = 0;
	await meanwhile();
	await click(approve);
	const receipt = () => mailbox.messages[0];
	const isThere = (message?: string) => message !== undefined;
	const text = unwrapped(
		await until(receipt, isThere, { what: 'The receipt', timeoutMs: 120_000 }),
	);
	const runs = async () => await n8n.executions(id).catch(() => undefined);
	// The log of the run would keep all comments.
	await until(runs, (list) => list?.length === 0, { what: 'The log of the run' });
	await n8n.deactivate(id);
	return text;
}

/** Puts a person into both services. Survey A keeps nothing but the customer. */
async function knownPerson(email: string): Promise<void> {
	await surveyedByA([email]);
	sandbox.a.state.outbox.length = 0;
	await contactsOfB([email]);
	sandbox.b.answer({ email, campaignId: 101, score: 2, comment: 'No' });
}

const isInA = (email: string) =>
	[...sandbox.a.state.customers.values()].some((one) => one.email === email);
const isInB = (email: string) =>
	[...sandbox.b.state.contacts.values()].some((one) => one.email === email);
const commentsOf = (email: string) =>
	sandbox.b.state.feedback.filter(({ contact }) => contact.email === email);

/** Survey B does not show its feedback. All else is deleted, and the receipt says why not all is gone. */
const refusedBy = (status: number) => async () => {
	await knownPerson(ADA);
	sandbox.b.faults.add({
		...{ method: 'GET', path: /feedback/, kind: refusal(status), times: Infinity },
	});
	const receipt = await erase(ADA);
	expect(isInA(ADA)).toBe(false);
	expect(receipt).toContain('Not all erased');
	expect(receipt).toContain('Refused');
};

/** "Erase a person, and say what is gone and what is not." */
export const erasePerson: AwkwardDays = {
	name: NAME,
	days: {
		'an empty list': async () => {
			const receipt = await erase('nobody@days.example');
			expect(receipt).toContain('Subject: Erased');
			expect(receipt).toContain('0 deleted');
		},
		'one item': async () => {
			await knownPerson(ADA);
			await createTable(
				host.n8n,
				'Referrals',
				[{ name: 'email', type: 'string' }],
				[{ email: ` ${ADA} ` }, { email: `not-${ADA}` }],
			);
			const receipt = await erase(ADA);
			expect([isInA(ADA), isInB(ADA), commentsOf(ADA).length]).toEqual([false, false, 0]);
			expect(receipt).toContain('Subject: Erased');
			expect(receipt).toContain('1 deleted');
			expect(await recordsOf(host.n8n, 'Referrals')).toMatchObject([{ email: `not-${ADA}` }]);
		},
		'500 items': async () => {
			await knownPerson(ADA);
			sandbox.b.seedFeedback(150);
			const { contact } = commentsOf(ADA)[0] ?? {};
			for (const one of sandbox.b.state.feedback.slice(-150)) Object.assign(one, { contact });
			await erase(ADA);
			expect(commentsOf(ADA)).toEqual([]);
		},
		'quotes, newlines, emoji and HTML': 'It shows no text of the person',
		'no email': 'The form requires one',
		'an address in other case': async () => {
			sandbox.a.settings.exactEmails = true;
			sandbox.b.settings.exactEmails = true;
			await knownPerson(ADA.toLowerCase());
			await surveyedByA([ADA]);
			const receipt = await erase(ADA);
			for (const email of [ADA, ADA.toLowerCase()]) {
				expect([isInA(email), isInB(email), commentsOf(email).length]).toEqual([false, false, 0]);
			}
			expect(receipt).toContain(`Asked for ${ADA} and ${ADA.toLowerCase()}`);
			// Survey A's outbox cannot be deleted.
			expect(receipt).toContain('Not all erased');
		},
		'two answers by one person in an hour': 'It deletes all answers',
		'two starts within two seconds': 'Each run asks for an approval, and deletes what is there',
		'a restart in the middle': async () => {
			await knownPerson(ADA);
			await erase(ADA, async () => {
				await host.n8n.process.kill();
				await host.n8n.restart();
			});
			expect([isInA(ADA), isInB(ADA)]).toEqual([false, false]);
		},
		'a 401 in the middle': refusedBy(401),
		'a 403 in the middle': refusedBy(403),
		'a 429 in the middle': async () => {
			await knownPerson(ADA);
			sandbox.b.faults.add({ path: /feedback|contacts/, kind: refusal(429), times: 2 });
			expect(await erase(ADA)).toContain('Subject: Erased');
		},
		'a 500 in the middle': refusedBy(503),
		'a change of clocks': 'It compares no times',
	},
};
