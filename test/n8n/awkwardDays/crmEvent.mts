import { updateRows } from '../../support/dataTable.mts';
import { host } from '../../support/n8n.mts';
import { addresses, AWKWARD_TEXT, MOMENTS_ONLY, repeated, type AwkwardDays } from './days.mts';
import { afterRefusedService, erasedPerson, handInTable } from './disturbances.mts';
import type { Play } from './play.mts';
import { crmEventA as storyA, crmEventB as storyB } from './stories.mts';
import { refusal } from './refusal.mts';
import type { Story } from './play.mts';

interface CrmExample {
	story: Story;
	path: string;
	table: string;
	/** Customers in one request. */
	batch: number;
	/** A text that the service takes. */
	text: string;
	service: (play: Play) => Play['world']['sandbox']['a'] | Play['world']['sandbox']['b'];
	/** Returns a value as the service has it. */
	planOf: (play: Play, email: string) => unknown;
}

const SURVEY = { method: 'POST', path: /survey\/?$/ };

/** "A CRM event surveys each customer once, and no customer is lost." */
function crmEventDays(example: CrmExample): AwkwardDays {
	const { story, path, table, batch, text, service, planOf } = example;
	const sent = (play: Play) => service(play).state.sent.map(({ email }) => email);
	const people = (count: number) => addresses(count).map((email) => ({ email, plan: 'pro' }));
	const open = async (play: Play) =>
		(await play.rows(table)).filter(({ not_before }) => String(not_before) < '2100');

	async function event(play: Play, ...customers: unknown[]): Promise<void> {
		await play.post(path, { customers });
		await play.settle();
	}

	/** The second request meets a fault. Its customers wait, a person is told at once, and each is surveyed once in the end. */
	const after = (status: number, hours: number) => async (play: Play) => {
		service(play).faults.add({ ...SURVEY, kind: refusal(status), skip: 1, times: Infinity });
		await event(play, ...people(batch + 1));
		expect(sent(play)).toHaveLength(batch);
		const [row] = await open(play);
		expect(row?.result).toContain(String(status));
		expect(await play.seen()).toContain(String(row?.email));
		play.world.mend();
		await play.hoursLater(hours);
		expect(sent(play).sort()).toEqual(addresses(batch + 1).sort());
		expect(await open(play)).toEqual([]);
	};

	return {
		story,
		days: {
			'an empty list': async (play) => {
				await event(play);
				await play.hoursLater(1);
				expect([sent(play), await play.rows(table)]).toEqual([[], []]);
			},
			'one item': async (play) => {
				await event(play, ...people(1));
				await event(play, ...people(1));
				await play.hoursLater(1);
				expect(sent(play)).toEqual(addresses(1));
				// A month later the list has forgotten it.
				await play.hoursLater(31 * 24);
				expect(await play.rows(table)).toEqual([]);
			},
			'many items': async (play) => {
				const bad = Array.from({ length: 20 }, (_, i) => ({ email: `nowhere${i}` }));
				await event(play, ...people(480), ...bad);
				expect(new Set(sent(play)).size).toBe(480);
				expect(repeated(sent(play))).toEqual([]);
				expect(await open(play)).toHaveLength(20);
			},
			'quotes, newlines, emoji and HTML': async (play) => {
				await event(play, { email: 'nowhere', plan: text }, { email: '<b>nowhere</b>', plan: 'x' });
				expect(await play.seen()).not.toContain('<b>nowhere');
				const rows = await open(play);
				const own = rows.find(({ email }) => email === 'nowhere');
				const other = rows.find(({ email }) => email !== 'nowhere');
				await updateRows(host.n8n, table, { email: 'found@crm.example' }, own?.id);
				// A person who corrects the second row forgets a quote.
				await updateRows(host.n8n, table, { row: '{"plan": "pro' }, other?.id);
				await play.hoursLater(1);
				expect(sent(play)).toEqual(['found@crm.example']);
				expect(planOf(play, 'found@crm.example')).toBe(text);
				expect(await open(play)).toMatchObject([{ id: other?.id }]);
			},
			'no email': async (play) => {
				await event(play, null, 'text@crm.example', 7, { plan: 'pro' }, ...people(1));
				expect(sent(play).sort()).toEqual(['p0@days.example', 'text@crm.example']);
				const left = await open(play);
				expect(left.map(({ email }) => email).sort()).toEqual(['', '', '7']);
			},
			'an address in other case': async (play) => {
				service(play).settings.exactEmails = true;
				await event(play, { email: 'Ada@CRM.example' });
				await event(play, { email: 'ada@crm.example' });
				expect(sent(play)).toEqual(['Ada@CRM.example']);
			},
			'two answers by one person in an hour': 'It gets no answers',
			'two starts within two seconds': async (play) => {
				await Promise.all([1, 2].map(async () => await play.post(path, { customers: people(30) })));
				await play.settle();
				expect(repeated(sent(play))).toEqual([]);
				expect(sent(play)).toHaveLength(30);
			},
			'a fault of the service': after(500, 25),
			'a change of clocks': MOMENTS_ONLY,
			'an account that is refused for an hour': afterRefusedService,
			'an erased person': async (play) => {
				expect(await erasedPerson(play, 'p0@days.example')).toEqual([]);
				expect(sent(play)).not.toEqual([]);
				expect(JSON.stringify(await play.rows(table))).not.toContain('"p0@days.example');
			},
			'a hand in the table': async (play) => {
				const fill = async (count: number) => await event(play, ...people(count));
				expect(await handInTable(play, table, fill)).toEqual([]);
				expect(repeated(sent(play))).toEqual([]);
			},
			'a mass update': 'Its event lists the customers whom it is about',
			'a second import': 'n8n publishes no second webhook with the same path',
		},
	};
}

export const crmEventA = crmEventDays({
	story: storyA,
	path: 'crm-event',
	table: 'Surveys by Survey A',
	batch: 100,
	text: AWKWARD_TEXT,
	service: ({ world }) => world.sandbox.a,
	planOf: ({ world }, email) => world.sandbox.a.state.customers.get(email)?.properties[0]?.value,
});

export const crmEventB = crmEventDays({
	story: storyB,
	path: 'crm-event-b',
	table: 'Surveys by Survey B',
	batch: 1,
	text: AWKWARD_TEXT.replace('&', 'and'),
	service: ({ world }) => world.sandbox.b,
	planOf: ({ world }, email) => world.sandbox.b.state.contacts.get(email)?.attributes.plan,
});
