import { FIVE, happen, Stage, stage, withStage } from './stage';

withStage();

const PAIR = FIVE.slice(0, 2);

test('publishing makes one subscription an event, unpublishing removes them', async () => {
	await stage.publish(stage.node({ events: PAIR }));
	expect(stage.requests).toEqual(['POST /api/v2/hooks', 'POST /api/v2/hooks']);
	expect(Object.values(stage.hooks)).toEqual(PAIR);
	const targets = stage.service.state.hooks.map(({ target }) => target);
	expect(new Set(targets).size).toBe(1);
	expect(targets[0]).toMatch(
		new RegExp(`^${stage.address}/webhook/hook-of-node/survey-b\\?token=[0-9a-f]{48}$`),
	);
	expect(await happen()).toEqual([200]);
	expect(stage.runs).toHaveLength(1);

	await stage.unpublish();
	expect(stage.hooks).toEqual({});
	expect(stage.log).toBe('[]');
});

test('a restart asks the service for nothing, and forgets nothing', async () => {
	await stage.publish(stage.node({ events: PAIR }));
	await stage.service.deliver('feedback.removed', { id: 1, score: 5 });
	stage.service.requests.length = 0;
	await stage.restart();
	expect(stage.requests).toEqual([]);
	const [repeat] = await stage.service.deliver('feedback.removed', { id: 1, score: 5 });
	expect(repeat?.status).toBe(200);
	expect(stage.runs).toHaveLength(1);
	await happen();
	expect(stage.runs).toHaveLength(2);
	await stage.unpublish();
	expect(stage.hooks).toEqual({});
});

test('create only adds what is missing, and removes what is no longer chosen', async () => {
	await stage.publish(stage.node({ events: ['tag.merged', 'tag.removed'] }));
	const [kept] = Object.keys(stage.hooks);
	stage.service.requests.length = 0;
	await stage.restart(stage.node({ events: ['tag.merged', 'tag.renamed'] }));
	expect(Object.values(stage.hooks)).toEqual(['tag.merged', 'tag.renamed']);
	expect(Object.keys(stage.hooks)).toContain(kept);
	expect(stage.requests).toHaveLength(2);
	await stage.restart();
	expect(stage.requests).toHaveLength(2);
});

test('changed events: republishing leaves one subscription an event', async () => {
	await stage.publish(stage.node({ events: PAIR }));
	await stage.publish(stage.node({ events: FIVE.slice(1, 4) }));
	expect(Object.values(stage.hooks)).toEqual(FIVE.slice(1, 4));
	expect(await happen('tag.merged')).toEqual([200]);
	expect(stage.runs).toHaveLength(1);
});

test('events typed by hand are subscribed to', async () => {
	stage.service.settings.extraEvents = ['survey.response_removed'];
	const options = { customEvents: ' survey.response_removed, tag.merged' };
	await stage.publish(stage.node({ events: ['tag.merged'], options }));
	expect(Object.values(stage.hooks)).toEqual(['tag.merged', 'survey.response_removed']);
	expect(await happen('survey.response_removed')).toEqual([200]);
	expect(stage.runs[0]?.outputs[0]?.[0]).toMatchObject({ event: 'survey.response_removed' });
});

test('a changed public URL replaces every subscription', async () => {
	await stage.publish(stage.node({ events: PAIR }));
	stage.address = stage.address.replace('127.0.0.1', 'localhost');
	await stage.restart();
	const targets = stage.service.state.hooks.map(({ target }) => target);
	expect(targets).toHaveLength(2);
	for (const target of targets) expect(target).toContain('//localhost:');
	expect(await happen()).toEqual([200]);
	expect(stage.runs).toHaveLength(1);
});

test('a changed base URL: subscriptions are made there, and no ID is deleted at the wrong service', async () => {
	await stage.publish(stage.node({ events: PAIR }));
	const other = await Stage.open();
	const before = { ...other.hooks };
	const { url } = stage.service;
	stage.service.url = other.service.url;
	await stage.restart();
	expect(Object.values(other.hooks)).toEqual([...Object.values(before), ...PAIR]);
	expect(other.requests).toEqual(['POST /api/v2/hooks', 'POST /api/v2/hooks']);
	expect(await happen()).toEqual([200]);
	expect(stage.runs).toHaveLength(0);
	expect(stage.log).toContain('did not confirm');
	stage.service.url = url;
	await other.close();
});

test('a renamed node keeps one run a change', async () => {
	await stage.publish(stage.node({ events: PAIR }));
	await stage.publish(stage.node({ events: PAIR }, { name: 'Renamed' }));
	expect(Object.values(stage.hooks)).toEqual(PAIR);
	await happen();
	expect(stage.runs.map(({ node }) => node)).toEqual(['Renamed']);
});

test('two trigger nodes in one workflow do not disturb each other', async () => {
	const first = stage.node({ events: ['tag.merged'] }, { id: 'a', name: 'First' });
	const second = stage.node({ events: ['tag.merged'] }, { id: 'b', name: 'Second' });
	await stage.publish(first, second);
	expect(await happen('tag.merged')).toEqual([200, 200]);
	expect(stage.runs.map(({ node }) => node).sort()).toEqual(['First', 'Second']);
	await stage.publish(second);
	expect(Object.values(stage.hooks)).toEqual(['tag.merged']);
	expect(await happen('tag.merged')).toEqual([200]);
	expect(stage.runs.map(({ node }) => node).sort()).toEqual(['First', 'Second', 'Second']);
});

test('a copy of the workflow leaves the subscriptions of the original alone', async () => {
	await stage.publish(stage.node({ events: PAIR }));
	const { hooks } = stage;
	const copy = await Stage.open(stage.service);
	copy.saved = JSON.parse(JSON.stringify(stage.saved));
	await copy.publish(copy.node({ events: PAIR }));
	expect(stage.hooks).toMatchObject(hooks);
	expect(await happen()).toEqual([200, 200]);
	await copy.unpublish();
	expect(stage.hooks).toEqual(hooks);
	await happen();
	expect([stage.runs.length, copy.runs.length]).toEqual([2, 1]);
	copy.stopServing();
});

test('an older version written over the static data makes the trigger neither silent nor double', async () => {
	const node = stage.node({ events: PAIR });
	await stage.publish(node);
	const older = JSON.parse(JSON.stringify(stage.saved));
	await stage.unpublish();
	await stage.publish(node);
	stage.saved = older;
	expect(await happen()).toEqual([200]);
	expect(stage.runs).toHaveLength(1);
	await stage.restart();
	expect(await happen()).toEqual([200]);
	expect(stage.runs).toHaveLength(2);
	expect(Object.values(stage.hooks)).toEqual(PAIR);
});

test('without an event the node says so, and asks the service for nothing', async () => {
	await expect(stage.publish(stage.node({ events: [] }))).rejects.toThrow(
		"No event is chosen under 'Trigger On'",
	);
	expect(stage.requests).toEqual([]);
});
