import type { OnError } from 'n8n-workflow';

import { OUTCOMES } from '../../../nodes/shared/http/outcome';
import type { AttemptEnd } from '../../../nodes/shared/base/failure';
import type { FaultKind } from '../../../sandbox';
import { toolOfAgent2 } from '../../support/agentTool.mts';
import { onItsOwnClock } from '../../support/clock.mts';
import { mapped } from '../../support/columns';
import { HAS_ALL_CASES } from '../../support/random.mts';
import {
	errorOf,
	freshSample,
	isHarmful,
	runSample,
	samplesOf,
	serviceOf,
} from '../../support/samples';
import type { Sample } from '../../support/samples';
import { useSandbox } from '../../support/sandbox';

// How often a row is sent, for each writing operation, each end of a response, and each caller: a node or an agent's tool, with
// On Error and Retry On Fail.

const sandbox = useSandbox();

const EMAIL = 'sample@example.com';
const refusal = { code: 400, message: 'Refused by the test', data: null };

/** The ends of every attempt, and the outcome that each has. */
const ENDS: Array<[name: string, kind: FaultKind | undefined, outcome: AttemptEnd | undefined]> = [
	['200 whole', undefined, undefined],
	['200 against success', { status: 200, body: { success: false, message: 'No' } }, 'unconfirmed'],
	['200 unreadable', 'html', 'lost'],
	['201 empty', { status: 201, body: '' }, 'lost'],
	['303', { status: 303, headers: { location: '/done' } }, 'unconfirmed'],
	['400', { status: 400, body: refusal }, 'refused'],
	[
		'400 with rows',
		{ status: 400, body: { ...refusal, data: [{ email: EMAIL, status: 'fail', reason: 'No' }] } },
		'refused',
	],
	['401', { status: 401, body: refusal }, 'run'],
	['403', { status: 403, body: refusal }, 'run'],
	['404', { status: 404, body: refusal }, 'refused'],
	['409', { status: 409, body: refusal }, 'failed'],
	// Once: the request waits, and is sent again.
	['429', { status: 429, body: refusal }, 'rateLimited'],
	['502', { status: 502, body: '<html>' }, 'lost'],
	['cut off', 'reset-after', 'lost'],
];

/** The operations that take an empty response for success. */
const TAKE_EMPTY = [
	...['commonReply.delete', 'contact.delete', 'webhook.delete'],
	...['feedback.delete', 'feedback.forward', 'feedback.reply'],
];

/** Returns the outcome of an empty response: one that names nobody does not confirm that somebody unsubscribed. */
function outcomeOfEmpty({ name }: Sample): AttemptEnd | undefined {
	if (TAKE_EMPTY.includes(name)) return undefined;
	return name === 'contact.unsubscribe' ? 'unconfirmed' : 'lost';
}

interface Caller {
	name: string;
	onError?: OnError;
	maxTries?: number;
	/** Calls in one execution, and what the last one says. */
	call(sample: Sample, caller: Caller): Promise<string>;
}

async function asNode(sample: Sample, { onError, maxTries }: Caller, asTool = false) {
	const { items, error } = await runSample(sandbox, sample, {}, { onError, maxTries, asTool });
	return error?.message ?? errorOf(items[0] ?? {}) ?? 'done';
}

const asTool3 = async (sample: Sample, caller: Caller) => await asNode(sample, caller, true);

async function asTool2({ node, parameters }: Sample, { onError, maxTries }: Caller, calls = 1) {
	const { url: baseUrl, apiKey } = serviceOf(sandbox, node);
	const credential = { baseUrl, apiKey, requestsPerMinute: 0 };
	const call = toolOfAgent2({ node, parameters, credential, onError, maxTries });
	for (let i = 1; i < calls; i++) await call();
	return await call();
}

/** Those without Retry On Fail repeat less, and agent 3.1 runs its tools as n8n runs a node: only the long run has them. */
const CALLERS: Caller[] = [
	{ name: 'node, Stop', call: asNode },
	{ name: 'node, Stop, Retry On Fail', maxTries: 3, call: asNode },
	{ name: 'node, Continue', onError: 'continueRegularOutput', call: asNode },
	{
		...{ name: 'node, Continue, Retry On Fail', onError: 'continueRegularOutput' },
		...{ maxTries: 3, call: asNode },
	},
	{ name: 'tool of agent 2', call: asTool2 },
	{ name: 'tool of agent 2, Stop', onError: 'stopWorkflow', call: asTool2 },
	{ name: 'tool of agent 2, Retry On Fail', maxTries: 3, call: asTool2 },
	{ name: 'tool of agent 3.1', call: asTool3 },
	{ name: 'tool of agent 3.1, Retry On Fail', maxTries: 3, call: asTool3 },
];

/** Operations whose repetition is harmless: `npm test` tries a few of them. */
const HARMLESS = ['customer.upsert', 'survey.send', 'contact.upsert', 'feedback.delete'];

/** Returns whether an operation writes, and so has cells in the matrix. */
const isTried = (sample: Sample) =>
	isHarmful(sample) ||
	(HAS_ALL_CASES ? !/\.(get|check)/.test(sample.name) : HARMLESS.includes(sample.name));

/** Runs one cell; returns the number of requests that carried the row, and what its item says. */
async function cell(
	index: number,
	kind: FaultKind | undefined,
	work: (one: Sample) => Promise<string>,
) {
	const sample = freshSample(sandbox, index);
	const service = serviceOf(sandbox, sample.node);
	const isOfWrite = ({ method }: { method: string }) => method !== 'GET';
	const isLimit = typeof kind === 'object' && 'status' in kind && kind.status === 429;
	if (kind) service.faults.add({ kind, times: isLimit ? 1 : Infinity, when: isOfWrite });
	const said = await onItsOwnClock(async () => await work(sample));
	return { said, requests: service.requests.filter(isOfWrite).length };
}

const MAYBE = 'may have been processed';

/** Returns what the table of outcomes says of a cell: the number of requests, and whether the item is in doubt. */
function due(sample: Sample, outcome: AttemptEnd | undefined, { maxTries = 1 }: Caller) {
	if (outcome === undefined) return { requests: 1, isInDoubt: false };
	if (outcome === 'rateLimited') return { requests: 2, isInDoubt: false };
	const { repeat, mayBeDone } = OUTCOMES[outcome];
	const isInDoubt = mayBeDone === true && isHarmful(sample);
	const attempts = repeat === 'ifHarmless' && !isHarmful(sample) ? 4 : 1;
	return { requests: attempts * (isInDoubt ? 1 : maxTries), isInDoubt };
}

const tried = CALLERS.filter(
	({ maxTries, call }) => HAS_ALL_CASES || (maxTries !== undefined && call !== asTool3),
);

describe.each(tried)('$name', (caller) => {
	test.each(ENDS)(
		'a row is sent again only where that does no harm, and says if it may have been processed: %s',
		async (end, kind, outcome) => {
			const wrong: unknown[] = [];
			const samples = samplesOf(sandbox);
			for (const [index, sample] of samples.entries()) {
				if (!isTried(sample)) continue;
				const { said, requests } = await cell(
					index,
					kind,
					async (one) => await caller.call(one, caller),
				);
				const itsOutcome = end === '201 empty' ? outcomeOfEmpty(sample) : outcome;
				const expected = due(sample, itsOutcome, caller);
				const isInDoubt = said.includes(MAYBE);
				if (requests !== expected.requests || isInDoubt !== expected.isInDoubt) {
					wrong.push({ name: sample.name, requests, said, expected });
				}
			}
			expect(wrong).toEqual([]);
		},
	);
});

const IN_DOUBT = ENDS.filter(
	([end, , kind]) => kind && OUTCOMES[kind].mayBeDone && end !== '201 empty',
);

test.each([
	['ada@acme.example', {}],
	['customer2@example.com', { quietPeriod: 30 }],
])(
	'an agent that sends a survey with another name after its response was lost gets the failure of its first call: %s with the options %j',
	async (email, options) => {
		sandbox.a.faults.add({ kind: 'reset-after', when: ({ method }) => method !== 'GET' });
		const columns = mapped({ email, firstName: '={{ `Ada ${$runIndex}` }}' });
		const parameters = {
			resource: 'survey',
			operation: 'send',
			campaign: '64a000000000000000000003',
			...columns,
			options,
		};
		const sample = { name: 'survey.send', node: 'surveyA' as const, parameters };
		const said = await onItsOwnClock(
			async () => await asTool2(sample, { name: '', call: asTool2 }, 2),
		);
		expect(said).toContain(MAYBE);
		expect(sandbox.a.requests.filter(({ method }) => method !== 'GET')).toHaveLength(1);
	},
);

test.each(IN_DOUBT)(
	'an agent that calls its tool again after %s repeats nothing that may have been processed',
	async (_, kind) => {
		for (const [index, sample] of samplesOf(sandbox).entries()) {
			if (!isHarmful(sample)) continue;
			const again = async (one: Sample) => await asTool2(one, { name: '', call: asTool2 }, 3);
			const { said, requests } = await cell(index, kind, again);
			expect({ name: sample.name, requests }).toEqual({ name: sample.name, requests: 1 });
			expect(said).toContain(MAYBE);
			expect(said).not.toMatch(/try again|later/i);
		}
	},
);
