import { sleep } from 'n8n-workflow';

import { onItsOwnClock } from '../../support/clock.mts';
import { n8n, useEmulatedN8n } from './emulatedN8n';

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

test.each(['feedback.removed', 'feedback.added_or_changed'])(
	'listening for %s returns the newest feedback of one request as a sample',
	async (event) => {
		n8n.service.seedFeedback(3);
		const { feedback } = n8n.service.state;
		const newest = feedback[1];
		Object.assign(newest ?? {}, { score_changed: '2099-01-01T00:00:00.000000Z' });
		const [item, ...others] = await listen({ events: ['tag.merged', event] });
		expect(others).toEqual([]);
		expect(item).toMatchObject({ event, sample: true, revision: 2, data: { id: newest?.id } });
		expect(item).not.toHaveProperty('issues');
		expect('href' in Object(Object(item).data)).toBe(event === 'feedback.removed');
		const reads = n8n.requests.filter((request) => request.startsWith('GET'));
		expect(reads).toEqual(['GET /api/v2/feedback/']);
		expect(n8n.hooks).toEqual({});
		expect(n8n.requests).not.toContain('DELETE /api/v2/hooks/sample');
		// n8n listens for two minutes. A real event of feedback takes fifteen.
		expect(n8n.requests).not.toContain('POST /api/v2/hooks');
	},
);

test('the sample is the newest feedback that the filters let through', async () => {
	const { service } = n8n;
	const wanted = service.answer({ email: 'new@acme.example', campaignId: 102, score: 2 });
	service.answer({ email: 'new@acme.example', campaignId: 101, score: 2 });
	service.answer({ email: 'other@acme.example', campaignId: 102, score: 9 });
	const filters = { campaignIds: ['102'], scoreTypes: ['detractor'] };
	const heard = await listen({ events: ['feedback.added_or_changed'], filters });
	expect(heard).toMatchObject([{ sample: true, data: { id: wanted.id } }]);
});

test('the sample is the newest feedback, also if that is alone on the last page', async () => {
	const { service } = n8n;
	Object.assign(service.settings, { feedbackOrder: 'oldest', pageSize: 4 });
	while (service.state.feedback.length % 4 > 0) service.seedFeedback(1);
	const { id } = service.answer({ email: 'new@acme.example', campaignId: 101, score: 2 });
	expect(await listen({ events: ['feedback.removed'] })).toMatchObject([{ data: { id } }]);
});

test('a sample comes out although the filters reject all feedback', async () => {
	expect(await listen({ events: ['feedback.removed'], filters: { statuses: ['NONE'] } })).toEqual([
		expect.objectContaining({ sample: true }),
	]);
});

test('n8n waits for a real event if none of the events is about feedback', async () => {
	expect(await listen({ events: ['tag.merged', 'contact.unsubscribed'] })).toEqual([]);
	expect(n8n.requests.filter((request) => request.startsWith('GET'))).toEqual([]);
});

test.each([
	['there is none', undefined, 'Survey B has no record yet for a sample'],
	[
		'it cannot be read',
		{ status: 403, body: { detail: 'Forbidden' } },
		'A sample could not be read from Survey B: Forbidden',
	],
])('n8n waits for a real event if %s, and the log says so', async (_, kind, line) => {
	if (kind) n8n.service.faults.add({ method: 'GET', kind, times: Infinity });
	else n8n.service.state.feedback.length = 0;
	expect(await listen({ events: ['feedback.removed'] })).toEqual([]);
	expect(n8n.messages.join()).toContain(line);
	await n8n.service.deliver('feedback.removed', { id: 1, score: 5 });
	expect(n8n.runs[0]?.outputs[0]?.[0]).not.toHaveProperty('sample');
});

test('if n8n does not reach its own webhook URL, the log says so, and the test waits for a real event', async () => {
	await onItsOwnClock(async () => {
		await n8n.listen(n8n.node({ events: ['feedback.removed'] }));
		n8n.stopServing();
		await sleep(2800);
	});
	expect(items()).toEqual([]);
	expect(Object.values(n8n.hooks)).toEqual(['feedback.removed']);
	expect(n8n.messages.join()).toMatch(/n8n does not reach its own webhook URL: \w/);
});

test.each([
	['n8n has stopped listening', []],
	['another test has begun', ['tag.merged']],
])('no sample is delivered once %s', async (_, others) => {
	await onItsOwnClock(async () => {
		await n8n.listen(n8n.node({ events: ['feedback.removed'] }));
		await n8n.stopListening();
		await sleep(1);
		if (others.length > 0) await n8n.listen(n8n.node({ events: others }));
		await sleep(5000);
	});
	expect(items()).toEqual([]);
});

test('a delivery to the live URL is never marked as a sample', async () => {
	await n8n.publish(n8n.node({ events: ['feedback.removed'] }));
	const [hook] = n8n.service.state.hooks;
	const body = { hook: { ...hook, id: 'sample' }, data: { id: 1, score: 2 }, sample: true };
	expect((await n8n.post(String(hook?.target), body)).status).toBe(200);
	expect(n8n.runs[0]?.outputs[0]?.[0]).not.toHaveProperty('sample');
});
