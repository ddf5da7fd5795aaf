import { request } from '../../support/sandbox';
import { addresses, AWKWARD_TEXT, MOMENTS_ONLY, type AwkwardDays } from './days.mts';
import {
	afterFailingAccount,
	allByTwoImports,
	erasedPerson,
	handInTable,
} from './disturbances.mts';
import type { Play } from './play.mts';
import { refusal } from './refusal.mts';
import * as stories from './stories.mts';

const TABLE = 'Replies that say stop';
const ADA = 'ada@days.example';
const UNSUBSCRIBE = { path: /unsubscribe/ };

const { reply } = stories;

const outOfA = ({ world }: Play) => world.sandbox.a.state.unsubscribed.map(({ email }) => email);
const outOfB = ({ world }: Play) => world.sandbox.b.state.unsubscribed.map(({ email }) => email);
const results = async (play: Play) =>
	(await play.rows(TABLE)).map(({ email, result }) => `${email}: ${result}`);

const by = (address: string, text = 'Stop') =>
	reply(text, {
		messageId: `<${text} ${address}>`,
		from: { value: [{ address, name: 'Ada Lovelace' }] },
	});

/** Lets replies come, by people whom Survey B knows. */
async function come(play: Play, ...replies: Array<ReturnType<typeof reply>>): Promise<void> {
	for (const { from } of replies) {
		for (const { address: email } of from.value) {
			await request(play.world.sandbox.b, 'POST /api/v2/contacts/', { email });
		}
	}
	await play.start('Mail Comes In', replies);
	await play.settle();
}

/** While one service refuses, the other one is still told, and a mail names the person. The rest is done an hour after the repair. */
const refusedBy = async (play: Play, service: 'a' | 'b'): Promise<void> => {
	play.world.sandbox[service].faults.add({ ...UNSUBSCRIBE, kind: refusal(500), times: Infinity });
	await come(play, by(ADA));
	expect(service === 'a' ? outOfB(play) : outOfA(play)).toEqual([ADA]);
	expect(play.mails().join()).toMatch(/ada@days\.example: .*500/);
	play.world.mend();
	await play.hoursLater(1);
	expect([outOfA(play).at(-1), outOfB(play)]).toEqual([ADA, [ADA]]);
	expect(await results(play)).toEqual([`${ADA}: done`]);
};

/** "A reply that says stop unsubscribes its sender in both services." */
export const stopReply: AwkwardDays = {
	story: stories.stopReply,
	days: {
		'an empty list': async (play) => {
			await play.hoursLater(1);
			expect([await play.rows(TABLE), play.mails()]).toEqual([[], []]);
		},
		'one item': async (play) => {
			const clear = ['STOP!', ' "Unsubscribe."\n\nOn Monday you wrote:\n> stop', 'Please stop', ''];
			const named = clear.map((text, i) => by(`p${i}@days.example`, text));
			Object.assign(named[3] ?? {}, { subject: 'Unsubscribe' });
			await come(play, ...named);
			expect([outOfA(play), outOfB(play)]).toEqual([addresses(4), addresses(4)]);
			expect(await results(play)).toEqual(addresses(4).map((email) => `${email}: done`));
			expect(play.mails()).toEqual([]);
			const unclear = [
				'Do not stop!',
				'Stop?',
				'I could not stop laughing',
				'Great\n\n> unsubscribe',
				'> Stop',
			];
			await come(play, ...unclear.map((text) => by(ADA, text)));
			expect(play.mails()).toHaveLength(unclear.length);
			for (const text of unclear.slice(0, 3)) expect(play.mails().join()).toContain(text);
			expect(outOfA(play)).not.toContain(ADA);
			expect(await play.rows(TABLE)).toHaveLength(4);
			// An automatic reply is no wish, and nobody has to read it.
			const automatic = { 'auto-submitted': 'Auto-Submitted: auto-replied' };
			await come(play, { ...by(ADA), headers: automatic }, { ...by(ADA, '?'), headers: automatic });
			expect([play.mails().length, outOfA(play).length]).toEqual([unclear.length, 4]);
		},
		'many items': async (play) => {
			play.world.sandbox.b.faults.add({ ...UNSUBSCRIBE, kind: refusal(400), times: 1 });
			await come(play, ...addresses(150).map((email) => by(email)));
			await play.hoursLater(1);
			expect([new Set(outOfA(play)).size, new Set(outOfB(play)).size]).toEqual([150, 150]);
		},
		'quotes, newlines, emoji and HTML': async (play) => {
			await come(play, by(ADA, AWKWARD_TEXT));
			expect(play.mails()).toHaveLength(1);
			expect(play.mails()[0]).toContain('&lt;b>bad');
			expect(play.mails()[0]).not.toContain('<b>bad');
			expect(outOfB(play)).toEqual([]);
		},
		'no email': async (play) => {
			const nobody = { from: undefined, messageId: undefined };
			await play.start('Mail Comes In', [{ ...reply('Stop'), ...nobody }, by(ADA)]);
			await play.settle();
			expect(outOfA(play)).toEqual([ADA]);
			expect(play.mails()).toHaveLength(1);
			expect(play.mails()[0]).toContain('From nobody');
		},
		'an address in other case': async (play) => {
			play.world.sandbox.a.settings.exactEmails = true;
			play.world.sandbox.b.settings.exactEmails = true;
			await come(play, by('Ada@Days.example'));
			expect([outOfA(play), outOfB(play)]).toEqual([['Ada@Days.example'], ['Ada@Days.example']]);
		},
		'two answers by one person in an hour': async (play) => {
			await come(play, by(ADA), by(ADA, 'Unsubscribe'));
			expect(await results(play)).toEqual([`${ADA}: done`, `${ADA}: done`]);
			// Somebody who subscribes again months later, and stops again.
			const contact = play.world.sandbox.b.state.contacts.get(ADA);
			if (contact) contact.unsubscribed = false;
			await come(play, by(ADA, 'Please stop'));
			expect(contact?.unsubscribed).toBe(true);
		},
		'two starts within two seconds': async (play) => {
			for (const email of addresses(20)) {
				await request(play.world.sandbox.b, 'POST /api/v2/contacts/', { email });
			}
			const replies = addresses(20).map((email) => by(email));
			await Promise.all([
				play.start('Mail Comes In', replies.slice(0, 10)),
				play.start('Mail Comes In', replies.slice(10)),
			]);
			await play.settle();
			expect([...outOfB(play)].sort()).toEqual(addresses(20).sort());
			expect(new Set(await results(play))).toEqual(
				new Set(addresses(20).map((email) => `${email}: done`)),
			);
		},
		'a fault of the service': async (play) => {
			await refusedBy(play, 'a');
			await play.begin();
			await play.publish();
			await refusedBy(play, 'b');
			// Survey B does not know the sender.
			await play.start('Mail Comes In', [by('new@days.example')]);
			await play.settle();
			expect(await results(play)).toContain('new@days.example: done');
		},
		'a change of clocks': MOMENTS_ONLY,
		'an account that is refused for an hour': afterFailingAccount('service'),
		'an erased person': async (play) => {
			// An erased person who says stop must have been surveyed again, and is unsubscribed.
			const done = await erasedPerson(play, ADA);
			expect(done).toEqual(play.story.expected);
		},
		'a hand in the table': async (play) => {
			const fill = async (count: number) =>
				await play.start(
					'Mail Comes In',
					addresses(count).map((email) => by(email)),
				);
			expect(await handInTable(play, TABLE, fill)).toEqual([]);
		},
		'a mass update': async (play) => {
			// n8n reads a whole mailbox of old replies again.
			const replies = addresses(30).map((email) => by(email));
			for (let i = 0; i < 2; i++) await come(play, ...replies);
			expect(outOfB(play)).toEqual(addresses(30));
			expect(await play.rows(TABLE)).toHaveLength(30);
		},
		'a second import': allByTwoImports,
	},
};
