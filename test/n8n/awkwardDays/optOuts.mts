import { request } from '../../support/sandbox';
import { addresses, BY_ID, MOMENTS_ONLY, repeated, type AwkwardDays, type Check } from './days.mts';
import { allByTwoImports, erasedPerson, failingAccount, handInTable } from './disturbances.mts';
import type { Play } from './play.mts';
import { refusal } from './refusal.mts';
import * as stories from './stories.mts';

const TABLE = 'Survey opt-outs';
const ADA = 'Ada@Days.example';
const CAMPAIGN = '64a000000000000000000003';

/** Returns the addresses that the CRM was told about. */
const marked = ({ world }: Play) => world.calls.map(({ body }) => String(Object(body).email));
const outOfA = ({ world }: Play) => world.sandbox.a.state.unsubscribed.map(({ email }) => email);
const outOfB = ({ world }: Play) => world.sandbox.b.state.unsubscribed.map(({ email }) => email);
const open = async (play: Play) =>
	(await play.rows(TABLE)).filter(({ not_before }) => String(not_before) < '2100');

async function contactsOfB({ world }: Play, emails: string[]): Promise<void> {
	for (const email of emails) await request(world.sandbox.b, 'POST /api/v2/contacts/', { email });
}

/** Lets people leave Survey A by a link in a survey. */
async function leaveA(
	{ world }: Play,
	emails: string[],
	how: 'isOptedOut' | 'isBounced' = 'isOptedOut',
): Promise<void> {
	const { a } = world.sandbox;
	for (let start = 0; start < emails.length; start += 100) {
		const subscribers = emails.slice(start, start + 100).map((email) => ({ email }));
		await request(a, 'POST /api/v2/survey', { campaign: CAMPAIGN, subscribers });
	}
	for (const { detailedStatus } of a.state.outbox.slice(-emails.length)) detailedStatus[how] = true;
}

async function leaveB(play: Play, email: string): Promise<void> {
	const { b } = play.world.sandbox;
	const contact = b.state.contacts.get(email.toLowerCase());
	if (contact) contact.unsubscribed = false;
	await request(b, 'POST /api/v2/contacts/unsubscribe/', { emails: [email] });
	await play.settle();
}

/** Survey B and the CRM refuse one after the other. Somebody hears of each, and all is done afterwards. */
const refusedBy = (status: number): Check => {
	return async (play) => {
		const { b } = play.world.sandbox;
		await contactsOfB(play, [ADA]);
		await leaveA(play, [ADA]);
		b.faults.add({ path: /unsubscribe/, kind: refusal(status), times: Infinity });
		await play.hoursLater(1);
		expect(await open(play)).toHaveLength(1);
		expect(await play.seen()).toContain(ADA);
		play.world.mend();
		play.world.receiver.refusal = { status };
		await play.hoursLater(1);
		expect(outOfB(play)).toEqual([ADA]);
		expect(await open(play)).toHaveLength(1);
		play.world.mend();
		await play.hoursLater(1);
		expect([await open(play), marked(play).at(-1)]).toEqual([[], ADA]);
	};
};

/** "Who wants no more surveys gets none, from anybody." */
export const optOuts: AwkwardDays = {
	story: stories.optOuts,
	days: {
		'an empty list': async (play) => {
			await play.hoursLater(1);
			expect([await play.rows(TABLE), marked(play)]).toEqual([[], []]);
		},
		'one item': async (play) => {
			// Somebody who opts out of Survey A, subscribes again, and unsubscribes in Survey B months later.
			await contactsOfB(play, [ADA]);
			await leaveA(play, [ADA]);
			await play.hoursLater(1);
			expect(outOfB(play)).toEqual([ADA]);
			play.world.sandbox.a.state.unsubscribed.length = 0;
			await play.hoursLater(5 * 30 * 24);
			await leaveB(play, ADA);
			expect(outOfA(play).map((email) => email.toLowerCase())).toContain(ADA.toLowerCase());
		},
		'many items': async (play) => {
			// A CRM that refuses some must not keep the others waiting.
			play.world.receiver.refusal = { status: 400, unless: 'last@days.example' };
			await leaveA(play, [...addresses(150), 'last@days.example']);
			await play.hoursLater(1);
			const done = (await play.rows(TABLE)).filter(({ result }) => result === 'done');
			expect(done.map(({ email }) => email)).toEqual(['last@days.example']);
			expect(await open(play)).toHaveLength(150);
		},
		'quotes, newlines, emoji and HTML': async (play) => {
			play.world.receiver.refusal = { status: 400 };
			await leaveA(play, [ADA]);
			await play.hoursLater(1);
			expect(await play.seen()).not.toContain('<the CRM');
		},
		'no email': async (play) => {
			await leaveA(play, [ADA, 'b@days.example']);
			Object.assign(play.world.sandbox.a.state.outbox[0] ?? {}, { email: null });
			await play.hoursLater(1);
			expect(marked(play)).toEqual(['b@days.example']);
		},
		'an address in other case': async (play) => {
			play.world.sandbox.a.settings.exactEmails = true;
			play.world.sandbox.b.settings.exactEmails = true;
			await contactsOfB(play, [ADA]);
			await leaveA(play, [ADA]);
			await play.hoursLater(1);
			expect(outOfB(play)).toEqual([ADA]);
			expect(marked(play)[0]).toBe(ADA);
		},
		'two answers by one person in an hour': BY_ID,
		'two starts within two seconds': async (play) => {
			await contactsOfB(play, addresses(20));
			await leaveA(play, addresses(20));
			await Promise.all([play.start('Every Hour'), play.start('Every Hour')]);
			await play.settle();
			expect(repeated(marked(play).slice(0, 20))).toEqual([]);
			expect(new Set(marked(play)).size).toBe(20);
		},
		'a fault of the service': refusedBy(500),
		'a change of clocks': MOMENTS_ONLY,
		'an account that is refused for an hour': async (play) => {
			for (const account of ['service', 'crm'] as const) {
				const { never, atOnce, missing, clicks } = await failingAccount(play, account, 401);
				expect([account, never, missing, clicks]).toEqual([account, [], [], 0]);
				expect(atOnce).not.toBe('');
			}
		},
		'an erased person': async (play) => {
			expect(await erasedPerson(play, 'ada@days.example')).toEqual([]);
			// Survey A's outbox still has the surveys of the erased person.
			await leaveA(play, ['ada@days.example', 'b@days.example']);
			await play.hoursLater(1);
			expect(marked(play)).toEqual(['b@days.example']);
			expect((await play.rows(TABLE)).map(({ email }) => email)).toEqual(['b@days.example']);
		},
		'a hand in the table': async (play) => {
			const fill = async (count: number) => {
				// Only the CRM refuses: otherwise nobody would be on the list.
				play.world.mend();
				play.world.receiver.refusal = { status: 401 };
				await leaveA(play, addresses(count));
				await play.hoursLater(1);
			};
			expect(await handInTable(play, TABLE, fill)).toEqual([]);
		},
		'a mass update': async (play) => {
			// All surveys of five years show an opt-out: each person is told to the other service and the CRM once.
			await leaveA(play, [...addresses(30), ...addresses(30)]);
			await play.hoursLater(1);
			await play.hoursLater(1);
			expect(new Set(marked(play)).size).toBe(30);
			expect(await open(play)).toEqual([]);
		},
		'a second import': allByTwoImports,
	},
};
