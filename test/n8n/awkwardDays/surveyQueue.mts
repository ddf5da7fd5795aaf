import { request } from '../../support/sandbox';
import { addresses, AWKWARD_TEXT, repeated, type AwkwardDays } from './days.mts';
import { afterRefusedService, erasedPerson, handInTable } from './disturbances.mts';
import type { Play } from './play.mts';
import * as stories from './stories.mts';

const TABLE = 'Survey queue';
const CAMPAIGN = '64a000000000000000000003';
const ADA = 'Ada@Days.example';

const sentByA = ({ world }: Play) => world.sandbox.a.state.sent.map(({ email }) => email);
const sentByB = ({ world }: Play) => world.sandbox.b.state.sent.map(({ email }) => email);
const byB = (email: string) => ({ email, service: 'B', campaign: '101' });

async function queued(play: Play, ...people: unknown[]): Promise<void> {
	await play.post('queue-a-survey', { people });
	await play.settle();
}

async function hour(play: Play): Promise<void> {
	await play.start('Every Hour');
	await play.settle();
}

/** Returns what became of each row by its email. */
async function results(play: Play): Promise<Record<string, string>> {
	const rows = await play.rows(TABLE);
	return Object.fromEntries(rows.map(({ email, result }) => [String(email), String(result)]));
}

/** People whom Survey A has surveyed so many days ago. */
async function surveyedByA({ world }: Play, emails: string[], days: number): Promise<void> {
	const { a } = world.sandbox;
	const subscribers = emails.map((email) => ({ email }));
	await request(a, 'POST /api/v2/survey', { campaign: CAMPAIGN, subscribers });
	a.state.sent.length = 0;
	for (const survey of a.state.outbox.slice(-emails.length)) {
		survey.sentDate = new Date(Date.now() - days * 24 * 3_600_000).toISOString();
	}
}

/** "Who waits in the queue is surveyed in working hours, by both services, and nobody twice." */
export const surveyQueue: AwkwardDays = {
	story: stories.queue,
	days: {
		'an empty list': async (play) => {
			await queued(play);
			await hour(play);
			expect([sentByA(play), await play.rows(TABLE)]).toEqual([[], []]);
		},
		'one item': async (play) => {
			await queued(play, { email: ADA, columns: { plan: 'pro' } }, byB('b@days.example'));
			await hour(play);
			await hour(play);
			expect([sentByA(play), sentByB(play)]).toEqual([[ADA], ['b@days.example']]);
			expect(await results(play)).toEqual({ [ADA]: 'queued', 'b@days.example': 'SENT' });
			const { properties } = play.world.sandbox.a.state.customers.get(ADA.toLowerCase()) ?? {};
			expect(properties).toMatchObject([{ label: 'Plan', value: 'pro' }]);
		},
		'many items': async (play) => {
			// At most 100 an hour; those who opted out are left out.
			await surveyedByA(play, addresses(10), 90);
			for (const one of play.world.sandbox.a.state.outbox) one.detailedStatus.isOptedOut = true;
			await queued(play, ...addresses(150).map((email) => ({ email })));
			await hour(play);
			expect(sentByA(play).length).toBeLessThanOrEqual(100);
			await hour(play);
			expect(sentByA(play).sort()).toEqual(addresses(150).slice(10).sort());
		},
		'quotes, newlines, emoji and HTML': async (play) => {
			await queued(
				play,
				{ email: ADA, columns: { plan: AWKWARD_TEXT } },
				{ email: 'text@days.example', columns: '<b>no JSON</b>' },
				{ email: 'zone@days.example', time_zone: 'Europe/Berlln' },
			);
			await hour(play);
			expect(sentByA(play)).toEqual([ADA]);
			const { properties } = play.world.sandbox.a.state.customers.get(ADA.toLowerCase()) ?? {};
			expect(properties).toMatchObject([{ value: AWKWARD_TEXT }]);
			expect(await results(play)).toMatchObject({
				'text@days.example': '"columns" is not an object in JSON',
				'zone@days.example': '"Europe/Berlln" is not a time zone',
			});
			expect(await play.seen()).toContain('Europe/Berlln');
			// A person corrects the row.
			play.type(TABLE, { time_zone: 'Europe/Berlin', columns: '{}', not_before: null });
			await hour(play);
			expect(sentByA(play).sort()).toEqual([ADA, 'text@days.example', 'zone@days.example'].sort());
		},
		'no email': async (play) => {
			await queued(play, null, 7, 'text@days.example', {}, { email: ADA });
			await hour(play);
			expect(sentByA(play).sort()).toEqual([ADA, 'text@days.example'].sort());
			expect(await play.seen()).toContain('There is no valid email');
		},
		'an address in other case': async (play) => {
			const { a, b } = play.world.sandbox;
			a.settings.exactEmails = true;
			b.settings.exactEmails = true;
			await surveyedByA(play, ['Out@Days.example'], 90);
			for (const one of a.state.outbox) one.detailedStatus.isOptedOut = true;
			await surveyedByA(play, ['Recent@Days.example'], 20);
			await request(b, 'POST /api/v2/contacts/', { email: 'Left@Days.example' });
			await request(b, 'POST /api/v2/contacts/unsubscribe/', { emails: ['Left@Days.example'] });
			await queued(
				play,
				...['Recent@Days.example', 'Out@Days.example', ADA].map((email) => ({ email })),
				byB('Left@Days.example'),
				byB(ADA.toLowerCase()),
			);
			await hour(play);
			expect([...sentByA(play), ...sentByB(play)]).toEqual([ADA]);
			expect(await results(play)).toMatchObject({
				'Recent@Days.example': expect.stringMatching(/^left out: surveyed by Survey A on/),
				'Out@Days.example': 'left out: opted out in Survey A',
				'Left@Days.example': 'left out: unsubscribed in Survey B',
				[ADA.toLowerCase()]: expect.stringMatching(/^left out: another row of this person/),
			});
		},
		'two answers by one person in an hour': 'It gets no answers',
		'two starts within two seconds': async (play) => {
			const people = addresses(12).map((email) => ({ email }));
			await queued(play, ...people, ...people);
			await Promise.all([play.start('Every Hour'), play.start('Every Hour')]);
			await play.settle();
			for (const hours of [1, 1]) await play.hoursLater(hours);
			expect(repeated(sentByA(play))).toEqual([]);
			expect(sentByA(play)).toHaveLength(12);
		},
		'a fault of the service': async (play) => {
			// The responses are lost: one survey of each service came, the others did not.
			const survey = { method: 'POST', path: /survey\/?$/ };
			const { a, b } = play.world.sandbox;
			a.faults.add({ ...survey, kind: 'reset-after' });
			a.faults.add({ ...survey, kind: 'reset-before' });
			b.faults.add({ ...survey, kind: 'reset-after', times: 10 });
			await queued(play, { email: 'a0@days.example' }, byB('b@days.example'));
			await hour(play);
			await queued(play, { email: 'a1@days.example' });
			await hour(play);
			play.world.mend();
			await play.hoursLater(1);
			expect(sentByB(play)).toEqual(['b@days.example']);
			await play.hoursLater(24);
			expect(sentByA(play).sort()).toEqual(['a0@days.example', 'a1@days.example']);
			expect((await results(play))['a0@days.example']).toMatch(/^sent: in the outbox/);
		},
		'a change of clocks': 'test/simulate/queue.test.mts runs it over one',
		'an account that is refused for an hour': afterRefusedService,
		'an erased person': async (play) => {
			expect(await erasedPerson(play, 'p0@days.example')).toEqual([]);
			// Somebody who is erased while waiting in the queue.
			await queued(play, { email: ADA });
			await play.erased(ADA);
			await hour(play);
			expect(sentByA(play)).toEqual(['p1@days.example']);
		},
		'a hand in the table': async (play) => {
			const fill = async (count: number) =>
				await queued(play, ...addresses(count).map((email) => ({ email })));
			expect(await handInTable(play, TABLE, fill)).toEqual([]);
			expect(repeated(sentByA(play))).toEqual([]);
		},
		'a mass update': async (play) => {
			// A workflow queues everybody twice.
			const people = addresses(30).map((email) => ({ email }));
			for (let time = 0; time < 2; time++) await queued(play, ...people);
			for (const hours of [1, 1]) await play.hoursLater(hours);
			expect(sentByA(play).sort()).toEqual(addresses(30).sort());
		},
		'a second import': 'n8n publishes no second webhook with the same path',
	},
};
