import { fileText } from '../../support/files.mts';
import { n8n, useEmulatedN8n } from './emulatedN8n';

// Each cell of the table in docs/deliveries.md.

useEmulatedN8n();

const HOUR = 3_600_000;

const [, , ...table] = fileText('docs/deliveries.md')
	.split('\n')
	.filter((line) => line.startsWith('|'))
	.map((line) => line.split('|').map((cell) => cell.trim()));

const date = (day: number) => `2026-01-0${day}T00:00:00.000000Z`;
const tags = (name: string) => ({ id: 1, tags: [{ name, category: 'PASSIVE' }] });
const scored = (day: number, name: string) => ({ ...tags(name), score_changed: date(day) });
/** Without the date of the change, which a server may also write as null. */
const earlier = (id: number, score: number) => ({
	...{ id, score, posted_date: date(1) },
	score_changed: null,
});
const status = (day: number, name: string) => ({ id: 1, status: name, status_changed: date(day) });
const metrics = (campaign_name: string, nps: number) => ({ campaign_name, nps });
const campaign = { id: 101, Name: 'Relationship' };
const tagChange = (before: string, after: string) => ({ campaign, before, after });

/** A change, another one of its record, one of another record or date, and the first change back if its data differs. */
type Changes = [first: object, between: object, other: object, back?: object];

/** The changes of each event, by the name of its row. */
const ROWS: Array<[row: string, event: string, changes: Changes]> = [
	[
		'`feedback.added_or_changed`',
		'feedback.added_or_changed',
		[scored(1, 'slow'), scored(1, 'late'), scored(2, 'slow')],
	],
	[
		'`feedback.added_or_changed`, earlier revision, no comment',
		'feedback.added_or_changed',
		[earlier(1, 2), earlier(1, 9), earlier(2, 2)],
	],
	[
		'`feedback.status_changed`, `feedback.removed`',
		'feedback.status_changed',
		[status(1, 'OPEN'), status(2, 'CLOSED'), status(3, 'CLOSED'), status(4, 'OPEN')],
	],
	[
		'`feedback.status_changed`, `feedback.removed`',
		'feedback.removed',
		[{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }],
	],
	[
		'`feedback.tags_added_or_changed`, `metric.score_changed`',
		'feedback.tags_added_or_changed',
		[tags('slow'), tags('late'), { ...tags('slow'), id: 2 }],
	],
	[
		'`feedback.tags_added_or_changed`, `metric.score_changed`',
		'metric.score_changed',
		[metrics('Relationship', 1), metrics('Relationship', 2), metrics('Shop', 1)],
	],
	[
		'`tag.merged`, `tag.renamed`',
		'tag.merged',
		[tagChange('a', 'b'), tagChange('b', 'a'), tagChange('a', 'c')],
	],
	[
		'`tag.merged`, `tag.renamed`',
		'tag.renamed',
		[tagChange('a', 'b'), tagChange('b', 'a'), tagChange('a', 'c')],
	],
	['`contact.unsubscribed`, `tag.removed`', 'contact.unsubscribed', [{ id: 1 }, {}, { id: 2 }]],
	[
		'`contact.unsubscribed`, `tag.removed`',
		'tag.removed',
		[{ campaign, name: 'a' }, {}, { campaign, name: 'b' }],
	],
];

const rows = ROWS.map(([row, event, changes]) => {
	const cells = table.find(([, name]) => name === row) ?? [];
	const [, , compared = '', withoutRun = '', again = ''] = cells;
	return { event, changes, compared, withoutRun, again };
});

/** Delivers data of an event one after another, and returns the number of runs. */
async function runsOf(event: string, deliveries: object[], pause = 1): Promise<number> {
	await n8n.publish(n8n.node({ events: [event] }));
	const { now } = performance;
	let passed = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => now.call(performance) + passed);
	for (const data of deliveries) {
		await n8n.service.deliver(event, data);
		passed += pause;
	}
	return n8n.runs.length;
}

test('each row of the table in docs/deliveries.md has changes here', () => {
	expect(table.map(([, row]) => row)).toEqual([...new Set(ROWS.map(([row]) => row))]);
});

test.each(rows)(
	'a repeated delivery starts no second run, and a change starts one: $event, compared by "$compared" [no-duplicates]',
	async ({ event, changes: [first, , other] }) => {
		expect(await runsOf(event, [first, other, first])).toBe(2);
	},
);

test.each([
	{ comment: 'Too slow' },
	{ comment: null },
	{ attributes: { contact: { plan: 'pro' } } },
	{ answers: [{ question: 'Why?', answer: 'Late' }] },
	{ status: 'CLOSED' },
])(
	'a repeated delivery starts no second run, and a change starts one: of %j alone, under the same date [no-duplicates-comment]',
	async (change) => {
		const answer = { ...scored(1, 'slow'), score: 3, comment: 'Slow', status: 'OPEN' };
		const changed = { ...answer, ...change };
		expect(await runsOf('feedback.added_or_changed', [answer, answer, changed, changed])).toBe(2);
	},
);

test.each(['score_changed', 'comment_created', 'comment_modified', 'status_changed'])(
	'an older delivery after one of the same response with another %s starts no second run: its dates were seen',
	async (name) => {
		const answer = { ...scored(1, 'slow'), score: 3 };
		const changed = { ...answer, comment: 'Slow', [name]: date(2) };
		const deliveries = [answer, changed, answer, changed];
		expect(await runsOf('feedback.added_or_changed', deliveries)).toBe(2);
	},
);

test('a late repeat of the earlier revision starts no run after another comment, whose date it has', async () => {
	const commented = (day: number) => ({
		...{ ...earlier(1, 2), comment: `Comment ${day}` },
		comment_updated_date: date(day),
	});
	const deliveries = [commented(1), commented(2), commented(1)];
	expect(await runsOf('feedback.added_or_changed', deliveries, HOUR + 1000)).toBe(2);
});

test.each(rows)(
	'links do not count: $event starts one run although each delivery has other links',
	async ({ event, changes: [first] }) => {
		const deliveries = [1, 2, 3].map((token) => ({
			...first,
			...{ href: `https://b.example/1/?t=${token}`, followup_href: `https://b.example/f/${token}` },
		}));
		expect(await runsOf(event, deliveries)).toBe(1);
	},
);

test.each(rows)(
	'$event is compared by "$compared": a repeat just before an hour starts no run',
	async ({ event, changes: [first] }) => {
		expect(await runsOf(event, [first, first], HOUR - 1000)).toBe(1);
	},
);

test.each(rows)(
	'$event is compared by "$compared": a repeat after an hour is a change unless it has a date',
	async ({ event, changes: [first], compared }) => {
		expect(await runsOf(event, [first, first], HOUR + 1000)).toBe(
			compared.endsWith('hour') ? 2 : 1,
		);
	},
);

test.each(rows)(
	'$event starts no run for: "$withoutRun", if the change between never reached n8n',
	async ({ event, changes: [first, , , back = first], withoutRun }) => {
		expect(await runsOf(event, [first, back])).toBe(withoutRun === '' ? 2 : 1);
	},
);

test.each(rows.filter(({ again }) => again !== 'After an hour'))(
	'$event starts another run for a repeat: "$again"',
	async ({ event, changes: [first, between], again }) => {
		expect(await runsOf(event, [first, between, first])).toBe(again === '' ? 2 : 3);
	},
);
