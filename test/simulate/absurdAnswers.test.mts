import type { INodeParameters } from 'n8n-workflow';

import type { FaultKind } from '../../sandbox';
import { onItsOwnClock } from '../support/clock.mts';
import { EMAIL_FROM_ROW, mapped, people } from '../support/columns';
import { limitTo, restoreLimits } from '../support/limits.ts';
import { runOperation } from '../support/runOperation';
import type { RunSettings } from '../support/runOperation';
import { errorOf } from '../support/samples';
import { useSandboxForEach } from '../support/sandbox';

// Responses with extreme depth, length or numbers must cost neither time nor memory, and must not repeat a survey.

afterEach(restoreLimits);

const sandbox = useSandboxForEach();

const DEPTH = 100_000;
const deep = '['.repeat(DEPTH) + ']'.repeat(DEPTH);

/** CPU time of this process, which does not depend on other load of the machine. */
function cpuSeconds(): number {
	const { user, system } = process.cpuUsage();
	return (user + system) / 1e6;
}

const runB = (name: string, parameters: INodeParameters, settings?: RunSettings) =>
	onItsOwnClock(() => runOperation(sandbox.b, name, parameters, settings));

const sendB = () => {
	const parameters = { campaignId: '101', ...mapped({ email: 'ada@acme.example' }) };
	return runB('survey.send', parameters, { maxTries: 3 });
};

const sendA = (rows: number, settings: RunSettings = {}, options: INodeParameters = {}) => {
	const parameters = { campaign: '64a000000000000000000003', options, ...EMAIL_FROM_ROW };
	const all = { input: people(rows), ...settings };
	return onItsOwnClock(() => runOperation(sandbox.a, 'survey.send', parameters, all));
};

describe('deeply nested JSON', () => {
	test.each<[string, number, string]>([
		['an error of its side', 500, deep],
		['an error inside an object', 500, `{"detail":${deep}}`],
		['an answer', 200, deep],
		['an answer inside an object', 200, `{"x":${deep}}`],
	])(
		'as %s is an error of the row, and the contact is surveyed once at most',
		async (_, status, body) => {
			sandbox.b.faults.add({ times: Infinity, kind: { status, body } });
			const { error } = await sendB();
			expect(error?.message).toMatch(
				/^ada@acme\.example: .*(failed|unexpected response: \{…\}) \(HTTP/,
			);
			expect(error?.message).not.toMatch(/call stack/);
			expect(sandbox.b.state.sent.length).toBeLessThanOrEqual(1);
		},
	);

	test('deeply nested JSON is an error like any other [deep-json]', async () => {
		const body = `{"message":${deep},"data":[{"email":"person1@example.com","reason":${deep}}]}`;
		sandbox.a.faults.add({ kind: { status: 400, body } });
		const { error } = await sendA(1);
		expect(error?.message).toMatch(/^person1@example\.com: Survey A refused the request.*HTTP 400/);
	});
});

test('an unreadable response is an error of the row, and the contact is surveyed once at most', async () => {
	const body = { contact: {}, campaign_id: { toString: 1, valueOf: 1 } };
	sandbox.b.faults.add({ times: Infinity, kind: { status: 200, body } });
	const { error } = await sendB();
	expect(error?.message).toMatch(/^ada@acme\.example: Survey B returned an unexpected response/);
	expect(sandbox.b.state.sent.length).toBeLessThanOrEqual(1);
});

test.each([
	['status', /^Survey A returned .*person1@example\.com.*may have been processed/],
	['reason', /^person2@example\.com: Survey A did not confirm this row.*may have been processed/],
])(
	'a batch response with an unreadable %s confirms no row, and no row is sent twice',
	async (name, said) => {
		const row = {
			email: 'person1@example.com',
			status: 'fail',
			[name]: { toString: 1, valueOf: 1 },
		};
		const body = { code: 200, message: 'ok', data: [row] };
		sandbox.a.faults.add({ times: Infinity, kind: { status: 200, body } });
		const { error } = await sendA(2, { maxTries: 3 });
		expect(error?.message).toMatch(said);
		expect(
			sandbox.a.requests.filter(({ rawBody }) => rawBody.includes('person2@example.com')),
		).toHaveLength(1);
	},
);

describe('a text of 5 million characters in a response', () => {
	const WORDS = 5_000_000;
	/** The most characters of an error item. A thousand larger ones would not fit into memory. */
	const MOST = 2_000;

	test.each<[string, FaultKind]>([
		['a refusal', { status: 400, body: { message: 'no '.repeat(WORDS / 3), data: null } }],
		[
			'a reason beside a row',
			{
				status: 400,
				body: {
					message: 'no',
					data: [
						{ email: 'person1@example.com', status: 'fail', reason: 'no '.repeat(WORDS / 3) },
						{
							email: 'person2@example.com',
							status: 'fail',
							reason: { deep: ['no '.repeat(WORDS)] },
						},
					],
				},
			},
		],
		['digits in a 429', { status: 429, body: { message: '1'.repeat(WORDS) } }],
		['waits in a 429', { status: 429, body: { message: 'wait for 1'.repeat(WORDS / 10) } }],
	])(
		'a message repeats a thousand characters of the service at most: %s [long-message]',
		async (_, kind) => {
			sandbox.a.faults.add({ times: Infinity, kind });
			const begun = cpuSeconds();
			// An hour of repeats would take Node 20 a minute to parse.
			limitTo({ maxWait: 60_000 });
			const { output } = await sendA(2, { onError: 'continueRegularOutput' });
			expect(cpuSeconds() - begun).toBeLessThan(20);
			for (const { json } of output[0] ?? []) {
				expect(errorOf(json)).toMatch(/^person\d@example\.com: /);
				expect(JSON.stringify(json).length).toBeLessThan(MOST);
			}
			expect(output[0]).toHaveLength(2);
			// The limit is the processor time above, however busy the machine is.
		},
		300_000,
	);
});

test.each<[string, object[]]>([
	['empty', []],
	['all the same', [{ id: 1, email: 'a@example.com' }]],
])('a list is not read for ever if each page has a next link and is %s', async (_, results) => {
	for (const more of [{ returnAll: true }, { limit: 50 }]) {
		sandbox.b.reset();
		const next = `${sandbox.b.url}/api/v2/contacts/?cursor=next`;
		const body = { count: 1e9, next, results };
		sandbox.b.faults.add({ times: Infinity, kind: { status: 200, body } });
		await runB('contact.getAll', more);
		expect(sandbox.b.requests.length).toBeLessThan(40);
	}
});

test.each([1e308, 2 ** 60, 1e21, '99999999999999999999'])(
	'a list that states more pages than there are is an error that says how many records came: %p pages',
	async (many) => {
		const { a } = sandbox;
		const subscribers = [{ id: 'id1', email: 'a@example.com' }];
		const data = { subscribers, page: 1, pages: many, total: many, limit: 1 };
		a.faults.add({
			when: ({ query }) => Number(query.page ?? 1) === 1,
			times: Infinity,
			kind: { status: 200, body: { code: 200, message: 'ok', data } },
		});
		const { error } = await onItsOwnClock(
			async () => await runOperation(a, 'customer.getAll', { returnAll: true }),
		);
		expect(error?.message).toMatch(/^Survey A counts \d+ records, but lists only \d+/);
		for (const { query } of a.requests) expect(String(query.page ?? 1)).toMatch(/^\d+$/);
		// The pages that are under way are asked again, each a few times.
		expect(a.requests.length).toBeLessThanOrEqual(1000);
	},
);
