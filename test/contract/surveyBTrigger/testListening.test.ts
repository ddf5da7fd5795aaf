import { happen as happened, stage, withStage } from './stage';

withStage();

const options = { sampleOnTest: false };

async function happen(event?: string): Promise<Array<number | undefined>> {
	const statuses = await happened(event);
	await stage.idle();
	return statuses;
}

test('a test in the editor leaves the published workflow as it was', async () => {
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

test('a canceled test removes only its own webhooks', async () => {
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
	['without an event', { events: [], options }],
	[
		'with an event that the service refuses',
		{ events: ['feedback.removed', 'no.such_event'], options },
	],
])('a test %s does not change the published workflow', async (_name, parameters) => {
	await stage.publish(stage.node({ events: ['feedback.removed'], options }));
	const { hooks } = stage;
	await expect(stage.listen(stage.node(parameters))).rejects.toThrow();
	expect(stage.hooks).toEqual(hooks);
	expect(await happen()).toEqual([200]);
	expect(stage.runs.map(({ mode }) => mode)).toEqual(['webhook']);
});

test('an equal event starts a run again in the next test', async () => {
	const node = stage.node({ events: ['tag.merged'], options });
	for (const round of [1, 2]) {
		await stage.listen(node);
		await stage.service.deliver('tag.merged', { before: 'a', after: 'b' });
		await stage.idle();
		expect(stage.runs).toHaveLength(round);
	}
	expect(stage.hooks).toEqual({});
});

test('tests reuse webhooks that cannot be removed', async () => {
	stage.service.settings.hookDeletion = 405;
	const node = stage.node({ events: ['feedback.removed'], options });
	for (const round of [1, 2, 3, 4, 5]) {
		await stage.listen(node);
		await happen();
		expect(stage.runs).toHaveLength(round);
	}
	expect(Object.keys(stage.hooks).length).toBeLessThan(4);
});
