import type { INodeParameters, OnError } from 'n8n-workflow';

import type { Fault } from '../../../sandbox';
import { onItsOwnClock } from '../../support/clock.mts';
import { runNode } from '../../support/engine';
import { useSandbox } from '../../support/sandbox';

// The hints that n8n shows below the output of a run.

const sandbox = useSandbox();

async function hintsOf(
	node: 'surveyA' | 'surveyB',
	parameters: INodeParameters,
	fault?: Fault,
	onError?: OnError,
): Promise<string[]> {
	const { url, apiKey, faults } = node === 'surveyA' ? sandbox.a : sandbox.b;
	if (fault) faults.add(fault);
	const credential = { baseUrl: url, apiKey };
	const { hints } = await onItsOwnClock(
		async () => await runNode({ node, parameters, credential, onError }),
	);
	return hints;
}

const CAMPAIGNS = { resource: 'campaign', operation: 'getAll' };
const LISTS = { resource: 'contactList', operation: 'getAll' };
const DOWN = { status: 503, body: { message: 'Down' } };

test('a run without retries or waits shows no hint', async () => {
	expect(await hintsOf('surveyA', CAMPAIGNS)).toEqual([]);
	expect(await hintsOf('surveyB', LISTS)).toEqual([]);
});

test.each([1, 2, 3])('a hint counts %i repeated requests', async (times) => {
	expect(await hintsOf('surveyA', CAMPAIGNS, { kind: DOWN, times })).toEqual([
		`Requests to Survey A that were retried: ${times}`,
	]);
	expect(await hintsOf('surveyB', LISTS, { kind: DOWN, times })).toEqual([
		`Requests to Survey B that were retried: ${times}`,
	]);
});

test('a hint counts the repeated requests of an item that failed in the end', async () => {
	const fault = { kind: DOWN, times: Infinity };
	expect(await hintsOf('surveyA', CAMPAIGNS, fault, 'continueRegularOutput')).toEqual([
		'Requests to Survey A that were retried: 3',
	]);
});

test.each([
	['999', '0.999', []],
	['1,000', '1', ['Survey A is rate limiting: this run waited 1 s']],
	['2,600', '2.6', ['Survey A is rate limiting: this run waited 3 s']],
])('a hint states a wait for the service from one second on: %s ms', async (_, asked, waits) => {
	const kind = { status: 429, headers: { 'retry-after': asked } };
	expect(await hintsOf('surveyA', CAMPAIGNS, { kind })).toEqual([
		...waits,
		'Requests to Survey A that were retried: 1',
	]);
});
