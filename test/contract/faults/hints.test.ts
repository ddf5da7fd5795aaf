import type { Fault, ServiceA, ServiceB } from '../../../sandbox';
import { onItsOwnClock } from '../../support/clock.mts';
import { runOperation } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';

// The hints that n8n shows below the output of a run.

const sandbox = useSandbox();

/** Returns the hints of a list whose first request meets a fault. */
async function hintsOf(service: ServiceA | ServiceB, fault?: Fault) {
	if (fault) service.faults.add(fault);
	const name = service === sandbox.a ? 'campaign.getAll' : 'contactList.getAll';
	return (await onItsOwnClock(() => runOperation(service, name))).hints;
}

const DOWN = { status: 503, body: { message: 'Down' } };

test('a request may fail four times, whatever the number of 429s before', async () => {
	sandbox.a.faults.add({ kind: { status: 429, headers: { 'retry-after': '1' } }, times: 4 });
	expect(await hintsOf(sandbox.a, { kind: DOWN, times: 3 })).toEqual([
		'Survey A asked this run to wait: 4 s in all',
	]);
	expect(sandbox.a.requests).toHaveLength(8);
});

test.each([
	['999', '0.999', []],
	['1,000', '1', ['Survey A asked this run to wait: 1 s in all']],
	['2,600', '2.6', ['Survey A asked this run to wait: 3 s in all']],
])('a hint states a wait for the service from one second on: %s ms', async (_, asked, waits) => {
	const kind = { status: 429, headers: { 'retry-after': asked } };
	expect(await hintsOf(sandbox.a, { kind })).toEqual(waits);
});
