import { sleep } from 'n8n-workflow';

import { onItsOwnClock } from '../../support/clock.mts';
import { holdNext } from '../../support/hold.mts';
import { deliverChange as deliver, n8n, useEmulatedN8n } from './emulatedN8n';

useEmulatedN8n();

// Without feedback, the service has no sample.
beforeEach(() => void (n8n.service.state.feedback.length = 0));

async function deliverChange(event?: string): Promise<Array<number | undefined>> {
	const statuses = await deliver(event);
	await n8n.idle();
	return statuses;
}

test('a canceled test removes only its own webhooks', async () => {
	const node = n8n.node({ events: ['feedback.removed'] });
	await n8n.publish(node);
	const { hooks } = n8n;
	await onItsOwnClock(async () => {
		await n8n.listen(node);
		await n8n.stopListening();
		await sleep(60_000);
	});
	expect(n8n.hooks).toEqual(hooks);
	await deliverChange();
	expect(n8n.runs.map(({ mode }) => mode)).toEqual(['webhook']);
});

test('a test that is stopped while its webhook is being created leaves none', async () => {
	await onItsOwnClock(async () => {
		const held = holdNext(n8n.service.faults, { method: 'POST', path: /hooks$/ });
		const listening = n8n.listen(n8n.node({ events: ['contact.unsubscribed'] }));
		await held.arrived;
		const stopping = n8n.stopListening();
		held.release();
		await Promise.allSettled([listening, stopping]);
		await sleep(120_000);
		expect(n8n.hooks).toEqual({});
	});
});

test('a repeat of a published workflow starts no second run after a test in the editor', async () => {
	const tagged = 'feedback.tags_added_or_changed';
	await n8n.publish(n8n.node({ events: [tagged] }));
	const data = { id: 1, score: 5 };
	await n8n.service.deliver(tagged, data);
	await n8n.listen(n8n.node({ events: ['tag.merged'] }));
	await n8n.stopListening();
	await n8n.service.deliver(tagged, data);
	expect(n8n.runs).toHaveLength(1);
});

test('a test with an event that the service refuses does not change the published workflow', async () => {
	await n8n.publish(n8n.node({ events: ['feedback.removed'] }));
	const { hooks } = n8n;
	const events = ['feedback.removed', 'no.such_event'];
	await onItsOwnClock(async () => {
		await expect(n8n.listen(n8n.node({ events }))).rejects.toThrow();
		await sleep(60_000);
	});
	expect(n8n.hooks).toEqual(hooks);
	expect(await deliverChange()).toEqual([200]);
	expect(n8n.runs.map(({ mode }) => mode)).toEqual(['webhook']);
});

test('a filter that has no value stops a test with a message and a hint', async () => {
	const filters = { minScore: '={{ undefined }}' };
	const listening = n8n.listen(n8n.node({ events: ['feedback.removed'], filters }));
	await expect(listening).rejects.toMatchObject({
		message: "'Min Score' has no value that can be used",
		description: expect.stringContaining('Correct the value'),
	});
	expect(n8n.hooks).toEqual({});
});

test('an equal event starts a run again in the next test', async () => {
	const node = n8n.node({ events: ['feedback.removed'] });
	await onItsOwnClock(async () => {
		for (const round of [1, 2]) {
			await n8n.listen(node);
			await n8n.service.deliver('feedback.removed', { id: 1, score: 5 });
			await n8n.idle();
			expect(n8n.runs).toHaveLength(round);
		}
		await sleep(60_000);
	});
	expect(n8n.hooks).toEqual({});
});
