import { EXAMPLES, readExample } from '../support/examples.mts';
import { runCodeNode } from '../support/flow.mts';

// The texts of the Code nodes in the examples, each with the items that n8n gives it. Whole workflows are run in a real
// n8n by test/n8n/awkwardDays.test.mts.

const isCode = ({ type }: { type: string }) => type.endsWith('.code');

/** The Code nodes that have a test here: `example: node`. */
const tested = new Set<string>();

/** Returns a function that runs a Code node of an example with items, and with the items of other nodes by name. */
function codeOf(example: string, name: string) {
	tested.add(`${example}: ${name}`);
	const node = readExample(example).nodes.find((one) => one.name === name);
	return (items: object[], others: Parameters<typeof runCodeNode>[2] = {}) =>
		runCodeNode(node, items, others);
}

const NOW = '2027-03-02T10:00:00.000+01:00';
const HOUR_AGO = '2027-03-02T08:00:00.000Z';

const CODE_NODES = EXAMPLES.flatMap((example) =>
	readExample(example)
		.nodes.filter(isCode)
		.map(({ name, parameters }) => ({
			where: `${example}: ${name}`,
			text: String(parameters?.jsCode),
		})),
);

test.each(CODE_NODES)(
	'$where has at most 40 lines, the first of which says what it does, and a test',
	({ where, text }) => {
		expect(text.split('\n').length).toBeLessThanOrEqual(40);
		expect(text).toMatch(/^\/\/ /);
		expect([...tested]).toContain(where);
	},
);

test('an example takes rows out of its table only by an update that asks for their state', () => {
	const takers = EXAMPLES.flatMap((name) =>
		readExample(name).nodes.filter((node) => node.name === 'Take Rows Out'),
	);
	expect(takers.length).toBeGreaterThan(3);
	for (const { parameters } of takers) {
		expect(parameters?.operation).toBe('update');
		const { conditions } = Object(parameters?.filters);
		const asked = conditions.map(({ keyName }: { keyName: string }) => keyName);
		expect(asked.filter((name: string) => name !== 'id')).not.toEqual([]);
	}
});

test('erase-person looks into every data table of the examples that has emails', () => {
	const tables = EXAMPLES.flatMap((name) => readExample(name).nodes)
		.filter(({ parameters = {} }) => parameters.resource === 'table')
		.filter(({ parameters }) => JSON.stringify(parameters?.columns ?? '').includes('"email"'))
		.map(({ parameters }) => String(parameters?.tableName));
	const { nodes } = readExample('erase-person');
	const filter = nodes.find(({ name }) => name === 'Tables with an Email');
	for (const table of tables) expect(JSON.stringify(filter?.parameters)).toContain(`'${table}'`);
});

describe.each(['crm-event-to-survey', 'crm-event-to-survey-b'])(
	'One Row per Customer of %s',
	(name) => {
		const run = codeOf(name, 'One Row per Customer');
		test.each([
			[{ customers: [{ email: 'a@b.example' }] }, [{ email: 'a@b.example' }]],
			[[{ email: 'a@b.example' }], [{ email: 'a@b.example' }]],
			[{ email: 'a@b.example' }, [{ email: 'a@b.example' }]],
			[{ customers: [] }, []],
			[
				{ customers: [null, 'a@b.example', 7, [{ id: 1 }]] },
				[{ email: 'null' }, { email: 'a@b.example' }, { email: '7' }, { id: 1 }],
			],
			[{ customers: null }, [{ customers: null }]],
			['', [{ email: '' }]],
		])('makes rows of %j', (body, rows) => {
			expect(run([{ body }])).toEqual(rows);
		});
	},
);

describe('Look Up of crm-event-to-survey', () => {
	const look = codeOf('crm-event-to-survey', 'Look Up');
	const row = {
		id: 1,
		email: ' Ada@Acme.example',
		campaign: 'c',
		tried_at: new Date().toISOString(),
	};
	const survey = { email: 'ada@acme.example', campaignId: 'c', sentDate: new Date().toISOString() };

	test('finds a survey in whichever case its address is written', () => {
		expect(look([survey], { 'Get Doubtful Rows': [row] })).toMatchObject([{ id: 1, found: true }]);
	});

	test.each([
		['another campaign', { ...survey, campaignId: 'd' }],
		['an earlier survey', { ...survey, sentDate: '2020-01-01T00:00:00Z' }],
		['no survey', {}],
	])('waits for three days in case of %s', (_, shown) => {
		expect(look([shown], { 'Get Doubtful Rows': [row] })).toEqual([]);
		const old = { ...row, tried_at: '2020-02-01T00:00:00Z' };
		const isShown =
			'sentDate' in shown && shown.sentDate > old.tried_at && shown.campaignId === 'c';
		expect(look([shown], { 'Get Doubtful Rows': [old] })).toMatchObject([{ found: isShown }]);
	});
});

describe('survey-queue', () => {
	const settings = {
		...{ now: NOW, run: '7', quietDays: 30, samplePercent: 100, surveysPerDay: 2 },
		...{
			workDays: [1, 2, 3, 4, 5],
			fromHour: 9,
			toHour: 17,
			reminderAfterDays: 7,
			reminderCampaign: 'r',
		},
	};
	const row = {
		...{
			id: 1,
			email: 'Ada@Acme.example',
			service: 'A',
			campaign: 'c',
			time_zone: 'Europe/Berlin',
		},
		...{ columns: '{}', kind: 'survey', state: 'sending', slot: '2027-03-02 #0001', claim: '7-1' },
		...{ claimed_at: HOUR_AGO, tried_at: HOUR_AGO, sent_at: null, share: 0 },
	};
	const withSettings = { Settings: [settings] };

	describe('Read Request and Check Request', () => {
		const read = codeOf('survey-queue', 'Read Request');
		const check = codeOf('survey-queue', 'Check Request');
		const defaults = { service: 'A', campaign: 'c', timeZone: 'Europe/Berlin' };
		const rowsOf = (body: unknown) => check(read([{ body, defaults }]));

		test('an empty list makes no rows', () => expect(rowsOf({ people: [] })).toEqual([]));

		test('the address stays as it was given, and other values become columns', () => {
			expect(
				rowsOf({ Email: ' Ada@Acme.example', 'First Name': 'Ada', columns: { plan: 'pro' } }),
			).toMatchObject([
				{
					email: 'Ada@Acme.example',
					columns: '{"first_name":"Ada","plan":"pro"}',
					state: 'waiting',
					reason: '',
				},
			]);
		});

		test.each([
			[null, /valid email/],
			[7, /valid email/],
			[{ email: 'a@b.example', service: 'C' }, /A or B/],
			[{ email: 'a@b.example', not_before: 'soon' }, /"soon" is not an ISO date/],
			[{ email: 'a@b.example', time_zone: 'Europe/Berlln' }, /"Europe\/Berlln" is not a time zone/],
			[{ email: 'a@b.example', columns: 'text' }, /"columns"/],
			[{ email: 'a@b.example', columns: '[1]' }, /"columns"/],
		])('%j waits for a person and affects nobody else', (person, reason) => {
			expect(rowsOf({ people: [person, { email: 'good@b.example' }] })).toMatchObject([
				{ state: 'decide', reason: expect.stringMatching(reason) },
				{ state: 'waiting' },
			]);
		});
	});

	const drawSample = codeOf('survey-queue', 'Draw Sample');

	test('Draw Sample gives both spellings of an address the same share', () => {
		const [one, other] = drawSample([{ email: 'Ada@b.example' }, { email: 'ada@b.example' }]);
		expect(one?.share).toBe(other?.share);
	});

	describe('Plan', () => {
		const run = codeOf('survey-queue', 'Plan');
		const plan = (change: object, more: object = {}, slot?: string) => {
			const others = { Settings: [{ ...settings, ...more }], 'Get Places Taken': [{ slot }] };
			return run([{ ...row, state: 'waiting', ...change }], others)[0];
		};
		test.each([
			['sends in working hours', {}, {}, { state: 'sending', claim: '7-1' }],
			[
				'waits in the last 55 minutes',
				{},
				{ now: '2027-03-02T16:30:00.000+01:00' },
				{ state: 'waiting', not_before: '2027-03-03T08:00:00.000Z' },
			],
			[
				'waits over the change of clocks',
				{},
				{ now: '2027-03-26T18:00:00.000+01:00' },
				{ not_before: '2027-03-29T07:00:00.000Z' },
			],
			['asks about an unknown time zone', { time_zone: 'Europe/Berlln' }, {}, { state: 'decide' }],
			[
				'leaves out who is not in the sample',
				{ share: 50 },
				{ samplePercent: 50 },
				{ state: 'left out' },
			],
			[
				'asks about a repetition after 23 hours',
				{ state: 'waiting to repeat', tried_at: '2027-03-01T08:00:00.000Z' },
				{},
				{ state: 'decide' },
			],
		])('%s', (_, change, more, expected) => {
			expect(plan(change, more)).toMatchObject(expected);
		});

		test('waits for tomorrow when the places of the day are taken', () => {
			expect(plan({}, {}, '2027-03-02 #0002')).toMatchObject({
				state: 'waiting',
				not_before: '2027-03-03T08:00:00.000Z',
			});
			expect(plan({}, {}, '2027-03-02 #0001')).toMatchObject({ state: 'sending' });
		});
	});

	describe('Look for Objections and Decide', () => {
		const look = codeOf('survey-queue', 'Look for Objections');
		const decide = codeOf('survey-queue', 'Decide');
		const after = (
			change: object,
			{
				rows = [],
				outbox = [{}],
				contacts = [{}],
			}: { rows?: object[]; outbox?: object[]; contacts?: object[] },
		) => {
			const taken = { ...row, ...change };
			const found = look([{}], {
				...withSettings,
				'Take Rows Out': [taken],
				'Get Rows of Person': [taken, ...rows],
				'Get Outbox of Person': outbox,
				'Get Contact': contacts,
			});
			return decide(found, withSettings)[0];
		};
		const email = 'ada@acme.example';
		const recent = '2027-02-20T09:00:00.000Z';
		test.each([
			['nothing', {}, {}, { state: 'sending' }],
			[
				'a survey by A',
				{},
				{ outbox: [{ email, sentDate: recent }] },
				{ state: 'left out', slot: '' },
			],
			[
				'an opt-out',
				{},
				{
					outbox: [
						{ email, sentDate: '2020-01-01T00:00:00Z', detailedStatus: { isOptedOut: true } },
					],
				},
				{ state: 'left out', slot: '' },
			],
			[
				'an unsubscribed contact',
				{},
				{ contacts: [{ email, unsubscribed: 'true' }] },
				{ state: 'left out' },
			],
			[
				'a survey in the queue',
				{},
				{ rows: [{ id: 2, email, tried_at: recent, service: 'B' }] },
				{ state: 'left out' },
			],
			[
				'a survey under way',
				{},
				{ rows: [{ id: 2, email, state: 'sending' }] },
				{ state: 'waiting', slot: '' },
			],
			[
				'the same place',
				{},
				{ rows: [{ id: 2, email: 'b@b.example', slot: row.slot }] },
				{ state: 'waiting', slot: '' },
			],
			[
				'an outbox that cannot be read',
				{},
				{ outbox: [{ error: 'Refused (HTTP 401)' }] },
				{ state: 'waiting after failure', slot: '' },
			],
			['columns that are no JSON', { columns: '{' }, {}, { state: 'decide', slot: '' }],
			[
				'an answer to the survey of a reminder',
				{ kind: 'reminder', sent_at: recent },
				{ outbox: [{ email, sentDate: recent, status: 'RESPONDED' }] },
				{ state: 'sent', reason: 'No reminder: answered' },
			],
			[
				'an opt-out before a repetition',
				{ tried_at: '2027-03-02T07:00:00.000Z' },
				{ contacts: [{ email, unsubscribed: true }] },
				{ state: 'decide' },
			],
		])('decides about a row in case of %s', (_, change, read, expected) => {
			expect(after(change, read)).toMatchObject(expected);
		});
	});

	describe('Result', () => {
		const run = codeOf('survey-queue', 'Result');
		const result = (service: 'A' | 'B', json: object, change: object = {}) =>
			run([json], {
				...withSettings,
				Decide: [{ ...row, service, ...change }],
			})[0];
		const refused = (httpCode?: number, more: object = {}) => ({
			error: 'Refused',
			details: { httpCode, ...more },
		});
		const failure = { state: 'waiting after failure', slot: '', tried_at: null };
		test.each([
			['A', { campaignId: 'c', status: 'queued' }, { state: 'accepted' }],
			['B', { campaign_id: 1, status: 'SENT' }, { state: 'sent' }],
			['A', refused(401), failure],
			['B', refused(401), failure],
			['A', refused(403), failure],
			['B', refused(403), failure],
			['A', refused(400), { state: 'decide', slot: '' }],
			['B', refused(undefined, { field: 'columns' }), { state: 'decide' }],
			['A', refused(500, { uncertain: true }), { state: 'checking', tried_at: HOUR_AGO }],
			['B', refused(500), { state: 'waiting to repeat', tried_at: HOUR_AGO }],
			['B', refused(), { state: 'waiting to repeat' }],
			['B', { status: 'skipped', reason: 'Not eligible' }, { state: 'left out', slot: '' }],
			['B', { status: 'skipped', reason: 'Not eligible', maybeSent: true }, { state: 'sent' }],
			[
				'A',
				{ email: 'a@b.example' },
				{ state: 'decide', reason: expect.stringContaining('deactivated') },
			],
		] as const)(
			'gives the row its state after Survey %s returned %j',
			(service, json, expected) => {
				expect(result(service, json)).toMatchObject(expected);
			},
		);
	});

	describe('Look Up', () => {
		const run = codeOf('survey-queue', 'Look Up');
		const look = (change: object, outbox: object[]) =>
			run(outbox, {
				...withSettings,
				'Get Rows to Look Up': [{ ...row, ...change }],
			});
		const survey = { email: 'ada@acme.example', campaignId: 'c', sentDate: HOUR_AGO };
		test.each([
			[
				'in the outbox',
				{ state: 'accepted' },
				[survey],
				[{ state: 'sent', remind_at: '2027-03-09T08:00:00.000Z' }],
			],
			['of another campaign', { state: 'accepted' }, [{ ...survey, campaignId: 'd' }], []],
			[
				'not shown for three days',
				{ state: 'checking', tried_at: '2027-02-20T08:00:00.000Z' },
				[{}],
				[{ state: 'decide' }],
			],
			['under way', { state: 'sending' }, [{}], []],
			[
				'of a run that stopped',
				{ state: 'sending', claimed_at: '2027-03-02T07:00:00.000Z' },
				[{}],
				[{ state: 'checking' }],
			],
			[
				'of Survey B in a run that stopped',
				{ service: 'B', claimed_at: '2027-03-02T07:00:00.000Z' },
				[{}],
				[{ state: 'waiting to repeat' }],
			],
			[
				'whose outbox cannot be read',
				{ state: 'checking', tried_at: '2027-02-20T08:00:00.000Z' },
				[{ error: 'Refused' }],
				[],
			],
		])('decides about a row %s', (_, change, outbox, expected) => {
			expect(look(change, outbox)).toMatchObject(expected);
		});
	});
});

describe('erase-person', () => {
	const person = { email: 'Ada@Acme.example', person: 'ada@acme.example' };
	const spellings = codeOf('erase-person', 'Both Spellings');

	test('both spellings of an address are asked for, one if they are equal', () => {
		expect(spellings([{}], { 'Read Email': [person] })).toEqual([
			{ email: person.email },
			{ email: person.person },
		]);
		expect(spellings([{}], { 'Read Email': [{ ...person, email: person.person }] })).toHaveLength(
			1,
		);
	});

	const CHECKS = [
		'Is the Customer Gone?',
		'Is the Contact Gone?',
		'Is the Feedback Gone?',
		'Is Feedback Left?',
		'Is the Outbox Empty?',
	];
	const write = codeOf('erase-person', 'Write Receipt');
	const receipt = (more: Record<string, object[] | object[][]>) => {
		const clean = Object.fromEntries(CHECKS.map((name) => [name, [{}]]));
		const others = {
			'Read Email': [person],
			'Both Spellings': [{ email: person.email }],
			...clean,
			...more,
		};
		return write([{}], others)[0];
	};

	test.each([
		['everything is gone', {}, 'Erased', 'Deleted or not there'],
		[
			'a deletion failed and nothing is there',
			{ 'Delete Customer': [{ error: 'Not found' }] },
			'Erased',
			'Deleted or not there',
		],
		[
			'a customer is there in another case',
			{
				'Is the Customer Gone?': [{ email: 'ADA@acme.example', id: 'c1' }],
				'Delete Customer': [{ error: 'Refused <b>' }],
			},
			'Not all erased',
			'Still there: c1. Refused &lt;b>',
		],
		[
			'a service cannot be read',
			{ 'Is the Feedback Gone?': [{ email: 'ada@acme.example', error: 'HTTP 503' }] },
			'Not all erased',
			'HTTP 503',
		],
		[
			'another person has a like address',
			{ 'Is the Contact Gone?': [{ email: 'x-ada@acme.example' }] },
			'Erased',
			'Deleted',
		],
		[
			'a table cannot be read',
			{ 'Get Rows': [[], [{ error: 'No such table' }]] },
			'Not all erased',
			'0 deleted. No such table',
		],
		['rows are deleted', { 'Delete Rows': [{ id: 1 }, { id: 2 }] }, 'Erased', '2 deleted'],
	])('the receipt is true when %s', (_, more, subject, html) => {
		expect(receipt(more)).toMatchObject({
			subject: `${subject}: ada@acme.example`,
			html: expect.stringContaining(html),
		});
	});
});

describe('nps-history', () => {
	const changed = codeOf('nps-history', 'New or Changed');
	const feedback = {
		id: 7,
		created: HOUR_AGO,
		score: 9,
		campaign_name: 'Yearly',
		email: 'a@b.example',
		comment: 'Fine',
	};
	const stored = {
		key: 'B 7',
		campaign: 'Yearly',
		score: 9,
		email: 'a@b.example',
		comment: 'Fine',
	};

	test.each([
		['nothing changed', {}, []],
		['the campaign has another name', { campaign: 'Old' }, [{ key: 'B 7', isNew: false }]],
		['the score is another one', { score: 2 }, [{ isNew: false }]],
		['it is not stored', { key: 'B 8' }, [{ isNew: true }]],
	])('a response is stored again only if needed: %s', (_, change, expected) => {
		expect(changed([feedback], { 'Get Stored Rows': [{ ...stored, ...change }] })).toMatchObject(
			expected,
		);
	});

	const twice = codeOf('nps-history', 'Rows Stored Twice');

	test('the second row of a response is the one to delete', () => {
		const rows = [
			{ id: 1, key: 'a' },
			{ id: 2, key: 'b' },
			{ id: 3, key: 'a' },
		];
		expect(twice(rows)).toEqual([{ id: 3, key: 'a' }]);
	});

	const ofFile = codeOf('nps-history', 'Rows of File');
	const line = {
		email: 'Ada@b.example',
		score: '9',
		date: '2024-05-31',
		campaign: '',
		comment: '',
	};

	test.each([
		['no rows', [{}], /no column email, score, date, campaign, comment. It has no rows/],
		['another separator', [{ 'email;score': 'a;9' }], /It has email;score/],
	])('a file with %s is refused', (_, rows, message) => {
		expect(() => ofFile(rows)).toThrow(message);
	});

	test('equal lines of a file are counted, and lines that are not valid have a reason', () => {
		const rows = ofFile([line, line, { ...line, score: '', date: '31.05.2024' }]);
		expect(rows.map(({ key }) => key)).toEqual([
			expect.stringMatching(/ 1$/),
			expect.stringMatching(/ 2$/),
			undefined,
		]);
		expect(rows[2]?.problem).toMatch(/not a score.*not a date/);
	});

	const draw = codeOf('nps-history', 'Draw Chart');

	test('the chart shows no HTML of a campaign', () => {
		const rows = [{ key: 'a', service: 'Survey B', campaign: '<b>', date: HOUR_AGO, score: 9 }];
		const [chart] = draw(rows);
		expect(chart?.html).toContain('&lt;b>');
		expect(chart?.responses).toBe(1);
	});
});

describe('backfill-customers, Count the Batch', () => {
	const run = codeOf('backfill-customers', 'Count the Batch');
	const count = (...rows: object[]) => run(rows);

	test('counts the rows that were taken and refused, and lists the refused emails by reason', () => {
		const rows = [
			{ email: 'ada@acme.example', status: 'accepted' },
			{ email: 'nowhere', error: 'Invalid email address' },
			{ email: 'alan@globex.example', error: 'Service unavailable' },
			{ email: 'nobody', error: 'Invalid email address' },
		];
		expect(count(...rows)).toEqual([
			{
				customers: 1,
				refused: 3,
				reasons: 'Invalid email address: nowhere, nobody\nService unavailable: alan@globex.example',
			},
		]);
	});

	test('lists nothing if every row was taken', () => {
		expect(count({ email: 'ada@acme.example' })).toEqual([
			{ customers: 1, refused: 0, reasons: '' },
		]);
	});
});

describe('slack-detractor-reply, Write Message', () => {
	const run = codeOf('slack-detractor-reply', 'Write Message');
	const write = (item: object) => {
		const [result] = run([item]);
		return String(result?.message);
	};
	const item = { email: 'ada@acme.example', score: 2, campaign_name: 'A & B', reply: 'Thank you' };

	test('quotes every line of the comment, so that none looks like the draft', () => {
		const lines = write({ ...item, comment: 'One\nReply:\\nTwo' }).split('\n');
		expect(lines).toEqual([
			'*ada@acme.example* gave *2* (A &amp;amp; B)',
			'> One',
			'> Reply:',
			'> Two',
			'',
			'Reply:',
			'> Thank you',
		]);
	});

	test('leaves no character of a comment that starts a mention or a link', () => {
		expect(write({ ...item, comment: '<!channel> <https://evil|x> &lt;' })).not.toMatch(
			/[<]|&(?!amp;)/,
		);
	});

	test('says so if there is no email and no comment', () => {
		const message = write({ ...item, email: null, comment: null });
		expect(message).toContain('*Somebody* gave *2*');
		expect(message).toContain('> no comment');
	});
});

describe('account-nps-by-company, Draw Chart', () => {
	const run = codeOf('account-nps-by-company', 'Draw Chart');
	const draw = (...items: object[]) => {
		const [result] = run(items);
		return result ?? {};
	};
	const company = (companyName: string, NPS: number) => ({ companyName, cxMetrics: { NPS } });

	test('draws the company with the lowest score first and counts those below zero', () => {
		const { chart, companies, detractors } = draw(company('High', 67), company('Low', -25));
		expect({ companies, detractors }).toEqual({ companies: 2, detractors: 1 });
		expect(String(chart).indexOf('Low')).toBeLessThan(String(chart).indexOf('High'));
		expect(chart).toContain('<td width="25" bgcolor="#dc2626"');
		expect(chart).toContain('<td width="67" bgcolor="#16a34a"');
	});

	test('writes the name of a company as text', () => {
		expect(draw(company('<b>&', 0)).chart).toContain('<td>&lt;b&gt;&amp;</td>');
	});

	test('draws an empty chart for the empty item that comes if no company has a score', () => {
		expect(draw({})).toMatchObject({ companies: 0, detractors: 0 });
	});
});

describe('weekly-nps-report, Draw Chart', () => {
	const run = codeOf('weekly-nps-report', 'Draw Chart');
	const draw = (trend: unknown, score: object) => {
		const [result] = run([{ trend }], { 'Get Score': [score] });
		return result ?? {};
	};

	test('draws the days with a score in order', () => {
		const trend = [
			{ day: '2026-03-02', score: 0 },
			{ day: '2026-03-01', score: null },
			{ day: '2026-02-28', score: -100 },
		];
		const { svg, subject } = draw(trend, { nps: 42 });
		expect(subject).toBe('NPS this week: 42');
		expect(svg).toContain('points="50.0,280.0 750.0,160.0"');
		expect(svg).toContain('>2026-02-28</text>');
	});

	test('says so if there is no score and no trend', () => {
		const { svg, subject } = draw(undefined, {});
		expect(subject).toBe('NPS this week: no score yet');
		expect(svg).toContain('No day has a score');
	});
});

describe('comment-topics-by-ai', () => {
	const knownTopics = codeOf('comment-topics-by-ai', 'Known Topics');
	const labeledComments = codeOf('comment-topics-by-ai', 'Labeled Comments');
	const known = (topics: unknown) => {
		const list = {
			'Topic List': [{ id: '7', topics: ['pricing', 'quality', 'support', 'delivery'] }],
		};
		return knownTopics([{ output: { topics } }], list);
	};

	test('Known Topics keeps at most three topics of the list, each once', () => {
		const topic = (name: string, sentiment = 'negative') => ({ name, sentiment });
		expect(known([topic(' Pricing '), topic('pricing', 'positive'), topic('hacked')])).toEqual([
			{ id: '7', topics: [topic('pricing')] },
		]);
		const four = ['pricing', 'quality', 'support', 'delivery'].map((name) => topic(name));
		expect(known(four)).toEqual([{ id: '7', topics: four.slice(0, 3) }]);
	});

	test('Known Topics keeps no topic with another sentiment than the three of the service', () => {
		expect(known([{ name: 'pricing', sentiment: 'angry' }])).toEqual([{ id: '7', topics: [] }]);
		expect(known(undefined)).toEqual([{ id: '7', topics: [] }]);
	});

	test('Labeled Comments has 30 comments with topics of the list in the order of the alphabet', () => {
		const labeled = labeledComments([]);
		const list = ['pricing', 'quality', 'support', 'delivery', 'usability', 'features'];
		expect(new Set(labeled.map(({ comment }) => comment)).size).toBe(30);
		for (const { topics, sentiment } of labeled) {
			const names = String(topics).split(', ').filter(Boolean);
			expect(list).toEqual(expect.arrayContaining(names));
			expect(names).toEqual([...names].sort());
			expect(['positive', 'neutral', 'negative', '']).toContain(sentiment);
		}
	});
});
