import {
	addresses,
	AWKWARD_TEXT,
	MOMENTS_ONLY,
	NO_TABLE,
	repeated,
	type AwkwardDays,
} from './days.mts';
import { afterFailingAccount, erasedPerson, onceByTwoImports } from './disturbances.mts';
import type { Play } from './play.mts';
import { refusal } from './refusal.mts';
import * as stories from './stories.mts';

const SURVEY = { method: 'POST', path: /survey\/?$/ };

const sent = ({ world }: Play) => world.sandbox.b.state.sent.map(({ email }) => email);
const marked = ({ world }: Play) =>
	world.calls.flatMap(({ path, body }) =>
		path === '/mark-as-surveyed' ? [Number(Object(body).id)] : [],
	);
const attributes = (play: Play) => Object(play.world.sandbox.b.state.surveys.at(-1)).attributes;

type Requester = Partial<stories.Requester>;

/** Zendesk has these tickets, each with its requester, when the hour strikes. */
async function hour(
	play: Play,
	tickets: Array<Partial<stories.SolvedTicket>>,
	requesters: Requester[] = [],
): Promise<void> {
	const all = tickets.map((more, i) => stories.solvedTicket(i, more));
	play.world.answer = stories.ticketDesk(all, requesters);
	await play.hoursLater(0);
}

const solved = (count: number) => Array.from({ length: count }, () => ({}));

/** "A solved ticket asks its requester for satisfaction once." */
export const zendeskSolved: AwkwardDays = {
	story: stories.zendeskSolved,
	days: {
		'an empty list': async (play) => {
			await hour(play, []);
			expect([sent(play), await play.seen()]).toEqual([[], '']);
		},
		'one item': async (play) => {
			const escalated = { tags: ['vip', 'escalated'] };
			const requesters = [{}, {}, { tags: ['escalated'] }, { tags: ['no_survey'] }];
			await hour(play, [{}, escalated, {}, {}], requesters);
			expect(sent(play)).toEqual(addresses(1));
			expect(attributes(play)).toEqual({ ticket: '100', ticket_subject: 'Export fails' });
			// The tag keeps the ticket out for ever, also if it is solved again tomorrow.
			expect(marked(play)).toEqual([100]);
			for (const hours of [1, 25]) await play.hoursLater(hours);
			expect([sent(play), await play.seen()]).toEqual([addresses(1), '']);
		},
		'many items': async (play) => {
			const requesters = [...solved(199), { email: 'nowhere' }];
			await hour(play, solved(200), requesters);
			expect(new Set(sent(play))).toEqual(new Set(addresses(199)));
			expect(repeated(sent(play))).toEqual([]);
			expect(new Set(marked(play)).size).toBe(199);
			expect(await play.seen()).toMatch(/Ticket 299: .*nowhere/);
		},
		'quotes, newlines, emoji and HTML': async (play) => {
			await hour(play, [{ subject: AWKWARD_TEXT }]);
			expect(attributes(play).ticket_subject).toBe('It s b bad b 1 channel 1 1 Zo');
			expect(sent(play)).toHaveLength(1);
		},
		'no email': async (play) => {
			await hour(play, [{}, {}], [{ email: null }]);
			expect([sent(play), await play.seen()]).toEqual([['p1@days.example'], '']);
		},
		'an address in other case': 'Zendesk has the address, and nothing looks it up',
		'two answers by one person in an hour': async (play) => {
			// Two tickets of one person, solved in an hour.
			await hour(play, [{ requester_id: 1 }, { requester_id: 1 }]);
			for (const hours of [1, 25]) await play.hoursLater(hours);
			expect(sent(play)).toEqual(addresses(1));
			expect(await play.seen()).toBe('');
		},
		'two starts within two seconds': async (play) => {
			play.world.answer = stories.ticketDesk(solved(20).map((_, i) => stories.solvedTicket(i)));
			await Promise.all([play.start('Every Hour'), play.start('Every Hour')]);
			await play.settle();
			expect(sent(play).sort()).toEqual(addresses(20).sort());
		},
		'a fault of the service': async (play) => {
			play.world.sandbox.b.faults.add({ ...SURVEY, kind: refusal(500), times: Infinity });
			await hour(play, solved(2));
			expect(await play.seen()).toMatch(/Ticket 100: .*p0@days.example/);
			play.world.mend();
			// Zendesk shows no requester, and then takes no tag: nobody is asked twice.
			play.world.receiver.refusal = { status: 500, path: '/get-requester' };
			await play.hoursLater(1);
			expect(sent(play)).toEqual([]);
			play.world.receiver.refusal = { status: 500, path: '/mark-as-surveyed' };
			await play.hoursLater(1);
			expect(sent(play).sort()).toEqual(addresses(2));
			play.world.mend();
			for (const hours of [1, 25]) await play.hoursLater(hours);
			expect(sent(play).sort()).toEqual(addresses(2));
			expect(marked(play).sort()).toEqual([100, 101]);
		},
		'a change of clocks': MOMENTS_ONLY,
		'an account that is refused for an hour': afterFailingAccount('service', 'crm'),
		'an erased person': async (play) => {
			expect(await erasedPerson(play, 'p0@days.example')).toEqual([]);
			expect(sent(play).sort()).toEqual(['p1@days.example', 'p2@days.example']);
			// A person who unsubscribed in Survey B gets no survey either, and no mail names them.
			play.world.mailbox.messages.length = 0;
			const { contacts } = play.world.sandbox.b.state;
			const out = contacts.get('p1@days.example');
			if (out) out.unsubscribed = true;
			await hour(play, [{}], [{ email: 'p1@days.example' }]);
			expect([sent(play).length, await play.seen()]).toEqual([2, '']);
		},
		'a hand in the table': NO_TABLE,
		'a mass update': async (play) => {
			// Somebody tags 300 tickets that were solved in the last years.
			await hour(
				play,
				solved(300).map((_, i) => ({ hoursAgo: 24 * (5 + 3 * i) })),
			);
			expect(sent(play)).toEqual([]);
		},
		'a second import': onceByTwoImports,
	},
};
