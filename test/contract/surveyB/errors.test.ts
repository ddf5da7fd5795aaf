import { useBench } from './bench';

// Rate limits. The other errors of the contract are in test/contract/errors.

const bench = useBench();

test('reports a wait beyond Max Wait with what to do', async () => {
	const detail = 'Request was throttled. Expected available in 1.0 seconds.';
	bench().service.faults.add({
		kind: { status: 429, headers: { 'retry-after': '1' }, body: { detail } },
	});
	const errorText = await bench().failure('contactList.getAll', { options: { maxWait: 0 } });
	expect(errorText).toContain(`${detail} (HTTP 429)`);
	expect(errorText).toContain('Max Wait');
	// Wait for the end of the pause, which would delay the next test.
	await bench().one('contactList.getAll', { limit: 1 });
});
