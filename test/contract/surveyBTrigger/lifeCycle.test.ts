import { onItsOwnClock } from '../../support/clock.mts';
import { FIVE, deliverChange, EmulatedN8n, n8n, useEmulatedN8n } from './emulatedN8n';

useEmulatedN8n();

const PAIR = FIVE.slice(0, 2);

test('publishing creates one webhook per event, unpublishing removes them', async () => {
	await n8n.publish(n8n.node({ events: PAIR }));
	expect(n8n.requests).toEqual(['POST /api/v2/hooks', 'POST /api/v2/hooks']);
	expect(Object.values(n8n.hooks)).toEqual(PAIR);
	const targets = n8n.service.state.hooks.map(({ target }) => target);
	expect(new Set(targets).size).toBe(1);
	expect(targets[0]).toMatch(
		new RegExp(`^${n8n.address}/webhook/hook-of-node/survey-b\\?token=[\\w-]{43}$`),
	);
	expect(await deliverChange()).toEqual([200]);
	expect(n8n.runs).toHaveLength(1);

	await n8n.unpublish();
	expect(n8n.hooks).toEqual({});
	expect(n8n.warnings).toEqual([]);
});

test('the log has a line with its node for each created and removed webhook, and the static data has no token', async () => {
	await n8n.publish(n8n.node({ events: PAIR }));
	const [first, second] = Object.keys(n8n.hooks);
	const token = String(n8n.service.state.hooks[0]?.target).split('token=')[1] ?? '';
	expect(token).toHaveLength(43);
	expect(JSON.stringify(n8n.saved)).not.toContain(token);
	expect(JSON.stringify(n8n.saved)).not.toContain(n8n.service.apiKey);
	await n8n.unpublish();
	expect(n8n.messages).toEqual([
		`Webhook ${first} (feedback.removed) was created in Survey B`,
		`Webhook ${second} (feedback.status_changed) was created in Survey B`,
		`Webhook ${first} (feedback.removed) was removed from Survey B`,
		`Webhook ${second} (feedback.status_changed) was removed from Survey B`,
	]);
	const source = JSON.stringify({ workflowId: n8n.workflowId, nodeName: 'Survey B Trigger' });
	expect(n8n.log.split(source)).toHaveLength(5);
});

test('a restart sends no request, and forgets no delivery', async () => {
	await n8n.publish(n8n.node({ events: PAIR }));
	await n8n.service.deliver('feedback.removed', { id: 1, score: 5 });
	n8n.service.requests.length = 0;
	await n8n.restart();
	expect(n8n.requests).toEqual([]);
	const [repeat] = await n8n.service.deliver('feedback.removed', { id: 1, score: 5 });
	expect(repeat?.status).toBe(200);
	expect(n8n.runs).toHaveLength(1);
	await deliverChange();
	expect(n8n.runs).toHaveLength(2);
	await n8n.unpublish();
	expect(n8n.hooks).toEqual({});
});

test('n8n sends no request when it becomes the leader', async () => {
	await n8n.publish(n8n.node({ events: PAIR }));
	n8n.service.requests.length = 0;
	await n8n.becomeLeader();
	expect(n8n.requests).toEqual([]);
	expect(await deliverChange()).toEqual([200]);
});

test('a restart creates webhooks for added events, and removes those of removed events', async () => {
	await n8n.publish(n8n.node({ events: ['tag.merged', 'tag.removed'] }));
	const [kept] = Object.keys(n8n.hooks);
	n8n.service.requests.length = 0;
	await n8n.restart(n8n.node({ events: ['tag.merged', 'tag.renamed'] }));
	expect(Object.values(n8n.hooks)).toEqual(['tag.merged', 'tag.renamed']);
	expect(Object.keys(n8n.hooks)).toContain(kept);
	expect(n8n.requests).toHaveLength(2);
	await n8n.restart();
	expect(n8n.requests).toHaveLength(2);
});

test('publishing again leaves one working webhook for each event', async () => {
	await n8n.publish(n8n.node({ events: PAIR }));
	await n8n.publish(n8n.node({ events: FIVE.slice(1, 4) }));
	expect(Object.values(n8n.hooks)).toEqual(FIVE.slice(1, 4));
	expect(await deliverChange('tag.merged')).toEqual([200]);
	expect(n8n.runs).toHaveLength(1);
});

test('publishing creates webhooks for custom events', async () => {
	n8n.service.settings.extraEvents = ['survey.response_removed'];
	const options = { customEvents: ' survey.response_removed, tag.merged' };
	await n8n.publish(n8n.node({ events: ['tag.merged'], options }));
	expect(Object.values(n8n.hooks)).toEqual(['tag.merged', 'survey.response_removed']);
	expect(await deliverChange('survey.response_removed')).toEqual([200]);
	expect(n8n.runs[0]?.outputs[0]?.[0]).toMatchObject({ event: 'survey.response_removed' });
});

test('a changed webhook path replaces every webhook', async () => {
	await n8n.publish(n8n.node({ events: PAIR }));
	await n8n.restart(n8n.node({ events: PAIR }, { webhookId: 'another' }));
	const targets = n8n.service.state.hooks.map(({ target }) => target);
	expect(targets).toHaveLength(2);
	for (const target of targets) expect(target).toContain('/webhook/another/');
	expect(await deliverChange()).toEqual([200]);
	expect(n8n.runs).toHaveLength(1);
});

test('creates webhooks for a new address of n8n, and does not remove those of the old one', async () => {
	await n8n.publish(n8n.node({ events: PAIR }));
	const before = n8n.hooks;
	const address = n8n.address;
	n8n.address = address.replace('127.0.0.1', 'localhost');
	await n8n.restart();
	const targets = n8n.service.state.hooks.map(({ target }) => target.split('/webhook/')[0]);
	expect(targets).toEqual([address, address, n8n.address, n8n.address]);
	// Both addresses reach this n8n.
	expect(await deliverChange()).toEqual([200, 200]);
	expect(n8n.runs).toHaveLength(1);
	const left = n8n.warnings.filter((line) => line.includes(`at another address (${address}/`));
	expect(left).toHaveLength(2);

	await n8n.unpublish();
	expect(n8n.hooks).toEqual(before);
});

test('removes the webhooks of an earlier address once n8n has that address again', async () => {
	const { address } = n8n;
	await n8n.publish(n8n.node({ events: PAIR }));
	n8n.address = address.replace('127.0.0.1', 'localhost');
	await n8n.restart();
	n8n.address = address;
	await n8n.publish(n8n.node({ events: PAIR }, { name: 'Renamed' }));
	await n8n.unpublish();
	const left = n8n.service.state.hooks.map(({ target }) => String(target));
	expect(left).toHaveLength(2);
	for (const target of left) expect(target).toContain('localhost');
});

test('unpublishing in a copy of n8n at another address keeps the webhooks of the original', async () => {
	await n8n.publish(n8n.node({ events: PAIR }));
	const before = n8n.hooks;
	n8n.address = n8n.address.replace('127.0.0.1', 'localhost');
	await n8n.unpublish();
	expect(n8n.hooks).toEqual(before);
	expect(n8n.warnings).toHaveLength(2);
});

test('unpublishing in a copy of n8n under another path of the same host keeps the webhooks of the original', async () => {
	await n8n.publish(n8n.node({ events: PAIR }));
	const before = n8n.hooks;
	n8n.address += '/copy';
	await n8n.unpublish();
	expect(n8n.hooks).toEqual(before);
});

test('removes the webhooks of a replaced key with the new one', async () => {
	await n8n.publish(n8n.node({ events: PAIR }));
	n8n.apiKey = 'another-example-key';
	n8n.service.apiKey = n8n.apiKey;
	expect(await deliverChange()).toEqual([200]);
	await n8n.restart();
	expect(Object.values(n8n.hooks)).toEqual(PAIR);
	expect(n8n.warnings.filter((line) => line.startsWith('Webhook'))).toEqual([]);
	expect(await deliverChange()).toEqual([200]);
	expect(n8n.runs).toHaveLength(2);
});

test('logs the webhooks of a replaced key that the service does not remove, and rejects their deliveries', async () => {
	await n8n.publish(n8n.node({ events: PAIR }));
	const before = Object.keys(n8n.hooks);
	n8n.apiKey = 'another-example-key';
	n8n.service.apiKey = n8n.apiKey;
	n8n.service.settings.hookDeletion = 404;
	await n8n.restart();
	for (const id of before) expect(n8n.warnings.join()).toContain(`Webhook ${id} (`);
	expect(await deliverChange()).toEqual([401, 200]);
	expect(n8n.runs).toHaveLength(1);
});

test('creates webhooks at a changed base URL, and removes none there by an ID of the earlier service', async () => {
	await n8n.publish(n8n.node({ events: PAIR }));
	const other = await EmulatedN8n.open();
	other.service.state.hooks.length = 0;
	n8n.baseUrl = other.service.url;
	n8n.service.requests.length = 0;
	await n8n.restart();
	expect(Object.values(other.hooks)).toEqual(PAIR);
	expect(other.requests).toEqual(['POST /api/v2/hooks', 'POST /api/v2/hooks']);
	expect(n8n.requests).toEqual([]);
	expect(await deliverChange()).toEqual([401]);
	expect(n8n.runs).toHaveLength(0);
	expect(n8n.warnings.join()).toContain('another base URL');
	await other.close();
});

test('a repeat starts no second run after n8n restarted and the node was renamed', async () => {
	const repeat = async () => await n8n.service.deliver('feedback.removed', { id: 1, score: 2 });
	await n8n.publish(n8n.node({ events: PAIR }));
	await repeat();
	await n8n.restart();
	await n8n.publish(n8n.node({ events: PAIR }, { name: 'Renamed' }));
	await n8n.restart();
	await repeat();
	expect(n8n.runs).toHaveLength(1);
});

test('unpublishing a copy of the workflow keeps the webhooks of the original', async () => {
	await n8n.publish(n8n.node({ events: PAIR }));
	const { hooks } = n8n;
	const copy = await EmulatedN8n.open(n8n.service);
	copy.saved = JSON.parse(JSON.stringify(n8n.saved));
	await copy.publish(copy.node({ events: PAIR }));
	expect(n8n.hooks).toMatchObject(hooks);
	expect(await deliverChange()).toEqual([200, 200]);
	await copy.unpublish();
	expect(n8n.hooks).toEqual(hooks);
	await deliverChange();
	expect([n8n.runs.length, copy.runs.length]).toEqual([2, 1]);
	copy.stopServing();
});

test('publishing without an event fails with a message, and sends no request', async () => {
	await expect(n8n.publish(n8n.node({ events: [] }))).rejects.toThrow(
		"No event is chosen under 'Trigger On'",
	);
	expect(n8n.requests).toEqual([]);
});

test('publishing does not reuse a webhook that only outdated static data lists', async () => {
	await onItsOwnClock(async () => {
		const removed = n8n.node({ events: ['feedback.removed'] });
		await n8n.publish(removed);
		const older = JSON.parse(JSON.stringify(n8n.saved));
		await n8n.publish(n8n.node({ events: ['feedback.status_changed'] }));
		n8n.saved = older;
		const kind = { status: 500, body: { detail: 'Server Error' } };
		n8n.service.faults.add({ method: 'DELETE', kind, times: Infinity });
		await n8n.restart();
		await n8n.publish(removed);
		expect(Object.values(n8n.hooks)).toContain('feedback.removed');
		expect(await deliverChange()).toEqual([200]);
		expect(n8n.runs).toHaveLength(1);
	});
});

test('logs every webhook that stays because the credential was deleted before unpublishing', async () => {
	await n8n.publish(n8n.node({ events: PAIR }));
	const ids = Object.keys(n8n.hooks);
	n8n.hasCredential = false;
	await n8n.unpublish();
	expect(ids).toHaveLength(2);
	for (const id of ids) expect(n8n.warnings.join('\n')).toContain(`Webhook ${id} (`);
	n8n.hasCredential = true;
	await n8n.publish(n8n.node({ events: PAIR }));
	expect(Object.values(n8n.hooks)).toEqual(PAIR);
});
