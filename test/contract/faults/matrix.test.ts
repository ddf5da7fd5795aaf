import { forEachConcurrent } from '../../../nodes/shared/parallel';
import { startSandbox } from '../../../sandbox';
import type { FaultKind, Sandbox, ServiceA, ServiceB } from '../../../sandbox';
import { onItsOwnClock } from '../../support/clock.mts';
import { runNode } from '../../support/engine';
import type { NodeResult } from '../../support/engine';
import { expectFile } from '../../support/files.mts';
import { errorOf, operationNames, samplesOf } from '../../support/samples';
import type { Sample } from '../../support/samples';

// Every operation meets every fault once. What is carried out, how many requests it takes and what
// the item says stands in docs/faults.md, which this run makes anew and compares.

type Service = ServiceA | ServiceB;

const REFUSAL = { message: 'Refused by the test', code: 0, data: null };
const inOneSecond = () => new Date(Date.now() + 1000).toUTCString();
const refused = (status: number): FaultKind => ({ status, body: { ...REFUSAL, code: status } });
const tooMany = (more: { headers?: Record<string, string>; words?: string }): FaultKind => ({
	status: 429,
	headers: more.headers,
	body: { code: 429, message: more.words ?? 'Too many requests', data: null },
});

/** So long a pause outlasts every test: what comes next begins an hour later, by a clock of our own. */
const LONG_PAUSE: [string, () => FaultKind] = [
	'absurd Retry-After',
	() => tooMany({ headers: { 'retry-after': '1000000000000' } }),
];

/** Only time ends these, and that not by a clock of our own: sockets have their own one. */
const SLOW: Array<[string, () => FaultKind]> = [
	['no answer', () => 'hang'],
	['dripping answer', () => 'drip'],
];

const FAULTS: Array<[string, () => FaultKind]> = [
	...[400, 401, 403, 404, 405, 406, 410].map((status): [string, () => FaultKind] => [
		String(status),
		() => refused(status),
	]),
	['429 seconds', () => tooMany({ headers: { 'retry-after': '1' } })],
	['429 date', () => tooMany({ headers: { 'retry-after': inOneSecond() } })],
	['429 words', () => tooMany({ words: 'Expected available in 1.0 seconds.' })],
	['429 bare', () => tooMany({})],
	['500', () => refused(500)],
	['502 HTML', () => ({ status: 502, body: '<html>Bad gateway</html>' })],
	['503 later', () => ({ status: 503, headers: { 'retry-after': '1' }, body: REFUSAL })],
	['reset before', () => 'reset-before'],
	['reset after', () => 'reset-after'],
	['reset midway', () => 'reset-midway'],
	['HTML', () => 'html'],
	['empty', () => 'empty'],
	['half JSON', () => 'half-json'],
	['other shape', () => 'other-shape'],
	['bad gzip', () => 'bad-gzip'],
	['beyond the bound', () => 'too-large'],
	['false totals', () => 'false-totals'],
	LONG_PAUSE,
	...SLOW,
];

interface Cell {
	carriedOut: number;
	requests: number;
	outcomeOfItem: string;
}

/** What an item says: done, the HTTP code, that it may have been carried out, or that it was not. */
function outcomeOfItem({ output, error }: NodeResult): string {
	if (error) return error.message;
	const items = output[0] ?? [];
	const message = items.map(({ json }) => errorOf(json)).find((text) => text !== undefined);
	if (message === undefined) return 'done';
	if (message.includes('may have been processed')) return 'maybe';
	if (message.includes('more than 32 MB')) return 'too large';
	return message.match(/HTTP (\d+)/)?.[1] ?? 'failed';
}

async function cellOf(sandbox: Sandbox, sample: Sample, kind: FaultKind): Promise<Cell> {
	const service: Service = sample.node === 'surveyA' ? sandbox.a : sandbox.b;
	service.faults.add({ kind });
	const result = await runNode({
		node: sample.node,
		parameters: { ...sample.parameters, options: { timeout: 2 } },
		credential: { baseUrl: service.url, apiKey: service.apiKey },
		onError: 'continueRegularOutput',
	});
	return {
		carriedOut: service.requests.filter(({ carriedOut }) => carriedOut).length,
		requests: service.requests.length,
		outcomeOfItem: outcomeOfItem(result),
	};
}

/** The cells of one operation for some faults, each on the service's fresh seed. */
async function cellsOf(sandbox: Sandbox, index: number, faults: typeof FAULTS): Promise<Cell[]> {
	const cells: Cell[] = [];
	for (const [, kind] of faults) {
		sandbox.a.reset();
		sandbox.b.reset();
		const sample = samplesOf(sandbox)[index];
		if (sample) cells.push(await cellOf(sandbox, sample, kind()));
	}
	return cells;
}

const LEGEND = `# What each operation does under each fault

Every operation meets every fault once; the next request is answered as usual. This table is made by
\`test/contract/faults/matrix.test.ts\` and compared at every test run.

A cell reads \`carried out / requests, what the item says\`: \`done\`, the HTTP code of its error, \`maybe\`
(an error that says that it may have been carried out), \`too large\`, or \`failed\`.

`;

function table(title: string, samples: Sample[], rows: Cell[][]): string {
	const head = ['Operation', ...FAULTS.map(([name]) => name)];
	const lines = samples.map(({ name }, i) => [
		name,
		...(rows[i] ?? []).map((cell) => `${cell.carriedOut}/${cell.requests} ${cell.outcomeOfItem}`),
	]);
	const text = [head, head.map(() => '---'), ...lines].map((line) => `| ${line.join(' | ')} |`);
	return `## ${title}\n\n${text.join('\n')}\n`;
}

const ONCE = {
	surveyA: [
		'feedback.setTags (append)',
		'feedback.setTagsLegacy (append)',
		'feedback.setTopics (append)',
		'survey.send',
		'survey.sendAudienceLegacy',
		'survey.sendLegacy',
	],
	surveyB: [
		'commonReply.create',
		'feedback.addTag',
		'feedback.create',
		'feedback.forward',
		'feedback.reply',
		'survey.send',
		'webhook.create',
	],
};

/** Most of the time is waiting; more at once would make a slow machine miss the time-out. */
const OPERATIONS_AT_ONCE = 12;

let samples: Sample[] = [];
const rows: Cell[][] = [];

beforeAll(async () => {
	const sandbox = await startSandbox();
	samples = samplesOf(sandbox);
	const quick = FAULTS.filter((fault) => !SLOW.includes(fault));
	for (const index of samples.keys()) {
		rows[index] = await onItsOwnClock(async () => await cellsOf(sandbox, index, quick));
	}
	await forEachConcurrent(samples.keys(), OPERATIONS_AT_ONCE, async (index) => {
		const alone = await startSandbox();
		rows[index]?.push(...(await cellsOf(alone, index, SLOW)));
		await alone.close();
		return true;
	});
	// Until here, no other one has its port: of that, a long pause is remembered.
	await sandbox.close();
}, 600_000);

test.each(['surveyA', 'surveyB'] as const)('every operation of %s is in the matrix', (node) => {
	const named = samples
		.filter((one) => one.node === node)
		.map(({ name }) => name.replace(/ .*/, ''));
	expect([...new Set(named)].sort()).toEqual(operationNames[node]);
});

test('surveys, replies, forwards, appends and creates are carried out at most once', () => {
	const notIdempotent = samples.flatMap(({ node, name }, i) =>
		ONCE[node].includes(name) ? (rows[i] ?? []) : [],
	);
	expect(notIdempotent).toHaveLength((ONCE.surveyA.length + ONCE.surveyB.length) * FAULTS.length);
	for (const { carriedOut } of notIdempotent) expect(carriedOut).toBeLessThanOrEqual(1);
});

/** The contract shows no answer of these, so that this one is as good as any. */
const TAKEN_FOR_AN_ANSWER: Record<string, string[]> = {
	empty: ['feedback.forward', 'feedback.reply'],
	'other shape': ['feedback.forward', 'feedback.reply'],
};

/** Lists that ask for 1,000 rows a page: where that is refused they ask for fewer. */
const ASKED_FOR_LESS = [
	'company.getAll',
	'customer.getAll',
	'feedback.getAll',
	'feedback.getAllLegacy',
	'outbox.getAll',
];

const isRead = (name: string) => /\.get(All)?(Legacy)?$/.test(name);

/** What an item has to say where the fault stood in the way of its request, once. */
function dueTo(fault: string, { node, name }: Sample): string {
	if (fault === '400' && node === 'surveyA' && ASKED_FOR_LESS.includes(name)) return 'done';
	if (/^4\d\d$/.test(fault)) return fault;
	if (fault === 'absurd Retry-After') return 'done';
	if (fault === 'false totals') return 'done';
	// Lists that may ask for smaller pages do so.
	if (fault === 'beyond the bound') {
		if (node === 'surveyA' && ASKED_FOR_LESS.includes(name)) return 'done';
		return isRead(name) ? 'too large' : 'maybe';
	}
	const isHarmless = !ONCE[node].includes(name) || TAKEN_FOR_AN_ANSWER[fault]?.includes(name);
	return isHarmless || fault.startsWith('429') ? 'done' : 'maybe';
}

describe.each(FAULTS.map(([name], place) => ({ name, place })))(
	'fault $name',
	({ name, place }) => {
		test('an item that failed says so, and which code it was', () => {
			const wrong = samples.flatMap((sample, i) => {
				const outcomeOfItem = rows[i]?.[place]?.outcomeOfItem ?? 'nothing';
				return outcomeOfItem === dueTo(name, sample) ? [] : [`${sample.name}: ${outcomeOfItem}`];
			});
			expect(wrong).toEqual([]);
		});

		test('an item that is done was carried out, and one that was refused was not', () => {
			const wrong = samples.flatMap(({ name }, i) => {
				const { outcomeOfItem, carriedOut } = rows[i]?.[place] ?? {
					outcomeOfItem: 'nothing',
					carriedOut: 0,
				};
				// A read whose answer was refused for its size was answered all the same.
				const isOpen = outcomeOfItem === 'maybe' || outcomeOfItem === 'too large';
				const isTrue = outcomeOfItem === 'done' ? carriedOut > 0 : isOpen || carriedOut === 0;
				return isTrue ? [] : [`${name}: ${outcomeOfItem}, carried out ${carriedOut} times`];
			});
			expect(wrong).toEqual([]);
		});
	},
);

test('the table in docs/faults.md is the one of this run', () => {
	const of = (node: Sample['node']) => {
		const places = samples.flatMap((sample, i) => (sample.node === node ? [i] : []));
		return [
			samples.filter((sample) => sample.node === node),
			places.map((i) => rows[i] ?? []),
		] as const;
	};
	const text = `${LEGEND}${table('Survey A', ...of('surveyA'))}\n${table('Survey B', ...of('surveyB'))}`;
	expectFile('docs/faults.md', text);
});
