import { onItsOwnClock } from '../../support/clock.mts';
import { FIVE, happen, Stage, stage, withStage } from './stage';

withStage();

const PAIR = FIVE.slice(0, 2);

test('publishing creates one webhook per event, unpublishing removes them', async () => {
	await stage.publish(stage.node({ events: PAIR }));
	expect(stage.requests).toEqual(['POST /api/v2/hooks', 'POST /api/v2/hooks']);
	expect(Object.values(stage.hooks)).toEqual(PAIR);
	const targets = stage.service.state.hooks.map(({ target }) => target);
	expect(new Set(targets).size).toBe(1);
	expect(targets[0]).toMatch(
		new RegExp(`^${stage.address}/webhook/hook-of-node/survey-b\\?token=[\\w-]{43}$`),
	);
	expect(await happen()).toEqual([200]);
	expect(stage.runs).toHaveLength(1);

	await stage.unpublish();
	expect(stage.hooks).toEqual({});
	expect(stage.warnings).toEqual([]);
});

test('the log has a line for each created and removed webhook, and the static data has no token', async () => {
	await stage.publish(stage.node({ events: PAIR }));
	const [first, second] = Object.keys(stage.hooks);
	const token = String(stage.service.state.hooks[0]?.target).split('token=')[1] ?? '';
	expect(token).toHaveLength(43);
	expect(JSON.stringify(stage.saved)).not.toContain(token);
	expect(JSON.stringify(stage.saved)).not.toContain(stage.service.apiKey);
	await stage.unpublish();
	expect(stage.messages).toEqual([
		`Webhook ${first} (feedback.removed) was created in Survey B`,
		`Webhook ${second} (feedback.status_changed) was created in Survey B`,
		`Webhook ${first} (feedback.removed) was removed from Survey B`,
		`Webhook ${second} (feedback.status_changed) was removed from Survey B`,
	]);
});

test('a restart sends no request, and forgets no delivery', async () => {
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

test('a restart creates webhooks for added events, and removes those of removed events', async () => {
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

test('republishing with other events leaves one webhook per event', async () => {
	await stage.publish(stage.node({ events: PAIR }));
	await stage.publish(stage.node({ events: FIVE.slice(1, 4) }));
	expect(Object.values(stage.hooks)).toEqual(FIVE.slice(1, 4));
	expect(await happen('tag.merged')).toEqual([200]);
	expect(stage.runs).toHaveLength(1);
});

test('publishing creates webhooks for custom events', async () => {
	stage.service.settings.extraEvents = ['survey.response_removed'];
	const options = { customEvents: ' survey.response_removed, tag.merged' };
	await stage.publish(stage.node({ events: ['tag.merged'], options }));
	expect(Object.values(stage.hooks)).toEqual(['tag.merged', 'survey.response_removed']);
	expect(await happen('survey.response_removed')).toEqual([200]);
	expect(stage.runs[0]?.outputs[0]?.[0]).toMatchObject({ event: 'survey.response_removed' });
});

test('a changed webhook path replaces every webhook', async () => {
	await stage.publish(stage.node({ events: PAIR }));
	await stage.restart(stage.node({ events: PAIR }, { webhookId: 'another' }));
	const targets = stage.service.state.hooks.map(({ target }) => target);
	expect(targets).toHaveLength(2);
	for (const target of targets) expect(target).toContain('/webhook/another/');
	expect(await happen()).toEqual([200]);
	expect(stage.runs).toHaveLength(1);
});

test('creates webhooks for a new address of n8n, and does not remove those of the old one', async () => {
	await stage.publish(stage.node({ events: PAIR }));
	const before = stage.hooks;
	const address = stage.address;
	stage.address = address.replace('127.0.0.1', 'localhost');
	await stage.restart();
	const targets = stage.service.state.hooks.map(({ target }) => target.split('/webhook/')[0]);
	expect(targets).toEqual([address, address, stage.address, stage.address]);
	expect(await happen()).toEqual([401, 200]);
	expect(stage.runs).toHaveLength(1);
	const left = stage.warnings.filter((line) => line.includes(`at another address (${address}/`));
	expect(left).toHaveLength(2);

	await stage.unpublish();
	expect(stage.hooks).toEqual(before);
});

test('unpublishing in a copy of n8n at another address keeps the webhooks of the original', async () => {
	await stage.publish(stage.node({ events: PAIR }));
	const before = stage.hooks;
	stage.address = stage.address.replace('127.0.0.1', 'localhost');
	await stage.unpublish();
	expect(stage.hooks).toEqual(before);
	expect(stage.warnings).toHaveLength(2);
});

test('removes the webhooks of a replaced key with the new one', async () => {
	await stage.publish(stage.node({ events: PAIR }));
	stage.apiKey = 'another-example-key';
	stage.service.apiKey = stage.apiKey;
	expect(await happen()).toEqual([200]);
	await stage.restart();
	expect(Object.values(stage.hooks)).toEqual(PAIR);
	expect(stage.warnings.filter((line) => line.startsWith('Webhook'))).toEqual([]);
	expect(await happen()).toEqual([200]);
	expect(stage.runs).toHaveLength(2);
});

test('logs the webhooks of a replaced key that the service does not remove, and rejects their deliveries', async () => {
	await stage.publish(stage.node({ events: PAIR }));
	const before = Object.keys(stage.hooks);
	stage.apiKey = 'another-example-key';
	stage.service.apiKey = stage.apiKey;
	stage.service.settings.hookDeletion = 404;
	await stage.restart();
	for (const id of before) expect(stage.warnings.join()).toContain(`Webhook ${id} (`);
	expect(await happen()).toEqual([401, 200]);
	expect(stage.runs).toHaveLength(1);
});

test('creates webhooks at a changed base URL, and removes none there by an ID of the earlier service', async () => {
	await stage.publish(stage.node({ events: PAIR }));
	const other = await Stage.open();
	other.service.state.hooks.length = 0;
	stage.baseUrl = other.service.url;
	stage.service.requests.length = 0;
	await stage.restart();
	expect(Object.values(other.hooks)).toEqual(PAIR);
	expect(other.requests).toEqual(['POST /api/v2/hooks', 'POST /api/v2/hooks']);
	expect(stage.requests).toEqual([]);
	expect(await happen()).toEqual([401]);
	expect(stage.runs).toHaveLength(0);
	expect(stage.warnings.join()).toContain('another base URL');
	await other.close();
});

test('a renamed node starts one run per change', async () => {
	await stage.publish(stage.node({ events: PAIR }));
	await stage.publish(stage.node({ events: PAIR }, { name: 'Renamed' }));
	expect(Object.values(stage.hooks)).toEqual(PAIR);
	await happen();
	expect(stage.runs.map(({ node }) => node)).toEqual(['Renamed']);
});

test('two trigger nodes in one workflow each start one run per change', async () => {
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

test('two trigger nodes that swap their names each start one run per change', async () => {
	const named = (one: string, other: string) => [
		stage.node({ events: ['tag.merged'] }, { id: 'a', name: one }),
		stage.node({ events: ['tag.merged'] }, { id: 'b', name: other }),
	];
	await stage.publish(...named('First', 'Second'));
	await stage.publish(...named('Second', 'First'));
	await stage.restart();
	expect(Object.values(stage.hooks)).toEqual(['tag.merged', 'tag.merged']);
	expect(await happen('tag.merged')).toEqual([200, 200]);
	expect(stage.runs.map(({ node }) => node).sort()).toEqual(['First', 'Second']);
});

test('unpublishing a copy of the workflow keeps the webhooks of the original', async () => {
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

test('outdated static data makes the trigger neither miss a change nor run it twice', async () => {
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

test('publishing without an event fails with a message, and sends no request', async () => {
	await expect(stage.publish(stage.node({ events: [] }))).rejects.toThrow(
		"No event is chosen under 'Trigger On'",
	);
	expect(stage.requests).toEqual([]);
});

test('receives events after outdated static data was saved and n8n restarted', async () => {
	const node = stage.node({ events: ['feedback.removed'] });
	const older = JSON.parse(JSON.stringify(stage.saved));
	await stage.publish(node);
	await stage.unpublish();
	await stage.publish(node);
	stage.saved = older;
	await stage.restartQuietly();
	expect(await happen()).toEqual([200]);
	expect(stage.runs).toHaveLength(1);
	// The delivery has made the webhook known again.
	await stage.unpublish();
	expect(stage.hooks).toEqual({});
});

test('publishing creates webhooks although outdated static data lists them', async () => {
	const node = stage.node({ events: ['feedback.removed'] });
	await stage.publish(node);
	const older = JSON.parse(JSON.stringify(stage.saved));
	await stage.unpublish();
	stage.saved = older;
	await stage.restartQuietly();
	await stage.publish(node);
	expect(await happen()).toEqual([200]);
	expect(stage.runs).toHaveLength(1);
});

test('publishing does not reuse a webhook that only outdated static data lists', async () => {
	await onItsOwnClock(async () => {
		const removed = stage.node({ events: ['feedback.removed'] });
		await stage.publish(removed);
		const older = JSON.parse(JSON.stringify(stage.saved));
		await stage.publish(stage.node({ events: ['feedback.status_changed'] }));
		stage.saved = older;
		const kind = { status: 500, body: { detail: 'Server Error' } };
		stage.service.faults.add({ method: 'DELETE', kind, times: Infinity });
		await stage.restart();
		await stage.publish(removed);
		expect(Object.values(stage.hooks)).toContain('feedback.removed');
		expect(await happen()).toEqual([200]);
		expect(stage.runs).toHaveLength(1);
	});
});

test('publishing creates webhooks again that another process has removed', async () => {
	const node = stage.node({ events: PAIR });
	await stage.publish(node);
	await stage.switchProcess();
	await stage.unpublish();
	await stage.switchProcess();
	await stage.publish(node);
	expect(Object.values(stage.hooks)).toEqual(PAIR);
	expect(await happen()).toEqual([200]);
	expect(stage.runs).toHaveLength(1);
});

test('logs every webhook that stays because the credential was deleted before unpublishing', async () => {
	await stage.publish(stage.node({ events: PAIR }));
	const ids = Object.keys(stage.hooks);
	stage.hasCredential = false;
	await stage.unpublish();
	expect(ids).toHaveLength(2);
	for (const id of ids) expect(stage.warnings.join('\n')).toContain(`Webhook ${id} (`);
	stage.hasCredential = true;
	await stage.publish(stage.node({ events: PAIR }));
	expect(Object.values(stage.hooks)).toEqual(PAIR);
});
