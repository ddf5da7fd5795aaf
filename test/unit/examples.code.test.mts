import { DateTime, Settings } from 'luxon';

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

test('an example takes rows out of its table only by an update that asks for their time or their last change', () => {
	const takers = EXAMPLES.flatMap((name) =>
		readExample(name).nodes.filter((node) => node.name === 'Take Rows Out'),
	);
	expect(takers.length).toBeGreaterThan(3);
	for (const { parameters } of takers) {
		expect(parameters?.operation).toBe('update');
		const { conditions } = Object(parameters?.filters);
		const asked = conditions.map(({ keyName }: { keyName: string }) => keyName);
		expect([
			['not_before', 'not_before'],
			['id', 'updatedAt'],
		]).toContainEqual(asked);
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
		const one = { person: 'a@b.example', email: 'a@b.example', row: '{}' };
		test.each([
			[{ customers: [{ email: 'a@b.example' }] }, [one]],
			[[{ email: 'a@b.example' }], [one]],
			[{ email: 'a@b.example' }, [one]],
			[{ customers: [] }, []],
			[
				{ 'Email Address': ' A@B.example', plan: 'pro', email: '' },
				[{ person: 'a@b.example', email: 'A@B.example', row: '{"plan":"pro","email":""}' }],
			],
			[
				{ customers: ['a@b.example', 7, [{ id: 1 }]] },
				[
					one,
					{ person: '7', email: '7', row: '{}' },
					{ person: '{"id":1}', email: '', row: '{"id":1}' },
				],
			],
			[
				{ customers: null },
				[{ person: '{"customers":null}', email: '', row: '{"customers":null}' }],
			],
		])('makes rows of %j', (body, rows) => {
			expect(run([{ body }])).toEqual(rows);
		});
	},
);

const find = codeOf('crm-event-to-survey', 'Find Repetitions');

test('crm-event-to-survey sends the first row of a person, in whichever order rows are read, and names it in the others', () => {
	const rows = [
		{ id: 3, person: 'ada@acme.example' },
		{ id: 2, person: 'ada@acme.example' },
		{ id: 4, person: 'alan@acme.example' },
	];
	const earlier = { id: 1, person: 'alan@acme.example' };
	expect(find([...rows, earlier], { 'Take Rows Out': rows })).toEqual([
		{ ...rows[0], status: 'skipped', reason: 'the person is in row 2' },
		rows[1],
		{ ...rows[2], status: 'skipped', reason: 'the person is in row 1' },
	]);
});

describe('survey-queue, One Row per Person', () => {
	const run = codeOf('survey-queue', 'One Row per Person');
	const defaults = { service: 'A', campaign: 'c', timeZone: 'Europe/Berlin' };
	const rowsOf = (body: unknown) => run([{ body, defaults }]);

	test('an empty list makes no rows', () => expect(rowsOf({ people: [] })).toEqual([]));

	test('the address stays as it was given, and other values become columns', () => {
		expect(
			rowsOf({ Email: ' Ada@Acme.example', 'First Name': 'Ada', columns: { plan: 'pro' } }),
		).toMatchObject([
			{
				person: 'ada@acme.example',
				email: 'Ada@Acme.example',
				columns: '{"first_name":"Ada","plan":"pro"}',
				result: '',
			},
		]);
	});

	test.each([
		[null, { email: '' }],
		[7, { email: '7' }],
		[{ email: 'a@b.example', service: 'b' }, { service: 'B' }],
		[{ email: 'a@b.example', not_before: 'soon' }, { result: '"soon" is not an ISO date' }],
		[{ email: 'a@b.example', columns: 'text' }, { columns: 'text' }],
	])('%j becomes a row and affects nobody else', (person, row) => {
		const good = { email: 'good@b.example' };
		expect(rowsOf({ people: [person, good] })).toMatchObject([row, good]);
	});
});

describe('survey-queue-sender', () => {
	const NIGHT = '2027-03-02T23:30:00.000+01:00';
	const settings = { quietDays: 30, workDays: [1, 2, 3, 4, 5], fromHour: 9, toHour: 17 };
	const email = 'ada@acme.example';
	const recent = '2027-02-20T09:00:00.000Z';
	const row = {
		...{ id: 1, person: email, email: ' Ada@Acme.example', service: 'A', campaign: 'c' },
		...{ time_zone: 'Europe/Berlin', columns: '{}', result: 'Looked at', tried_at: null },
	};

	function at<Result>(time: string, work: () => Result): Result {
		const moment = DateTime.fromISO(time).toMillis();
		Settings.now = () => moment;
		try {
			return work();
		} finally {
			Settings.now = () => Date.now();
		}
	}

	describe('Look for Objections', () => {
		const run = codeOf('survey-queue-sender', 'Look for Objections');
		interface Read {
			rows?: object[];
			outbox?: object[];
			contacts?: object[];
		}
		const objections = (rows: object[], { rows: queue = [], outbox, contacts }: Read = {}) =>
			at(NOW, () =>
				run(rows, {
					Settings: [settings],
					'Get Outbox of Each': outbox ?? [{}],
					'Get Contact of Each': contacts ?? [{}],
					'Get Rows of the Queue': [...rows, ...queue],
				}),
			);

		test.each<[string, object, Read, object]>([
			['nothing', {}, {}, { leave: undefined, wait: undefined, ask: undefined }],
			['a survey by A', {}, { outbox: [{ email, sentDate: recent }] }, { leave: /by Survey A on/ }],
			[
				'an opt-out long ago',
				{},
				{
					outbox: [
						{ email, sentDate: '2020-01-01T00:00:00Z', detailedStatus: { isOptedOut: true } },
					],
				},
				{ leave: /opted out/ },
			],
			[
				'an unsubscribed contact',
				{},
				{ contacts: [{ email, unsubscribed: 'true' }] },
				{ leave: /unsubscribed in Survey B/ },
			],
			[
				'a survey in the queue',
				{},
				{ rows: [{ id: 2, email, tried_at: recent, service: 'B' }] },
				{ leave: /by Survey B in row 2/ },
			],
			[
				'another run that looks at the person',
				{},
				{ rows: [{ id: 2, email, result: 'Looked at' }] },
				{ wait: /Another run/ },
			],
			[
				'an outbox that cannot be read',
				{},
				{ outbox: [{ error: 'Refused (HTTP 401)' }] },
				{ ask: /could not be read: Refused/ },
			],
			[
				'its own survey, whose response was lost',
				{ tried_at: recent },
				{ outbox: [{ email, campaignId: 'c', sentDate: recent }] },
				{ leave: /^sent: in the outbox/ },
			],
			[
				'a survey by B that may have been sent a week ago',
				{ service: 'B', tried_at: recent },
				{},
				{ ask: /may have been sent/ },
			],
		])('finds %s', (_, change, read, expected) => {
			const [found] = objections([{ ...row, ...change }], read);
			for (const [name, value] of Object.entries(expected)) {
				expect(String(found?.[name])).toMatch(value ?? /^undefined$/);
			}
		});

		test('lets one row of a person through', () => {
			const rows = objections([row, { ...row, id: 2, email: 'ADA@acme.example' }]);
			expect(rows).toMatchObject([{ id: 1 }, { id: 2, leave: expect.stringMatching(/left out/) }]);
			expect(rows[0]).not.toHaveProperty('leave');
		});
	});

	test('a survey of Survey A without a response waits for a day, since the outbox may show it late', () => {
		const textOf = (name: string) =>
			JSON.stringify(
				readExample('survey-queue-sender').nodes.find((node) => node.name === name)?.parameters,
			);
		expect(textOf('Mark as Being Sent')).toContain("$json.service === 'A' ? { days: 1 } :");
		expect(textOf('Try Again Later')).toContain('{ days: 1 }');
	});

	describe('Look at the Clock', () => {
		const run = codeOf('survey-queue-sender', 'Look at the Clock');
		const decided = (change: object, time = NOW, more: object = {}) =>
			at(time, () => run([{ ...row, ...change }], { Settings: [{ ...settings, ...more }] }))[0];

		test.each<[string, object, string, object]>([
			['sends in working hours', {}, NOW, { way: 'send' }],
			[
				'waits at night for the morning',
				{},
				NIGHT,
				{ way: 'leave', not_before: '2027-03-03T08:00:00.000Z' },
			],
			[
				'waits for the morning if a run of 50 minutes may end after hours',
				{},
				'2027-03-02T16:30:00.000+01:00',
				{ way: 'leave', not_before: '2027-03-03T08:00:00.000Z' },
			],
			[
				'waits over the change of clocks',
				{},
				'2027-03-26T18:00:00.000+01:00',
				{ not_before: '2027-03-29T07:00:00.000Z' },
			],
			['leaves out', { leave: 'left out: because' }, NOW, { way: 'leave' }],
			[
				'asks about a wrong time zone',
				{ time_zone: 'Europe/Berlln' },
				NOW,
				{ way: 'ask', result: '"Europe/Berlln" is not a time zone' },
			],
			['asks about an emptied email', { email: null }, NOW, { way: 'ask' }],
			['asks about an unknown service', { service: 'C' }, NOW, { way: 'ask' }],
			['asks about columns that are no object', { columns: '[1]' }, NOW, { way: 'ask' }],
			['asks about columns that are no JSON', { columns: '{' }, NOW, { way: 'ask' }],
		])('%s', (_, change, time, expected) => {
			expect(decided(change, time)).toMatchObject(expected);
		});

		test('working hours from 0 to 24 are open in the last hour of a day, too', () => {
			const allDay = { fromHour: 0, toHour: 24 };
			expect(decided({}, NIGHT, allDay)).toMatchObject({ way: 'send' });
			expect(decided({}, NIGHT, { ...allDay, toHour: 23 })).toMatchObject({ way: 'leave' });
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
	const ofFile = codeOf('nps-history-import', 'Rows of File');
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
		expect(subject).toBe('NPS: 42');
		expect(svg).toContain('points="50.0,280.0 750.0,160.0"');
		expect(svg).toContain('>2026-02-28</text>');
	});

	test('says so if there is no score and no trend', () => {
		const { svg, subject } = draw(undefined, {});
		expect(subject).toBe('NPS: no score yet');
		expect(svg).toContain('No day has a score');
	});
});

describe('comment-topics-by-ai', () => {
	const knownTopics = codeOf('comment-topics-by-ai', 'Known Topics');
	const labeledComments = codeOf('comment-topics-evaluation', 'Labeled Comments');
	const known = (topics: unknown) => {
		const list = {
			'Topic List': [{ id: '7', topics: ['pricing', 'quality', 'support', 'delivery', 'other'] }],
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

	test('Known Topics names the topic other if none of the list is left', () => {
		const other = [{ name: 'other', sentiment: 'neutral' }];
		expect(known([{ name: 'pricing', sentiment: 'angry' }])).toEqual([{ id: '7', topics: other }]);
		expect(known(undefined)).toEqual([{ id: '7', topics: other }]);
	});

	test('Labeled Comments has 30 comments with topics of the list in the order of the alphabet', () => {
		const labeled = labeledComments([]);
		const list = ['pricing', 'quality', 'support', 'delivery', 'usability', 'features', 'other'];
		expect(new Set(labeled.map(({ comment }) => comment)).size).toBe(30);
		for (const { topics, sentiment } of labeled) {
			const names = String(topics).split(', ').filter(Boolean);
			expect(list).toEqual(expect.arrayContaining(names));
			expect(names).toEqual([...names].sort());
			expect(['positive', 'neutral', 'negative', '']).toContain(sentiment);
		}
	});
});
