import { happen as happened, stage, withStage } from './stage';

withStage();

/** Only what the service tells of. */
const options = { sampleOnTest: false };

async function happen(event?: string): Promise<Array<number | undefined>> {
	const statuses = await happened(event);
	await stage.idle();
	return statuses;
}

test('a test listens beside the live workflow, and leaves it as it was', async () => {
	const node = stage.node({ events: ['feedback.removed'], options });
	await stage.publish(node);
	const { hooks, saved } = stage;
	await stage.listen(node);
	expect(Object.keys(stage.hooks)).toHaveLength(2);
	expect(stage.service.state.hooks[1]?.target).toContain('/webhook-test/');

	expect(await happen()).toEqual([200, 200]);
	expect(stage.runs.map(({ mode }) => mode).sort()).toEqual(['manual', 'webhook']);
	expect(stage.hooks).toEqual(hooks);

	await happen();
	expect(stage.runs).toHaveLength(3);
	await stage.restart();
	expect(stage.hooks).toEqual(hooks);
	expect(stage.saved).toMatchObject({
		'node:Survey B Trigger': { live: Object(saved['node:Survey B Trigger']).live },
	});
});

test('a test that is given up removes only its own subscriptions', async () => {
	const node = stage.node({ events: ['feedback.removed'], options });
	await stage.publish(node);
	const { hooks } = stage;
	await stage.listen(node);
	await stage.stopListening();
	expect(stage.hooks).toEqual(hooks);
	await happen();
	expect(stage.runs.map(({ mode }) => mode)).toEqual(['webhook']);
});

test.each([
	['that has no event', { events: [], options }],
	['that the service refuses', { events: ['feedback.removed', 'no.such_event'], options }],
])('a test %s does not touch the live workflow', async (_name, parameters) => {
	await stage.publish(stage.node({ events: ['feedback.removed'], options }));
	const { hooks } = stage;
	await expect(stage.listen(stage.node(parameters))).rejects.toThrow();
	expect(stage.hooks).toEqual(hooks);
	expect(await happen()).toEqual([200]);
	expect(stage.runs.map(({ mode }) => mode)).toEqual(['webhook']);
});

test('the same event can be tried again in the next test', async () => {
	const node = stage.node({ events: ['tag.merged'], options });
	for (const round of [1, 2]) {
		await stage.listen(node);
		await stage.service.deliver('tag.merged', { before: 'a', after: 'b' });
		await stage.idle();
		expect(stage.runs).toHaveLength(round);
	}
	expect(stage.hooks).toEqual({});
});

test('tests whose subscriptions cannot be removed do not pile up without end', async () => {
	stage.service.settings.hookDeletion = 405;
	const node = stage.node({ events: ['feedback.removed'], options });
	for (const round of [1, 2, 3, 4, 5]) {
		await stage.listen(node);
		await happen();
		expect(stage.runs).toHaveLength(round);
	}
	expect(Object.keys(stage.hooks).length).toBeLessThan(4);
});
