import { startSandbox } from '../../sandbox';
import type { FaultKind, Sandbox } from '../../sandbox';
import { onItsOwnClock } from '../support/clock.mts';
import type { NodeResult } from '../support/engine';
import {
	errorOf,
	freshSample,
	HARMFUL,
	isHarmful,
	operationNames,
	runSample,
	samplesOf,
	serviceOf,
} from '../support/samples';
import type { Sample } from '../support/samples';

// Runs every operation under every fault. The first request meets the fault, and the next ones do not.

const REFUSAL = { message: 'Refused by the test', code: 0, data: null };
const inOneSecond = () => new Date(Date.now() + 1000).toUTCString();
const refused = (status: number): FaultKind => ({ status, body: { ...REFUSAL, code: status } });
const tooMany = (more: { headers?: Record<string, string>; words?: string }): FaultKind => ({
	status: 429,
	headers: more.headers,
	body: { code: 429, message: more.words ?? 'Too many requests', data: null },
});

/** A pause that outlasts every test: on the simulated clock the next request comes an hour later. */
const LONG_PAUSE: [string, () => FaultKind] = [
	'absurd Retry-After',
	() => tooMany({ headers: { 'retry-after': '1000000000000' } }),
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
	['no answer', () => 'hang'],
	['dripping answer', () => 'drip'],
];

interface Cell {
	carriedOut: number;
	requests: number;
	outcomeOfItem: string;
}

/** Returns the outcome that an item states: done, an HTTP code, maybe, too large, or failed. */
function outcomeOfItem({ output, error }: NodeResult): string {
	if (error) return error.message;
	const items = output[0] ?? [];
	const message = items.map(({ json }) => errorOf(json)).find((text) => text !== undefined);
	if (message === undefined) return 'done';
	if (message.includes('may have been processed')) return 'maybe';
	if (message.includes('more than 32 MB')) return 'too large';
	if (message.includes('did not confirm this row')) return 'unconfirmed';
	return message.match(/HTTP (\d+)/)?.[1] ?? 'failed';
}

/** Lists whose requests state a page size. If a page is refused, the node requests smaller ones. */
const withPageSize = new Set<string>();

async function cellOf(sandbox: Sandbox, sample: Sample): Promise<Cell> {
	const service = serviceOf(sandbox, sample.node);
	const onError = 'continueRegularOutput';
	const result = await runSample(sandbox, sample, {}, { onError });
	if (service.requests[0]?.query.limit) withPageSize.add(`${sample.node} ${sample.name}`);
	// After a refusal, a write looks up what it means.
	const writes = service.requests.filter(({ method }) => method !== 'GET');
	const own = writes.length > 0 ? writes : service.requests;
	return {
		carriedOut: own.filter(({ carriedOut }) => carriedOut).length,
		requests: service.requests.length,
		outcomeOfItem: outcomeOfItem(result),
	};
}

/** Returns the cells of one operation. The services are reset for each. */
async function cellsOf(sandbox: Sandbox, index: number): Promise<Cell[]> {
	const cells: Cell[] = [];
	for (const [, kind] of FAULTS) {
		const sample = freshSample(sandbox, index);
		serviceOf(sandbox, sample.node).faults.add({ kind: kind() });
		cells.push(await cellOf(sandbox, sample));
	}
	return cells;
}

let samples: Sample[] = [];
const rows: Cell[][] = [];

beforeAll(async () => {
	const sandbox = await startSandbox();
	samples = samplesOf(sandbox);
	for (const index of samples.keys()) {
		rows[index] = await onItsOwnClock(async () => await cellsOf(sandbox, index));
	}
	// Close it last: another service on its port would inherit the long pause.
	await sandbox.close();
}, 600_000);

test.each(['surveyA', 'surveyB'] as const)('every operation of %s is in the matrix', (node) => {
	const named = samples
		.filter((one) => one.node === node)
		.map(({ name }) => name.replace(/ .*/, ''));
	expect([...new Set(named)].sort()).toEqual(operationNames[node]);
});

test('a survey of Survey A, a reply or a forward is not sent again once it may have arrived [no-resend]', () => {
	const notIdempotent = samples.flatMap((sample, i) => (isHarmful(sample) ? (rows[i] ?? []) : []));
	expect(notIdempotent).toHaveLength(HARMFUL.length * FAULTS.length);
	for (const { carriedOut } of notIdempotent) expect(carriedOut).toBeLessThanOrEqual(1);
});

/** The contract shows an empty object for these, so no body counts as success, too. */
const TAKEN_FOR_AN_ANSWER: Record<string, string[]> = {
	empty: ['feedback.forward', 'feedback.reply'],
};

/** Faults that lose the response to a request that was carried out. */
const LOST = [
	...['reset after', 'reset midway', 'HTML', 'empty', 'half JSON', 'other shape', 'bad gzip'],
	...['no answer', 'dripping answer'],
];

/** Returns the outcome that an item has to state after a fault of its first request. */
function dueTo(fault: string, sample: Sample): string {
	const { node, name } = sample;
	if (['400', '410'].includes(fault) && withPageSize.has(`${node} ${name}`)) return 'done';
	if (/^4\d\d$/.test(fault)) return fault;
	if (fault === 'absurd Retry-After') return 'done';
	if (fault === 'false totals') return 'done';
	if (fault === 'beyond the bound') {
		// A smaller page is asked for.
		if (withPageSize.has(`${node} ${name}`)) return 'done';
		return isHarmful(sample) ? 'maybe' : 'too large';
	}
	// The second attempt finds that the contact was surveyed within 24 hours.
	if (node === 'surveyB' && name === 'survey.send' && LOST.includes(fault)) return '400';
	const isHarmless = !isHarmful(sample) || TAKEN_FOR_AN_ANSWER[fault]?.includes(name);
	return isHarmless || fault.startsWith('429') ? 'done' : 'maybe';
}

describe.each(FAULTS.map(([name], place) => ({ name, place })))(
	'fault $name',
	({ name, place }) => {
		test('every operation states the expected outcome', () => {
			const wrong = samples.flatMap((sample, i) => {
				const outcomeOfItem = rows[i]?.[place]?.outcomeOfItem ?? 'nothing';
				return outcomeOfItem === dueTo(name, sample) ? [] : [`${sample.name}: ${outcomeOfItem}`];
			});
			expect(wrong).toEqual([]);
		});

		test('operations that state done were carried out, and refused ones were not', () => {
			const wrong = samples.flatMap(({ node, name }, i) => {
				const { outcomeOfItem, carriedOut } = rows[i]?.[place] ?? {
					outcomeOfItem: 'nothing',
					carriedOut: 0,
				};
				// The service carried out a read whose response was too large.
				const isRepeated = node === 'surveyB' && name === 'survey.send';
				const isOpen = ['maybe', 'too large', 'unconfirmed'].includes(outcomeOfItem) || isRepeated;
				const isTrue = outcomeOfItem === 'done' ? carriedOut > 0 : isOpen || carriedOut === 0;
				return isTrue ? [] : [`${name}: ${outcomeOfItem}, carried out ${carriedOut} times`];
			});
			expect(wrong).toEqual([]);
		});
	},
);
