import type { IDataObject } from 'n8n-workflow';

import { holdNext } from '../../support/hold.mts';
import { FIVE, deliverChange, EmulatedN8n, n8n, useEmulatedN8n } from './emulatedN8n';

useEmulatedN8n();

const PAIR = FIVE.slice(0, 2);

test('publishing creates one webhook per event, unpublishing removes them, and the log has a line with its node for each; the static data has no secret', async () => {
	await n8n.publish(n8n.node({ events: PAIR }));
	expect(n8n.requests).toEqual(['POST /api/v2/hooks', 'POST /api/v2/hooks']);
	expect(Object.values(n8n.hooks)).toEqual(PAIR);
	const [first, second] = Object.keys(n8n.hooks);
	const [target, ...others] = new Set(n8n.service.state.hooks.map(({ target }) => target));
	expect(others).toEqual([]);
	const [address, token = ''] = String(target).split('?token=');
	expect(address).toBe(`${n8n.address}/webhook/hook-of-node/survey-b`);
	expect(token).toMatch(/^[\w-]{43}$/);
	expect(JSON.stringify(n8n.saved)).not.toContain(token);
	expect(JSON.stringify(n8n.saved)).not.toContain(n8n.service.apiKey);
	expect(await deliverChange()).toEqual([200]);
	expect(n8n.runs).toHaveLength(1);
	// n8n reads and writes it for each delivery, up to 400 times as long.
	expect(Object(n8n.saved.global).surveyBTrigger.deliveries.length).toBeLessThan(33);

	await n8n.unpublish();
	expect(n8n.hooks).toEqual({});
	expect(n8n.messages).toEqual([
		`Webhook ${first} (feedback.removed) was created in Survey B`,
		`Webhook ${second} (feedback.status_changed) was created in Survey B`,
		`Webhook ${first} (feedback.removed) was removed from Survey B`,
		`Webhook ${second} (feedback.status_changed) was removed from Survey B`,
	]);
	const source = JSON.stringify({ workflowId: n8n.workflowId, nodeName: 'Survey B Trigger' });
	expect(n8n.log.split(source)).toHaveLength(5);
});

test.each([
	['when it starts', async () => await n8n.restart()],
	['when it becomes the leader', async () => await n8n.becomeLeader()],
])('n8n sends no request %s, and forgets no delivery', async (_, start) => {
	await n8n.publish(n8n.node({ events: FIVE }));
	await n8n.service.deliver('tag.merged', { before: 'a', after: 'b' });
	n8n.service.requests.length = 0;
	await start();
	expect(n8n.requests).toEqual([]);
	const [repeat] = await n8n.service.deliver('tag.merged', { before: 'a', after: 'b' });
	expect(repeat?.status).toBe(200);
	expect(n8n.runs).toHaveLength(1);
	await deliverChange();
	expect(n8n.runs).toHaveLength(2);
	await n8n.unpublish();
	expect(n8n.hooks).toEqual({});
});

test.each([
	['removes the webhook of an event that was removed', PAIR, PAIR.slice(1)],
	['creates the webhook of an event that was added', PAIR.slice(1), PAIR],
])('a start of n8n %s while n8n was down', async (_, before, events) => {
	n8n.service.settings.idsAsText = true;
	await n8n.publish(n8n.node({ events: before }));
	await n8n.restart(n8n.node({ events }));
	expect(Object.values(n8n.hooks).sort()).toEqual(events);
});

test.each([
	['a process that knows only the one before', async () => await n8n.switchProcess()],
	['static data of the one before', (saved: IDataObject) => (n8n.saved = saved)],
])('unpublishing with %s removes the webhook of the last publish', async (_, happen) => {
	await n8n.publish(n8n.node({ events: FIVE.slice(1) }));
	const { hooks, saved } = n8n;
	// A run that began earlier saves what it loaded.
	n8n.saved = {};
	await n8n.switchProcess();
	await n8n.publish(n8n.node({ events: ['feedback.removed'] }));
	expect(n8n.hooks).not.toEqual(hooks);
	await happen(saved);
	await n8n.unpublish();
	expect(n8n.hooks).toEqual(hooks);
});

test('publishing again leaves one working webhook for each event [one-webhook]', async () => {
	await n8n.publish(n8n.node({ events: PAIR }));
	await n8n.publish(n8n.node({ events: FIVE.slice(1, 4) }));
	expect(Object.values(n8n.hooks)).toEqual(FIVE.slice(1, 4));
	expect(await deliverChange('tag.merged')).toEqual([200]);
	expect(n8n.runs).toHaveLength(1);
});

// A webhook may deliver before the service has returned its ID.
test.each(PAIR.flatMap((event) => [0, 1].map((held) => ({ event, held }))))(
	'accepts $event while the response to the creation of webhook $held is delayed',
	async ({ event, held }) => {
		const which = { method: 'POST', path: /hooks$/, skip: held };
		const { arrived, release } = holdNext(n8n.service.faults, which);
		const published = n8n.publish(n8n.node({ events: PAIR }));
		await arrived;
		const { target } = Object(n8n.service.requests.at(-1)?.body);
		const data = { id: 2001, score: 1 };
		const { status } = await n8n.post(target, { hook: { id: 9001, event, target }, data });
		expect(status).toBe(200);
		release();
		await published;
		expect(n8n.runs.map(({ outputs }) => outputs[0])).toMatchObject([[{ event, data }]]);
	},
);

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

test('unpublishing in a copy of n8n under another path of the same host keeps the webhooks, which the original can remove', async () => {
	await n8n.publish(n8n.node({ events: PAIR }));
	const { hooks, address } = n8n;
	n8n.address += '/copy';
	await n8n.unpublish();
	expect(n8n.hooks).toEqual(hooks);
	n8n.address = address;
	await n8n.publish(n8n.node({ events: PAIR.slice(1) }));
	expect(Object.values(n8n.hooks)).toEqual(PAIR.slice(1));
});

test('publishing without an event fails with a message and a hint, and sends no request', async () => {
	await expect(n8n.publish(n8n.node({ events: [] }))).rejects.toMatchObject({
		message: "No event is chosen under 'Trigger On'",
		description: expect.stringContaining('Choose at least one event'),
	});
	expect(n8n.requests).toEqual([]);
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
