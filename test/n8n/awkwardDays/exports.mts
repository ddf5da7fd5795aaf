import type { Postgres } from '../../../host/queue/postgres.mts';
import { recordsOf } from '../../support/dataTable.mts';
import { unwrapped } from '../../support/mailbox.mts';
import { host, sandbox, type Execution } from '../../support/n8n.mts';
import { onDatabase } from './database.mts';
import {
	AWKWARD_TEXT,
	imported,
	mailbox,
	receiver,
	refusal,
	runTwice,
	seenByPeople,
	type AwkwardDays,
} from './setup.mts';

// The examples that read or write many records on a schedule or by hand.

type Check = () => Promise<void>;

const NOT_BY_PERSON = 'It reads no single person';
const READS_ONLY = 'It reads, and sends one mail: a second one has the same text';
const RUNS_AGAIN = 'Running it again changes nothing';
const SAME_DAY = 'Its trigger is n8n’s own, and it compares no times';

interface Report {
	name: 'weekly-nps-report' | 'account-nps-by-company';
	/** The request that the report is made of. */
	reads: RegExp;
	empty: () => void;
	/** What the mail says then. */
	emptySubject: RegExp;
	many: () => void;
	awkward: () => void;
	/** What the mail has of the awkward text. */
	escaped: string;
}

/** "… comes by email every Monday": a mail comes, or the run fails. */
function reportDays(report: Report): AwkwardDays {
	const { name, reads } = report;
	const monday = async () => await host.n8n.run(await imported(name), { trigger: 'Every Monday' });
	const mail = () => unwrapped(mailbox.messages[0] ?? '');

	const refusedBy = (status: number): Check => {
		return async () => {
			sandbox.a.faults.add({ path: reads, kind: refusal(status), times: Infinity });
			const run = await monday();
			sandbox.a.faults.clear();
			expect(run).toMatchObject({ status: 'error' });
			expect(await seenByPeople(run.workflowId)).not.toBe('');
			expect(mailbox.messages).toEqual([]);
		};
	};
	return {
		name,
		days: {
			'an empty list': async () => {
				report.empty();
				expect(await monday()).toMatchObject({ status: 'success' });
				expect(mail()).toMatch(report.emptySubject);
			},
			'one item': async () => {
				expect(await monday()).toMatchObject({ status: 'success' });
				expect(mailbox.messages).toHaveLength(1);
			},
			'500 items': async () => {
				report.many();
				expect(await monday()).toMatchObject({ status: 'success' });
				expect(mailbox.messages).toHaveLength(1);
			},
			'quotes, newlines, emoji and HTML': async () => {
				report.awkward();
				expect(await monday()).toMatchObject({ status: 'success' });
				expect(mail()).toContain(report.escaped);
			},
			'no email': NOT_BY_PERSON,
			'an address in other case': NOT_BY_PERSON,
			'two answers by one person in an hour': NOT_BY_PERSON,
			'two starts within two seconds': READS_ONLY,
			'a restart in the middle': 'n8n shows the run as crashed',
			'a 401 in the middle': refusedBy(401),
			'a 403 in the middle': refusedBy(403),
			'a 429 in the middle': async () => {
				sandbox.a.faults.add({ path: reads, kind: refusal(429), times: 2 });
				expect(await monday()).toMatchObject({ status: 'success' });
				expect(mailbox.messages).toHaveLength(1);
			},
			'a 500 in the middle': refusedBy(500),
			'a change of clocks': SAME_DAY,
		},
	};
}

const companies = () => sandbox.a.state.companies;
const metrics = (NPS: number | null) => ({ NPS, CSAT: null, CES: null, STAR: null });

export const accountNps = reportDays({
	name: 'account-nps-by-company',
	reads: /companies/,
	empty: () => (companies().length = 0),
	emptySubject: /Subject: Account NPS: 0 of 0 companies below zero/,
	many: () => {
		const [first] = companies();
		if (!first) throw new RangeError('The sandbox has no company');
		const more = Array.from({ length: 500 }, (_, i) => ({ ...first, id: `${first.id}${i}` }));
		for (const one of more) companies().push({ ...one, cxMetrics: metrics(10) });
	},
	awkward: () => {
		for (const one of companies()) Object.assign(one, { companyName: '<b>"A" & B</b> 😀' });
		Object.assign(companies()[0] ?? {}, { cxMetrics: metrics(-5) });
	},
	// The mailbox decodes "&amp;".
	escaped: '&lt;b&gt;"A" & B&lt;/b&gt;',
});

export const weeklyNps = reportDays({
	name: 'weekly-nps-report',
	reads: /score|reports/,
	empty: () => (sandbox.a.state.feedback.length = 0),
	emptySubject: /Subject: NPS this week: /,
	many: () => void sandbox.a.seedFeedback(500),
	awkward: () => undefined,
	escaped: 'The chart of the last 30 days is attached.',
});

/** "Fifty thousand customers come into Survey A in fifty requests." */
export const backfill = ((): AwkwardDays => {
	const name = 'backfill-customers';
	const customers = /nps\/customers$/;
	const progress = async () => await recordsOf(host.n8n, 'Backfill progress');

	/** Imports the example with this many customers in batches of 200. */
	const prepared = async (rows: string | number) =>
		await imported(name, ({ nodes }) => {
			for (const { name: node, parameters = {} } of nodes) {
				if (node === '5,000 at a Time') parameters.batchSize = 200;
				if (node !== 'Make Sample Customers') continue;
				const list = String(parameters.jsonOutput).replace('50000', String(rows));
				parameters.jsonOutput = typeof rows === 'number' ? list : `={{ { customers: ${rows} } }}`;
			}
		});
	const done = (run: Execution) => run.nodes['Backfill Done'] ?? [];

	const refusedBy = (status: number): Check => {
		return async () => {
			const id = await prepared(500);
			const post = { method: 'POST', path: customers };
			sandbox.a.faults.add({ ...post, kind: refusal(status), skip: 2, times: Infinity });
			const run = await host.n8n.run(id);
			sandbox.a.faults.clear();
			if (run.lastNode === 'Create or Update Customers') {
				// The account is refused, so the run ends here. A retry goes on with this batch.
				expect(await host.n8n.retry(run.id)).toMatchObject({ status: 'success' });
				expect((await progress()).map((row) => row.customers)).toEqual([200, 200, 100]);
				return;
			}
			expect(done(run)).toHaveLength(1);
			expect(run).toMatchObject({ status: 'error' });
			expect(await seenByPeople(id)).toMatch(/100 customers were refused/);
			const rows = await progress();
			expect(rows.map(({ customers: taken, refused }) => [taken, refused])).toEqual([
				[200, 0],
				[200, 0],
				[0, 100],
			]);
			expect(rows.at(-1)?.reasons).toContain('customer499@example.com');
		};
	};
	return {
		name,
		days: {
			'an empty list': async () => {
				expect(await host.n8n.run(await prepared(0))).toMatchObject({ status: 'success' });
				expect(sandbox.a.requests.filter(({ method }) => method === 'POST')).toEqual([]);
			},
			'one item': async () => {
				const run = await host.n8n.run(await prepared(1));
				expect(run).toMatchObject({ status: 'success' });
				expect(done(run)).toHaveLength(1);
				expect(sandbox.a.state.customers.has('customer0@example.com')).toBe(true);
			},
			'500 items': async () => {
				const run = await host.n8n.run(await prepared(500));
				expect(run).toMatchObject({ status: 'success' });
				expect(done(run)).toHaveLength(1);
				expect((await progress()).map((row) => row.customers)).toEqual([200, 200, 100]);
			},
			'quotes, newlines, emoji and HTML': async () => {
				const text = JSON.stringify(AWKWARD_TEXT.replace('{{ 1 }}', ''));
				await host.n8n.run(await prepared(`[{ email: 'a@acme.example', plan: ${text} }]`));
				const [property] = sandbox.a.state.customers.get('a@acme.example')?.properties ?? [];
				expect(property?.value).toBe(JSON.parse(text));
			},
			'no email': async () => {
				const id = await prepared(`[{ plan: 'pro' }, { email: 'a@acme.example' }]`);
				const run = await host.n8n.run(id);
				expect(sandbox.a.state.customers.has('a@acme.example')).toBe(true);
				expect(run).toMatchObject({ status: 'error' });
				expect(await seenByPeople(id)).toMatch(/1 customers were refused/);
				expect(done(run)).toHaveLength(1);
			},
			'an address in other case': 'It looks nobody up',
			'two answers by one person in an hour': 'It gets no answers',
			'two starts within two seconds': async () => {
				const id = await prepared(200);
				// The first run creates the table.
				await host.n8n.run(id);
				const runs = await runTwice(id, 'Start Backfill');
				expect(runs.map(({ status }) => status)).toEqual(['success', 'success']);
				expect(sandbox.a.state.customers.has('customer199@example.com')).toBe(true);
			},
			'a restart in the middle': RUNS_AGAIN,
			'a 401 in the middle': refusedBy(401),
			'a 403 in the middle': refusedBy(403),
			'a 429 in the middle': async () => {
				const post = { method: 'POST', path: customers };
				sandbox.a.faults.add({ ...post, kind: refusal(429), times: 2 });
				const run = await host.n8n.run(await prepared(500));
				expect(run).toMatchObject({ status: 'success' });
				expect(sandbox.a.state.customers.has('customer499@example.com')).toBe(true);
			},
			'a 500 in the middle': refusedBy(500),
			'a change of clocks': SAME_DAY,
		},
	};
})();

/** "Every night the new answers are in a Google sheet, each question in its own column." */
export const googleSheets = ((): AwkwardDays => {
	const name = 'google-sheets-nightly-answers';
	const night = async () => await host.n8n.run(await imported(name), { trigger: 'Every Night' });
	const answer = (comment?: string) =>
		sandbox.a.answer({
			email: 'ada@acme.example',
			campaignId: '64a000000000000000000003',
			score: 9,
			comment,
		});

	/** The sheet refuses the rows: the run fails at the sheet, where a retry goes on. */
	const refusedBy = (status: number): Check => {
		return async () => {
			answer();
			receiver.refusal = { status, times: 1 };
			const run = await night();
			expect(run).toMatchObject({ status: 'error', lastNode: 'Add to Sheet' });
			expect(await seenByPeople(run.workflowId)).not.toBe('');
		};
	};
	return {
		name,
		days: {
			'an empty list': "Survey A's trigger starts no run without an answer",
			'one item': async () => {
				answer('Fine');
				expect(await night()).toMatchObject({ status: 'success' });
				expect(receiver.calls.length).toBeGreaterThan(0);
			},
			'500 items': 'A night by hand has the newest answers only',
			'quotes, newlines, emoji and HTML': async () => {
				answer(AWKWARD_TEXT);
				const run = await night();
				const comments = run.items('Lists as Text').map(({ json }) => json.comment);
				expect(comments).toContain(AWKWARD_TEXT);
			},
			'no email': 'It looks nobody up',
			'an address in other case': 'It looks nobody up',
			'two answers by one person in an hour': 'Each answer is a row',
			'two starts within two seconds': 'A trigger that polls starts one run at a time',
			'a restart in the middle': 'Adding a row again changes it',
			'a 401 in the middle': refusedBy(401),
			'a 403 in the middle': refusedBy(403),
			'a 429 in the middle': refusedBy(429),
			'a 500 in the middle': refusedBy(500),
			'a change of clocks': SAME_DAY,
		},
	};
})();

/** "All feedback is in PostgreSQL and in a file every morning." */
export const nightlyExport = ((): AwkwardDays => {
	const name = 'nightly-feedback-export';
	const feedback = () => sandbox.b.state.feedback;

	const checked = (work: (id: string, server: Postgres) => Promise<void>) => onDatabase(name, work);
	const night = async (id: string) => await host.n8n.run(id, { trigger: 'Every Night' });
	const saved = async (server: Postgres) =>
		await server.rows("SELECT id, coalesce(score_type, 'none') FROM feedback ORDER BY id");
	const expected = () =>
		feedback()
			.map(({ id, score_type }) => [String(id), score_type ?? 'none'])
			.sort(([one], [other]) => Number(one) - Number(other));

	const refusedBy = (status: number) =>
		checked(async (id) => {
			sandbox.b.faults.add({ path: /feedback/, kind: refusal(status), skip: 1, times: Infinity });
			sandbox.b.seedFeedback(250);
			const run = await night(id);
			sandbox.b.faults.clear();
			expect(run).toMatchObject({ status: 'error' });
			expect(await seenByPeople(id)).not.toBe('');
		});
	return {
		name,
		days: {
			'an empty list': checked(async (id) => {
				feedback().length = 0;
				expect(await night(id)).toMatchObject({ status: 'success' });
			}),
			'one item': checked(async (id, server) => {
				feedback().length = 1;
				expect(await night(id)).toMatchObject({ status: 'success' });
				expect(await saved(server)).toEqual(expected());
			}),
			'500 items': checked(async (id, server) => {
				sandbox.b.seedFeedback(500);
				// Somebody who comments and gives no score is no detractor.
				Object.assign(feedback()[7] ?? {}, { score: null, score_type: null });
				for (let i = 0; i < 2; i++) expect(await night(id)).toMatchObject({ status: 'success' });
				expect(await saved(server)).toEqual(expected());
			}),
			'quotes, newlines, emoji and HTML': checked(async (id, server) => {
				feedback().length = 1;
				Object.assign(feedback()[0] ?? {}, { comment: AWKWARD_TEXT });
				await night(id);
				const [row] = await server.rows("SELECT replace(comment, chr(10), '|') FROM feedback");
				expect(row).toEqual([AWKWARD_TEXT.replaceAll('\n', '|')]);
			}),
			'no email': checked(async (id, server) => {
				feedback().length = 1;
				Object.assign(feedback()[0] ?? {}, { contact: null });
				expect(await night(id)).toMatchObject({ status: 'success' });
				expect(await server.rows('SELECT email IS NULL FROM feedback')).toEqual([['t']]);
			}),
			'an address in other case': NOT_BY_PERSON,
			'two answers by one person in an hour': 'Each answer is a row',
			'two starts within two seconds': checked(async (id, server) => {
				await night(id);
				const runs = await runTwice(id, 'Every Night');
				expect(runs.map(({ status }) => status)).toEqual(['success', 'success']);
				expect(await saved(server)).toEqual(expected());
			}),
			'a restart in the middle': RUNS_AGAIN,
			'a 401 in the middle': refusedBy(401),
			'a 403 in the middle': refusedBy(403),
			'a 429 in the middle': checked(async (id, server) => {
				sandbox.b.faults.add({ path: /feedback/, kind: refusal(429), times: 2 });
				expect(await night(id)).toMatchObject({ status: 'success' });
				expect(await saved(server)).toEqual(expected());
			}),
			'a 500 in the middle': refusedBy(500),
			'a change of clocks': SAME_DAY,
		},
	};
})();
