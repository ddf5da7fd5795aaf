import {
	addresses,
	AWKWARD_TEXT,
	CREATED_ONCE,
	MOMENTS_ONLY,
	NEW_ANSWERS_ONLY,
	NO_TABLE,
	repeated,
	type AwkwardDays,
} from './days.mts';
import {
	afterFailingAccount,
	afterOneClick,
	allByTwoImports,
	erasedPerson,
	failingAccount,
	handInTable,
	onceByTwoImports,
} from './disturbances.mts';
import type { Play } from './play.mts';
import { refusal } from './refusal.mts';
import * as stories from './stories.mts';

// The examples that a CRM starts, or that write to one.

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const SURVEY = { method: 'POST', path: /survey\/?$/ };
const sentByA = ({ world }: Play) => world.sandbox.a.state.sent.map(({ email }) => email);
const sentByB = ({ world }: Play) => world.sandbox.b.state.sent.map(({ email }) => email);

const BY_EVENT = 'The CRM has the address, and nothing looks it up';

/** "A won deal surveys its contacts once." */
export const hubspotDealWon = ((): AwkwardDays => {
	const story = stories.hubspotDealWon;
	const table = 'Surveys after won deals';
	const open = async (play: Play) =>
		(await play.rows(table)).filter(({ not_before }) => String(not_before) < '2100');
	const property = (play: Play, email: string) =>
		play.world.sandbox.a.state.customers
			.get(email)
			?.properties.find(({ label }) => label === 'Deal')?.value;

	interface Deal {
		contacts: Array<{ email?: string; isOptedOut?: boolean }>;
		name?: string;
		wonAt?: number;
	}

	/** Lets deals be won in HubSpot. */
	async function won(play: Play, ...deals: Deal[]): Promise<void> {
		const contacts = deals.flatMap((deal) => deal.contacts);
		const first = deals.map((_, i) => deals.slice(0, i).flatMap((deal) => deal.contacts).length);
		play.world.answer = (path, body) => {
			const id = Number(Object.values(body)[0]);
			if (path === '/get-contact') {
				const { email, isOptedOut } = contacts[id - 1] ?? {};
				return stories.contact(email, { hs_email_optout: { value: String(isOptedOut === true) } });
			}
			const { name = 'Acme', wonAt = Date.now() - HOUR, contacts: mine = [] } = deals[id - 1] ?? {};
			const associatedVids = mine.map((_, i) => (first[id - 1] ?? 0) + i + 1);
			return stories.deal(id, { name, wonAt, associatedVids });
		};
		await play.start(
			'Deal Changes',
			deals.map((_, i) => ({ dealId: i + 1, propertyValue: 'closedwon' })),
		);
		await play.settle();
	}
	const to = (...emails: string[]): Deal => ({ contacts: emails.map((email) => ({ email })) });

	return {
		story,
		days: {
			'an empty list': async (play) => {
				await won(play, to());
				await play.hoursLater(1);
				expect(sentByA(play)).toEqual([]);
			},
			'one item': async (play) => {
				await won(play, to(...addresses(1)));
				// The stage is set once more.
				await won(play, to(...addresses(1)));
				expect(sentByA(play)).toEqual(addresses(1));
			},
			'many items': async (play) => {
				await won(play, to(...addresses(499), 'nowhere'));
				expect(new Set(sentByA(play))).toEqual(new Set(addresses(499)));
				expect(repeated(sentByA(play))).toEqual([]);
				expect(await play.seen()).toContain('nowhere');
			},
			'quotes, newlines, emoji and HTML': async (play) => {
				await won(play, { ...to('ada@days.example'), name: AWKWARD_TEXT });
				expect(property(play, 'ada@days.example')).toBe(AWKWARD_TEXT);
			},
			'no email': async (play) => {
				await won(play, { contacts: [{}, { email: 'ada@days.example' }] });
				expect(sentByA(play)).toEqual(['ada@days.example']);
				expect(await play.seen()).toMatch(/email/i);
			},
			'an address in other case': BY_EVENT,
			'two answers by one person in an hour': async (play) => {
				// Two deals of one person: the second survey would come within the quiet period.
				await won(play, to('ada@days.example'), to('ada@days.example'));
				expect(sentByA(play)).toEqual(['ada@days.example']);
			},
			'two starts within two seconds': async (play) => {
				const twice = [won(play, to(...addresses(20))), won(play, to(...addresses(20)))];
				await Promise.all(twice);
				expect(sentByA(play).sort()).toEqual(addresses(20).sort());
			},
			'a fault of the service': async (play) => {
				play.world.sandbox.a.faults.add({ ...SURVEY, kind: refusal(500), times: Infinity });
				await won(play, to(...addresses(2)));
				expect(await play.seen()).toContain('p0@days.example');
				play.world.mend();
				await play.hoursLater(25);
				expect([sentByA(play).sort(), await open(play)]).toEqual([addresses(2), []]);
			},
			'a change of clocks': MOMENTS_ONLY,
			'an account that is refused for an hour': async (play) => {
				const byA = await failingAccount(play, 'service', 401);
				expect([byA.never, byA.twice, byA.missing, byA.clicks]).toEqual([[], [], [], 0]);
				expect(byA.atOnce).toContain('401');
				// Nobody is on the list yet. The run fails at HubSpot's node, and one click goes on there.
				const byHubspot = await failingAccount(play, 'crm', 401);
				expect([byHubspot.never, byHubspot.twice, byHubspot.clicks]).toEqual([[], [], 1]);
				expect(byHubspot.atOnce).not.toBe('');
			},
			'an erased person': async (play) => {
				expect(await erasedPerson(play, 'p0@days.example')).toEqual([]);
				expect(sentByA(play)).toEqual(['p1@days.example']);
				// Somebody who opted out of email in HubSpot gets nothing either.
				await won(play, { contacts: [{ email: 'out@days.example', isOptedOut: true }] });
				expect(sentByA(play)).toEqual(['p1@days.example']);
			},
			'a hand in the table': async (play) => {
				// HubSpot itself is not refused here: nobody would be on the list.
				const fill = async (count: number) => {
					play.world.receiver.refusal = undefined;
					await won(play, to(...addresses(count)));
				};
				expect(await handInTable(play, table, fill)).toEqual([]);
				expect(repeated(sentByA(play))).toEqual([]);
			},
			'a mass update': async (play) => {
				const old = addresses(20).map((email, i) => ({
					...to(email),
					wonAt: Date.now() - (8 + i) * DAY,
				}));
				await won(play, ...old, to('new@days.example'));
				expect(sentByA(play)).toEqual(['new@days.example']);
			},
			'a second import': onceByTwoImports,
		},
	};
})();

/** "A closed case asks its contact for satisfaction once." */
export const salesforceCaseClosed = ((): AwkwardDays => {
	const story = stories.salesforce;
	const attributes = (play: Play) => Object(play.world.sandbox.b.state.surveys.at(-1)).attributes;

	/** Salesforce has these cases when the hour strikes. */
	async function hour(play: Play, cases: stories.Case[], hours = 0): Promise<void> {
		play.world.answer = (_path, { query }) => stories.casesThat(String(query), cases);
		if (hours > 0) await play.hoursLater(hours);
		else await play.start('Every Hour');
		await play.settle();
	}
	const closed = (count: number) => addresses(count).map((_, i) => stories.closedCase(i));
	const [one] = closed(1);
	if (!one) throw new RangeError('There is no case');

	return {
		story,
		days: {
			'an empty list': async (play) => {
				await hour(play, []);
				expect(sentByB(play)).toEqual([]);
			},
			'one item': async (play) => {
				await hour(play, closed(1));
				await hour(play, closed(1));
				expect(sentByB(play)).toEqual(addresses(1));
			},
			'many items': async (play) => {
				const bad = { ...one, Id: 'bad', Contact: { ...one.Contact, Email: 'nowhere' } };
				await hour(play, [...closed(499), bad]);
				expect(new Set(sentByB(play))).toEqual(new Set(addresses(499)));
				expect(repeated(sentByB(play))).toEqual([]);
				expect(await play.seen()).toContain('nowhere');
			},
			'quotes, newlines, emoji and HTML': async (play) => {
				await hour(play, [{ ...one, Subject: AWKWARD_TEXT }]);
				expect(attributes(play).case_subject).toBe('It s b bad b 1 channel 1 1 Zo');
				expect(sentByB(play)).toHaveLength(1);
			},
			'no email': async (play) => {
				await hour(play, [{ ...one, Contact: { ...one.Contact, Email: null } }]);
				expect([sentByB(play), await play.seen()]).toEqual([[], '']);
			},
			'an address in other case': BY_EVENT,
			'two answers by one person in an hour': async (play) => {
				await hour(play, [one, { ...one, Id: 'other' }]);
				expect(sentByB(play)).toEqual(addresses(1));
				expect(await play.seen()).toBe('');
			},
			'two starts within two seconds': async (play) => {
				await Promise.all([hour(play, closed(20)), hour(play, closed(20))]);
				expect(sentByB(play).sort()).toEqual(addresses(20).sort());
			},
			'a fault of the service': async (play) => {
				play.world.sandbox.b.faults.add({ ...SURVEY, kind: refusal(500), times: Infinity });
				await hour(play, closed(2));
				expect(await play.seen()).toContain('p0@days.example');
				play.world.mend();
				await hour(play, closed(2));
				expect(sentByB(play).sort()).toEqual(addresses(2));
			},
			'a change of clocks': MOMENTS_ONLY,
			'an account that is refused for an hour': afterFailingAccount('service', 'crm'),
			'an erased person': async (play) => {
				expect(await erasedPerson(play, 'p0@days.example')).toEqual([]);
				// Somebody who opted out of email in Salesforce gets nothing either.
				await hour(play, [
					{
						...one,
						Contact: { ...one.Contact, Email: 'o@days.example', HasOptedOutOfEmail: true },
					},
				]);
				expect(sentByB(play).sort()).toEqual(['p1@days.example', 'p2@days.example']);
			},
			'a hand in the table': NO_TABLE,
			'a mass update': async (play) => {
				// Somebody edits 300 cases that were closed in ten years.
				const old = closed(300).map((it, i) => ({
					...it,
					ClosedDate: new Date(Date.now() - (2 + 12 * i) * DAY).toISOString(),
				}));
				await hour(play, old);
				expect(sentByB(play)).toEqual([]);
			},
			'a second import': onceByTwoImports,
		},
	};
})();

/** "The last answer of each campaign stands on the HubSpot contact." */
export const hubspotLastAnswer = ((): AwkwardDays => {
	const story = stories.hubspotLastAnswer;
	const [sample = {}] = stories.answersOfA;
	const written = ({ world }: Play) => world.calls.map(({ body }) => Object.values(Object(body)));

	async function come(play: Play, ...answers: object[]): Promise<void> {
		await play.start(
			'Feedback Comes In',
			answers.map((one) => ({ ...sample, ...one })),
		);
		await play.settle();
	}

	return {
		story,
		days: {
			'an empty list': "Survey A's trigger starts no run without an answer",
			'one item': async (play) => {
				await come(play, {});
				const named = {
					score: 2,
					comment: 'Slow',
					category: 'Detractor',
					date: Date.UTC(2026, 2, 2),
				};
				const properties = Object.entries(named).flatMap(([name, value]) => [
					`survey_after_purchase_${name}`,
					value,
				]);
				expect(written(play)).toEqual([['p0@days.example', ...properties]]);
			},
			'many items': async (play) => {
				await come(play, ...addresses(500).map((email) => ({ email })));
				expect(new Set(written(play).map(([email]) => email)).size).toBe(500);
			},
			'quotes, newlines, emoji and HTML': async (play) => {
				await come(play, { comment: AWKWARD_TEXT });
				expect(written(play)[0]).toContain(AWKWARD_TEXT);
			},
			'no email': async (play) => {
				await come(play, { email: null }, { email: 'nowhere' }, {});
				expect(written(play).map(([email]) => email)).toEqual(['p0@days.example']);
			},
			'an address in other case': BY_EVENT,
			'two answers by one person in an hour': async (play) => {
				const first = { createdDate: '2026-03-02T09:15:00.000Z', score: 2 };
				const last = { createdDate: '2026-03-02T09:45:00.000Z', score: null };
				// HubSpot refuses the first writing once: the newest answer is the last one all the same.
				play.world.receiver.refusal = { status: 429, times: 1 };
				await come(play, last, first);
				expect(written(play).at(-1)).toContain('No score');
				expect(written(play).flat()).toContain('Detractor');
			},
			'two starts within two seconds': 'A trigger that polls starts one run at a time',
			'a fault of the service': async (play) => {
				play.world.receiver.refusal = { status: 500 };
				await come(play, {}, { email: 'p1@days.example' });
				expect(await play.seen()).not.toBe('');
				play.world.mend();
				expect(await play.retryAll()).toBe(1);
				await play.settle();
				expect(
					written(play)
						.slice(-2)
						.map(([email]) => email),
				).toEqual(addresses(2));
			},
			'a change of clocks': async (play) => {
				await come(play, { createdDate: '2026-03-29T00:30:00.000Z' });
				expect(written(play)[0]).toContain(Date.UTC(2026, 2, 29));
			},
			'an account that is refused for an hour': afterOneClick,
			'an erased person': NEW_ANSWERS_ONLY,
			'a hand in the table': NO_TABLE,
			'a mass update': CREATED_ONCE,
			'a second import': allByTwoImports,
		},
	};
})();
