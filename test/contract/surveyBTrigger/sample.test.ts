import { NINE, stage, withStage } from './stage';

withStage();

const items = () => stage.runs.flatMap(({ outputs }) => outputs.flat());

/** Listens for a test event, and gives the items that arrived by the time that a line is in the log, or an item came. */
async function listen(parameters: object, line?: string): Promise<object[]> {
	await stage.listen(stage.node({ ...parameters }));
	const isDone = () => (line ? stage.messages.join().includes(line) : items().length > 0);
	for (let waited = 0; !isDone() && waited < 100; waited++) await stage.pause(40);
	await stage.idle();
	return items();
}

test.each(NINE)(
	'%s: the newest that the service has arrives, in the shape of the event',
	async (event) => {
		stage.service.seedFeedback(3);
		const [newest] = stage.service.state.feedback.slice(-1);
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
		expect(stage.hooks).toEqual({});
	},
);

test('where the service has nothing of the kind, n8n waits for a real event, and the log says so', async () => {
	stage.service.state.feedback.length = 0;
	const line = 'nothing yet to show as a sample of feedback.removed';
	expect(await listen({ events: ['feedback.removed', 'tag.merged'] }, line)).toEqual([]);
	expect(stage.messages.join()).toContain(line);
	await stage.service.deliver('feedback.removed', { id: 1, score: 5 });
	expect(stage.runs[0]?.outputs[0]?.[0]).not.toHaveProperty('sample');
});

test('an event without a sample of its own is passed over for the next', async () => {
	for (const feedback of stage.service.state.feedback) feedback.tags = [];
	const items = await listen({ events: ['tag.merged', 'contact.unsubscribed'] });
	expect(items).toMatchObject([{ event: 'contact.unsubscribed', sample: true }]);
});

test('where it cannot be read, n8n waits for a real event, and the log says why', async () => {
	const kind = { status: 403, body: { detail: 'Forbidden' } };
	stage.service.faults.add({ method: 'GET', kind, times: Infinity });
	const line = 'A sample could not be read from Survey B: Forbidden';
	expect(await listen({ events: ['feedback.removed'] }, line)).toEqual([]);
	expect(stage.messages.join()).toContain(line);
	expect(Object.values(stage.hooks)).toEqual(['feedback.removed']);
});

test('where the newest stands on the last page, it is found there', async () => {
	const { feedback } = stage.service.state;
	stage.service.seedFeedback(250);
	feedback.forEach((one, i) => {
		// The service lists them by their numbers, the highest first.
		one.created = one.score_changed = new Date(Date.UTC(2026, 0, 1) - i * 1000).toISOString();
	});
	const [item] = await listen({ events: ['feedback.removed'] });
	expect(item).toMatchObject({ data: { id: feedback[0]?.id } });
});

test('a published workflow gets no sample, nor does a test that has it off', async () => {
	await stage.publish(stage.node({ events: ['feedback.removed'] }));
	await stage.listen(
		stage.node({ events: ['feedback.removed'], options: { sampleOnTest: false } }),
	);
	expect(stage.requests).toEqual(['POST /api/v2/hooks', 'POST /api/v2/hooks']);
	await stage.pause(800);
	expect(stage.runs).toEqual([]);
});

test('nobody else passes for a sample: its token serves the test URL only while the editor listens', async () => {
	const node = stage.node({ events: ['feedback.removed'] });
	await stage.publish(node);
	await listen({ events: ['feedback.removed'] });
	const [hook] = stage.service.state.hooks;
	const body = { hook, data: { id: 1, score: 2 }, sample: true };
	expect((await stage.post(String(hook?.target), body)).status).toBe(200);
	expect(stage.runs.at(-1)).toMatchObject({ mode: 'webhook' });
	expect(stage.runs.at(-1)?.outputs[0]?.[0]).not.toHaveProperty('sample');
});
