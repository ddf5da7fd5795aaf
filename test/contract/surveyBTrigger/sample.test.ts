import { sleep } from 'n8n-workflow';

import { onItsOwnClock } from '../../support/clock.mts';
import { NINE, n8n, useEmulatedN8n } from './emulatedN8n';

useEmulatedN8n();

const items = () => n8n.runs.flatMap(({ outputs }) => outputs.flat());

/** Listens for a test event, and returns the items that arrive within five seconds. */
async function listen(parameters: object): Promise<object[]> {
	await onItsOwnClock(async () => {
		await n8n.listen(n8n.node({ ...parameters }));
		await sleep(5000);
		await n8n.idle();
	});
	return items();
}

test.each(NINE)(
	'listening for %s returns a sample of the newest record, in the shape of the event',
	async (event) => {
		n8n.service.seedFeedback(3);
		const [newest] = n8n.service.state.feedback.slice(-1);
		const tags = [{ name: 'slow', category: 'DETRACTOR' }];
		Object.assign(newest ?? {}, { tags, score_changed: '2099-01-01T00:00:00.000000Z' });
		const [item, ...others] = await listen({ events: [event] });
		expect(others).toEqual([]);
		expect(item).toMatchObject({ event, sample: true, revision: 2, hook: { event } });
		expect(item).not.toHaveProperty('issues');
		if (event.startsWith('feedback.')) expect(item).toMatchObject({ data: { id: newest?.id } });
		if (event.startsWith('tag.')) {
			const campaign = { id: newest?.campaign.id, Name: newest?.campaign.name };
			expect(item).toMatchObject({ data: { campaign } });
		}
		expect(n8n.hooks).toEqual({});
		expect(n8n.requests).not.toContain('DELETE /api/v2/hooks/sample');
	},
);

test('n8n waits for a real event if the service has no sample, and the log says so', async () => {
	n8n.service.state.feedback.length = 0;
	const line = 'nothing yet to show as a sample of feedback.removed';
	expect(await listen({ events: ['feedback.removed', 'tag.merged'] })).toEqual([]);
	expect(n8n.messages.join()).toContain(line);
	await n8n.service.deliver('feedback.removed', { id: 1, score: 5 });
	expect(n8n.runs[0]?.outputs[0]?.[0]).not.toHaveProperty('sample');
});

test('the log says that a sample was delivered', async () => {
	await listen({ events: ['contact.unsubscribed'] });
	const message = 'A sample of contact.unsubscribed was delivered to the test URL';
	expect(n8n.log).toContain(JSON.stringify([message, { nodeName: 'Survey B Trigger' }]).slice(1));
});

test.each([
	[{ statuses: ['NONE'] }, 1],
	[{ statuses: ['OPEN', 'CLOSED'] }, 0],
])('the log says if no feedback passes the filters %j', async (filters, lines) => {
	await listen({ events: ['feedback.removed'], filters });
	const line = 'No recent feedback response passes the filters';
	expect(n8n.messages.filter((message) => message.includes(line))).toHaveLength(lines);
});

test('the log says that n8n does not reach its own webhook URL', async () => {
	await onItsOwnClock(async () => {
		await n8n.listen(n8n.node({ events: ['contact.unsubscribed'] }));
		n8n.stopServing();
		await sleep(2800);
	});
	expect(items()).toEqual([]);
	expect(n8n.messages.join()).toContain(
		'A sample of contact.unsubscribed could not be delivered, because n8n does not reach its own webhook URL',
	);
});

test('no sample is delivered once n8n has stopped listening', async () => {
	await onItsOwnClock(async () => {
		await n8n.listen(n8n.node({ events: ['contact.unsubscribed'] }));
		await n8n.stopListening();
		await sleep(5000);
	});
	expect(items()).toEqual([]);
	expect(n8n.messages.join()).not.toContain('A sample');
});

test('skips an event that has no sample', async () => {
	for (const feedback of n8n.service.state.feedback) feedback.tags = [];
	const items = await listen({ events: ['tag.merged', 'contact.unsubscribed'] });
	expect(items).toMatchObject([{ event: 'contact.unsubscribed', sample: true }]);
});

test('n8n waits for a real event if the sample cannot be read, and the log says why', async () => {
	const kind = { status: 403, body: { detail: 'Forbidden' } };
	n8n.service.faults.add({ method: 'GET', kind, times: Infinity });
	const line = 'A sample could not be read from Survey B: Forbidden';
	expect(await listen({ events: ['feedback.removed'] })).toEqual([]);
	expect(n8n.messages.join()).toContain(line);
	expect(Object.values(n8n.hooks)).toEqual(['feedback.removed']);
});

test('finds the newest feedback on the last page', async () => {
	const { feedback } = n8n.service.state;
	n8n.service.seedFeedback(250);
	feedback.forEach((one, i) => {
		// The service lists them by their numbers, the highest first.
		one.created = one.score_changed = new Date(Date.UTC(2026, 0, 1) - i * 1000).toISOString();
	});
	const [item] = await listen({ events: ['feedback.removed'] });
	expect(item).toMatchObject({ data: { id: feedback[0]?.id } });
});

test('a published workflow and a test with Sample on Test off get no sample', async () => {
	await n8n.publish(n8n.node({ events: ['feedback.removed'] }));
	const items = await listen({ events: ['feedback.removed'], options: { sampleOnTest: false } });
	expect(n8n.requests).toEqual(['POST /api/v2/hooks', 'POST /api/v2/hooks']);
	expect(items).toEqual([]);
});

test('a delivery to the live URL is never marked as a sample', async () => {
	const node = n8n.node({ events: ['feedback.removed'] });
	await n8n.publish(node);
	await listen({ events: ['feedback.removed'] });
	const [hook] = n8n.service.state.hooks;
	const data = { id: 1, score: 2 };
	const body = { hook: { ...hook, id: 'sample' }, data, sample: true };
	expect((await n8n.post(String(hook?.target), body)).status).toBe(200);
	expect(n8n.runs.at(-1)).toMatchObject({ mode: 'webhook' });
	expect(n8n.runs.at(-1)?.outputs[0]?.[0]).not.toHaveProperty('sample');
});
