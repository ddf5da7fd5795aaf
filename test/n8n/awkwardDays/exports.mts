import type { Postgres } from '../../../host/queue/postgres.mts';
import { unwrapped } from '../../support/mailbox.mts';
import { onDatabase } from './database.mts';
import {
	AWKWARD_TEXT,
	CREATED_ONCE,
	MOMENTS_ONLY,
	NEW_ANSWERS_ONLY,
	NO_TABLE,
	type AwkwardDays,
	type Check,
} from './days.mts';
import { afterOneClick, allByTwoImports } from './disturbances.mts';
import type { Play, Story } from './play.mts';
import { refusal } from './refusal.mts';
import * as stories from './stories.mts';

// The examples that read or write many records on a schedule or by hand.

const NOT_BY_PERSON = 'It reads no single person';
const READS_ONLY = 'It reads, and sends one mail: a second one has the same text';
const SAME_DAY = 'Its trigger is n8n’s own, and it compares no times';
const LOOKS_NOBODY_UP = 'It looks nobody up';

interface Report {
	story: Story;
	/** The request that the report is made of. */
	reads: RegExp;
	empty: (play: Play) => void;
	/** What the mail says then. */
	emptySubject: RegExp;
	many: (play: Play) => void;
	awkward: (play: Play) => void;
	/** What the mail has of the awkward text. */
	escaped: string;
}

/** "… comes by email every Monday": a mail comes, or the run fails. */
export function reportDays({ story, reads, ...report }: Report): AwkwardDays {
	const mail = ({ world }: Play) => unwrapped(world.mailbox.messages[0] ?? '');
	async function monday(play: Play): Promise<void> {
		await play.start('Every Monday');
		await play.settle();
	}

	/** The service refuses: the run fails, and one click on Retry sends the mail. */
	const refusedBy = (status: number): Check => {
		return async (play) => {
			play.world.sandbox.a.faults.add({ path: reads, kind: refusal(status), times: Infinity });
			await monday(play);
			expect(await play.seen()).not.toBe('');
			expect(play.world.mailbox.messages).toEqual([]);
			play.world.mend();
			expect(await play.retryAll()).toBe(1);
			await play.settle();
			expect(play.world.mailbox.messages).toHaveLength(1);
		};
	};
	return {
		story,
		days: {
			'an empty list': async (play) => {
				report.empty(play);
				await monday(play);
				expect(mail(play)).toMatch(report.emptySubject);
			},
			'one item': async (play) => {
				await monday(play);
				expect(play.world.mailbox.messages).toHaveLength(1);
			},
			'many items': async (play) => {
				report.many(play);
				await monday(play);
				expect(play.world.mailbox.messages).toHaveLength(1);
			},
			'quotes, newlines, emoji and HTML': async (play) => {
				report.awkward(play);
				await monday(play);
				expect(mail(play)).toContain(report.escaped);
			},
			'no email': NOT_BY_PERSON,
			'an address in other case': NOT_BY_PERSON,
			'two answers by one person in an hour': NOT_BY_PERSON,
			'two starts within two seconds': READS_ONLY,
			'a fault of the service': refusedBy(500),
			'a change of clocks': SAME_DAY,
			'an account that is refused for an hour': refusedBy(401),
			'an erased person': NOT_BY_PERSON,
			'a hand in the table': NO_TABLE,
			'a mass update': READS_ONLY,
			'a second import': READS_ONLY,
		},
	};
}

const companies = ({ world }: Play) => world.sandbox.a.state.companies;
const metrics = (NPS: number | null) => ({ NPS, CSAT: null, CES: null, STAR: null });

export const accountNps = reportDays({
	story: stories.account,
	reads: /companies/,
	empty: (play) => (companies(play).length = 0),
	emptySubject: /Subject: Account NPS: 0 of 0 companies below zero/,
	many: (play) => {
		const [first] = companies(play);
		if (!first) throw new RangeError('The sandbox has no company');
		const more = Array.from({ length: 500 }, (_, i) => ({ ...first, id: `${first.id}${i}` }));
		for (const one of more) companies(play).push({ ...one, cxMetrics: metrics(10) });
	},
	awkward: (play) => {
		for (const one of companies(play)) Object.assign(one, { companyName: '<b>"A" & B</b> 😀' });
		Object.assign(companies(play)[0] ?? {}, { cxMetrics: metrics(-5) });
	},
	// The mailbox decodes "&amp;".
	escaped: '&lt;b&gt;"A" & B&lt;/b&gt;',
});

export const weeklyNps = reportDays({
	story: stories.weekly,
	reads: /score|reports/,
	empty: ({ world }) => (world.sandbox.a.state.feedback.length = 0),
	emptySubject: /Subject: NPS: /,
	many: ({ world }) => void world.sandbox.a.seedFeedback(500),
	awkward: () => undefined,
	escaped: 'The chart of the last 30 days is attached.',
});

/** "Fifty thousand customers come into Survey A in fifty requests." */
export const backfill = ((): AwkwardDays => {
	const table = 'Customers to correct';
	const customers = /nps\/customers$/;
	const stored = ({ world }: Play) => world.sandbox.a.state.customers;

	/** Imports the example with these customers, and starts it. */
	async function fill(play: Play, rows: number | string): Promise<void> {
		const list = typeof rows === 'number' ? undefined : `={{ { customers: ${rows} } }}`;
		const { change } = play.story;
		await play.begin((workflow) => {
			change?.(workflow);
			for (const { name, parameters = {} } of workflow.nodes) {
				if (name !== 'Make Sample Customers') continue;
				const text = String(parameters.jsonOutput).replace('1100', String(rows));
				parameters.jsonOutput = list ?? text;
			}
		});
		await play.publish();
	}
	async function start(play: Play): Promise<void> {
		await play.start('Start Backfill');
		await play.settle();
	}

	/** The account is refused from the second request on: the run fails, and one click on Retry sends the others. */
	const refusedBy = (status: number): Check => {
		return async (play) => {
			await fill(play, 1100);
			const write = { method: 'POST', path: customers };
			play.world.sandbox.a.faults.add({
				...write,
				kind: refusal(status),
				skip: 1,
				times: Infinity,
			});
			await start(play);
			expect(await play.seen()).toContain(String(status));
			expect(await play.rows(table)).toEqual([]);
			play.world.mend();
			expect(await play.retryAll()).toBe(1);
			await play.settle();
			expect(stored(play).has('customer1099@days.example')).toBe(true);
			expect(stored(play).get('customer1099@days.example')?.properties).toHaveLength(2);
		};
	};
	return {
		story: stories.backfill,
		days: {
			'an empty list': async (play) => {
				await fill(play, 0);
				await start(play);
				const { requests } = play.world.sandbox.a;
				expect(requests.filter(({ method }) => method === 'POST')).toEqual([]);
			},
			'one item': async (play) => {
				await fill(play, 1);
				await start(play);
				expect(stored(play).has('customer0@days.example')).toBe(true);
			},
			'many items': async (play) => {
				await fill(play, 500);
				await start(play);
				expect(stored(play).has('customer499@days.example')).toBe(true);
			},
			'quotes, newlines, emoji and HTML': async (play) => {
				const text = JSON.stringify(AWKWARD_TEXT.replace('{{ 1 }}', ''));
				await fill(play, `[{ email: 'a@days.example', plan: ${text} }]`);
				await start(play);
				const [property] = stored(play).get('a@days.example')?.properties ?? [];
				expect(property?.value).toBe(JSON.parse(text));
			},
			'no email': async (play) => {
				await fill(play, `[{ plan: 'pro' }, { email: 'nowhere' }, { email: 'a@days.example' }]`);
				await start(play);
				expect(stored(play).has('a@days.example')).toBe(true);
				const refused = (await play.rows(table)).map(({ email, reason }) => `${email}: ${reason}`);
				expect(refused).toEqual([
					expect.stringMatching(/^: .*email/i),
					expect.stringContaining('nowhere: '),
				]);
			},
			'an address in other case': LOOKS_NOBODY_UP,
			'two answers by one person in an hour': 'It gets no answers',
			'two starts within two seconds': async (play) => {
				await fill(play, 200);
				await Promise.all([start(play), start(play)]);
				expect(stored(play).has('customer199@days.example')).toBe(true);
				expect(await play.seen()).toBe('');
			},
			'a fault of the service': refusedBy(503),
			'a change of clocks': SAME_DAY,
			'an account that is refused for an hour': refusedBy(401),
			'an erased person': async (play) => {
				await fill(play, 3);
				await play.erased('customer1@days.example');
				await start(play);
				const known = [...stored(play).keys()].filter((email) => email.startsWith('customer'));
				expect(known).toEqual(['customer0@days.example', 'customer2@days.example']);
			},
			'a hand in the table': 'Its table is a list to read: nothing is taken out of it',
			'a mass update': 'It is one',
			'a second import': 'A person starts it by hand',
		},
	};
})();

/** "Every night the new answers are in a Google sheet, each question in its own column." */
export const googleSheets = ((): AwkwardDays => {
	const story = stories.sheets;
	const added = ({ world }: Play) => world.calls.filter(({ path }) => path === '/add-to-sheet');
	async function night(play: Play, ...answers: object[]): Promise<void> {
		await play.start('Every Night', answers);
		await play.settle();
	}
	const [answer = {}] = stories.answersOfA;

	/** The sheet refuses the rows: the run fails at the sheet, where one click goes on. */
	const refusedBy = (status: number): Check => {
		return async (play) => {
			play.world.receiver.refusal = { status, times: 1 };
			await night(play, answer);
			expect((await play.runs())[0]).toMatchObject({ status: 'error', lastNode: 'Add to Sheet' });
			play.world.mend();
			await play.retryAll();
			await play.settle();
			expect(added(play)).toHaveLength(2);
		};
	};
	return {
		story,
		days: {
			'an empty list': "Survey A's trigger starts no run without an answer",
			'one item': async (play) => {
				await night(play, answer);
				expect(added(play)).toHaveLength(1);
			},
			'many items': async (play) => {
				await night(play, ...Array.from({ length: 500 }, (_, i) => ({ ...answer, id: `f${i}` })));
				expect(added(play)).toHaveLength(500);
			},
			'quotes, newlines, emoji and HTML': async (play) => {
				await night(play, { ...answer, comment: AWKWARD_TEXT, answers: ['a', 'b'] });
				const [run] = await play.runs();
				expect(run?.items('Lists as Text')[0]?.json).toMatchObject({
					comment: AWKWARD_TEXT,
					answers: 'a, b',
				});
			},
			'no email': LOOKS_NOBODY_UP,
			'an address in other case': LOOKS_NOBODY_UP,
			'two answers by one person in an hour': 'Each answer is a row',
			'two starts within two seconds': 'A trigger that polls starts one run at a time',
			'a fault of the service': refusedBy(500),
			'a change of clocks': SAME_DAY,
			'an account that is refused for an hour': afterOneClick,
			'an erased person': NEW_ANSWERS_ONLY,
			'a hand in the table': NO_TABLE,
			'a mass update': CREATED_ONCE,
			'a second import': allByTwoImports,
		},
	};
})();

/** "All feedback is in PostgreSQL and in a file every morning." */
export const nightlyExport = ((): AwkwardDays => {
	const story = stories.nightlyExport;
	const feedback = ({ world }: Play) => world.sandbox.b.state.feedback;
	const night = async (play: Play) => {
		await play.start('Every Night');
		await play.settle();
	};
	const saved = async (server: Postgres) =>
		await server.rows("SELECT id, coalesce(score_type, 'none') FROM feedback ORDER BY id");
	const expected = (play: Play) =>
		feedback(play)
			.map(({ id, score_type }) => [String(id), score_type ?? 'none'])
			.sort(([one], [other]) => Number(one) - Number(other));

	/** The service refuses the second page: the run fails, and the next night does all of it. */
	const refusedBy = (status: number) =>
		onDatabase(async (play, server) => {
			play.world.sandbox.b.seedFeedback(250);
			await night(play);
			const read = { path: /feedback/, kind: refusal(status), skip: 1, times: Infinity };
			play.world.sandbox.b.faults.add(read);
			feedback(play).splice(0, 10);
			await night(play);
			expect(await play.seen()).not.toBe('');
			expect(await saved(server)).toHaveLength(250);
			play.world.mend();
			await night(play);
			expect(await saved(server)).toEqual(expected(play));
		});
	return {
		story,
		days: {
			'an empty list': onDatabase(async (play) => {
				await night(play);
				expect(await play.seen()).toBe('');
			}),
			'one item': onDatabase(async (play, server) => {
				play.world.sandbox.b.seedFeedback(2);
				await night(play);
				// Feedback that is deleted in Survey B is deleted here.
				feedback(play).length = 1;
				await night(play);
				expect(await saved(server)).toEqual(expected(play));
			}),
			'many items': onDatabase(async (play, server) => {
				play.world.sandbox.b.seedFeedback(500);
				// Somebody who comments and gives no score is no detractor.
				Object.assign(feedback(play)[7] ?? {}, { score: null, score_type: null });
				for (let i = 0; i < 2; i++) await night(play);
				expect(await saved(server)).toEqual(expected(play));
			}),
			'quotes, newlines, emoji and HTML': onDatabase(async (play, server) => {
				play.world.sandbox.b.seedFeedback(1);
				Object.assign(feedback(play)[0] ?? {}, { comment: AWKWARD_TEXT });
				await night(play);
				const [row] = await server.rows("SELECT replace(comment, chr(10), '|') FROM feedback");
				expect(row).toEqual([AWKWARD_TEXT.replaceAll('\n', '|')]);
			}),
			'no email': onDatabase(async (play, server) => {
				play.world.sandbox.b.seedFeedback(1);
				Object.assign(feedback(play)[0] ?? {}, { contact: null });
				await night(play);
				expect(await server.rows('SELECT email IS NULL FROM feedback')).toEqual([['t']]);
			}),
			'an address in other case': NOT_BY_PERSON,
			'two answers by one person in an hour': 'Each answer is a row',
			'two starts within two seconds': onDatabase(async (play, server) => {
				play.world.sandbox.b.seedFeedback(20);
				await night(play);
				await Promise.all([play.start('Every Night'), play.start('Every Night')]);
				await play.settle();
				expect(await saved(server)).toEqual(expected(play));
			}),
			'a fault of the service': refusedBy(500),
			'a change of clocks': MOMENTS_ONLY,
			'an account that is refused for an hour': refusedBy(401),
			'an erased person':
				'erase-person deletes the feedback in Survey B, and the next night deletes it here',
			'a hand in the table': NO_TABLE,
			'a mass update': READS_ONLY,
			'a second import': READS_ONLY,
		},
	};
})();
