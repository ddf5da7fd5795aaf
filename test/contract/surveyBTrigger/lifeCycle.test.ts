import { sleep } from 'n8n-workflow';

import { deliveryBody } from '../../../sandbox';
import { onItsOwnClock } from '../../support/clock.mts';
import { holdNext } from '../../support/hold.mts';
import { deliverChange, EmulatedN8n, FIVE, n8n, useEmulatedN8n } from './emulatedN8n';

useEmulatedN8n();

const PAIR = FIVE.slice(0, 2);

/** Longer than n8n and the trigger leave to the background. */
const LATER = 60_000;

test('publishing creates one webhook per event, unpublishing removes them some seconds later, and the log has a line with its node for each; the static data has no secret', async () => {
	await onItsOwnClock(async () => {
		await n8n.publish(n8n.node({ events: PAIR }));
		expect(Object.values(n8n.hooks)).toEqual(PAIR);
		const [first, second] = Object.keys(n8n.hooks);
		const targets = n8n.service.state.hooks.map(({ target }) => new URL(String(target)));
		const partsOf = ({ origin, pathname, searchParams }: URL) =>
			`${origin}${pathname} ${searchParams.get('token')}`;
		const [parts, ...others] = new Set(targets.map(partsOf));
		expect(others).toEqual([]);
		const [address, token = ''] = String(parts).split(' ');
		expect(address).toBe(`${n8n.address}/webhook/hook-of-node/survey-b`);
		expect(token).toMatch(/^[\w-]{43}$/);
		expect(JSON.stringify(n8n.saved)).not.toContain(token);
		expect(JSON.stringify(n8n.saved)).not.toContain(n8n.service.apiKey);
		expect(await deliverChange()).toEqual([200]);
		expect(n8n.runs).toHaveLength(1);

		const before = n8n.messages.length;
		await n8n.unpublish();
		await sleep(LATER);
		expect(n8n.hooks).toEqual({});
		expect(n8n.messages.slice(before).sort()).toEqual([
			`Webhook ${first} (feedback.removed) was removed from Survey B`,
			`Webhook ${second} (feedback.status_changed) was removed from Survey B`,
		]);
		for (const id of [first, second]) {
			expect(n8n.messages.join()).toContain(`Webhook ${id} (`);
		}
		const source = JSON.stringify({ workflowId: n8n.workflowId, nodeName: 'Survey B Trigger' });
		expect(n8n.log.split(source)).toHaveLength(n8n.messages.length + 1);
	});
});

test('the first publish finds out whether the service removes webhooks: it removes the first one, and creates it again', async () => {
	await n8n.publish(n8n.node({ events: PAIR }));
	const [first = ''] = Object.keys(n8n.hooks);
	expect(n8n.requests).toEqual([
		'POST /api/v2/hooks',
		`DELETE /api/v2/hooks/${Number(first) - 1}`,
		'POST /api/v2/hooks',
		'POST /api/v2/hooks',
	]);
});

test('an event that is chosen twice gets one webhook', async () => {
	await n8n.publish(n8n.node({ events: [...PAIR, ...PAIR] }));
	expect(Object.values(n8n.hooks)).toEqual(PAIR);
});

test.each([
	['when it starts', async () => await n8n.restart()],
	['when it becomes the leader', async () => await n8n.becomeLeader()],
])('n8n sends no request %s', async (_, start) => {
	n8n.hasOutbox = false;
	await n8n.publish(n8n.node({ events: FIVE }));
	n8n.service.requests.length = 0;
	await start();
	expect(n8n.requests).toEqual([]);
	await deliverChange();
	expect(n8n.runs).toHaveLength(1);
});

test.each([
	['removes the webhook of an event that was removed', [...PAIR, 'tag.merged'], PAIR.slice(1)],
	['creates the webhook of an event that was added', PAIR.slice(1), PAIR],
])('publishing again after a restart %s', async (_, before, events) => {
	n8n.service.settings.idsAsText = true;
	await onItsOwnClock(async () => {
		await n8n.publish(n8n.node({ events: before }));
		await n8n.restart();
		await n8n.publish(n8n.node({ events }));
		await sleep(LATER);
		expect(Object.values(n8n.hooks).sort()).toEqual(events);
	});
});

test.each([true, false])(
	'an edit keeps the webhooks of its events, which work all the time (way of publishing since 2.40: %s)',
	async (hasOutbox) => {
		n8n.hasOutbox = hasOutbox;
		await onItsOwnClock(async () => {
			await n8n.publish(n8n.node({ events: PAIR }));
			const [kept] = Object.entries(n8n.hooks).filter(([, event]) => event === PAIR[1]);
			await n8n.publish(n8n.node({ events: FIVE.slice(1, 4) }));
			await sleep(LATER);
			expect(Object.entries(n8n.hooks)).toContainEqual(kept);
			expect(Object.values(n8n.hooks)).toEqual(FIVE.slice(1, 4));
			const sent = n8n.requests.filter((request) => request.startsWith('DELETE'));
			expect(sent).toHaveLength(2);
		});
	},
);

test('somebody removes a webhook by hand: an edit alone uses it as before, and unpublishing and publishing creates it again', async () => {
	await onItsOwnClock(async () => {
		await n8n.publish(n8n.node({ events: PAIR }));
		n8n.service.state.hooks.shift();
		await n8n.publish(n8n.node({ events: PAIR, routeBy: 'scoreType' }));
		expect(Object.values(n8n.hooks)).toEqual(PAIR.slice(1));
		await n8n.unpublish();
		await sleep(LATER);
		await n8n.publish(n8n.node({ events: PAIR }));
		expect(Object.values(n8n.hooks)).toEqual(PAIR);
		expect(n8n.warnings).toEqual([]);
	});
});

test.each([
	['an edit', async () => {}],
	[
		'an unpublish and a publish',
		async () => {
			await n8n.unpublish();
			await sleep(LATER);
		},
	],
])(
	'the webhooks are gone at the service, and n8n starts: %s creates them again',
	async (_, before) => {
		await onItsOwnClock(async () => {
			await n8n.publish(n8n.node({ events: PAIR }));
			n8n.service.state.hooks.length = 0;
			await n8n.restart();
			await before();
			await n8n.publish(n8n.node({ events: PAIR, routeBy: 'scoreType' }));
			expect(Object.values(n8n.hooks)).toEqual(PAIR);
			expect(n8n.warnings).toEqual([]);
			expect(await deliverChange()).toEqual([200]);
			expect(n8n.runs).toHaveLength(1);
		});
	},
);

test.each([204, 405] as const)(
	'no webhook of a chosen event is removed before its creation has returned (%i)',
	async (hookDeletion) => {
		n8n.service.settings.hookDeletion = hookDeletion;
		const ALL = FIVE.slice(0, 3);
		await onItsOwnClock(async () => {
			await n8n.publish(n8n.node({ events: ALL }));
			n8n.service.requests.length = 0;
			await n8n.restart();
			await n8n.publish(n8n.node({ events: ALL, routeBy: 'scoreType' }));
			await sleep(LATER);
			const methods = n8n.service.requests.map(({ method }) => method);
			expect(methods).toEqual([...methods].sort().reverse());
			expect(methods).toHaveLength(hookDeletion === 204 ? 2 * ALL.length : 0);
		});
	},
);

test('publishing again leaves one working webhook for each event [one-webhook]', async () => {
	await onItsOwnClock(async () => {
		await n8n.publish(n8n.node({ events: PAIR }));
		await n8n.publish(n8n.node({ events: FIVE.slice(1, 4) }));
		await sleep(LATER);
	});
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
		const { status } = await n8n.post(target, deliveryBody({ id: 9001, event, target }, data));
		expect(status).toBe(200);
		release();
		await published;
		expect(n8n.runs.map(({ outputs }) => outputs[0])).toMatchObject([[{ event, data }]]);
	},
);

test('a changed webhook path replaces every webhook', async () => {
	await onItsOwnClock(async () => {
		await n8n.publish(n8n.node({ events: PAIR }));
		await n8n.publish(n8n.node({ events: PAIR }, { webhookId: 'another' }));
		await sleep(LATER);
		const targets = n8n.service.state.hooks.map(({ target }) => target);
		expect(targets).toHaveLength(2);
		for (const target of targets) expect(target).toContain('/webhook/another/');
		expect(await deliverChange()).toEqual([200]);
		expect(n8n.runs).toHaveLength(1);
	});
});

test('publishing in a copy of n8n under another path of the same host keeps the webhooks of the original, and the log names them', async () => {
	await onItsOwnClock(async () => {
		await n8n.publish(n8n.node({ events: PAIR }));
		const { hooks } = n8n;
		n8n.address += '/copy';
		await n8n.unpublish();
		await n8n.publish(n8n.node({ events: PAIR }));
		await sleep(LATER);
		expect(n8n.hooks).toMatchObject(hooks);
		for (const id of Object.keys(hooks)) expect(n8n.warnings.join()).toContain(`Webhook ${id} (`);
	});
});

test('publishing without an event fails with a message and a hint, and sends no request', async () => {
	await expect(n8n.publish(n8n.node({ events: [] }))).rejects.toMatchObject({
		message: "No event is chosen under 'Trigger On'. Choose at least one event",
	});
	expect(n8n.requests).toEqual([]);
});

test('an expression may return the events of Trigger On as text with commas', async () => {
	const events = '={{ "feedback.removed, contact.unsubscribed" }}';
	await n8n.publish(n8n.node({ events }));
	expect(Object.values(n8n.hooks)).toEqual(['feedback.removed', 'contact.unsubscribed']);
});

test('publishing fails with the name of an event that the service does not know', async () => {
	const events = '={{ "feedback.nope, feedback.removed" }}';
	await expect(n8n.publish(n8n.node({ events }))).rejects.toThrow(
		/^Could not subscribe to 'feedback.nope': /,
	);
});

test('a list in another notation in Trigger On fails publishing, and sends no request', async () => {
	const events = '={{ "feedback.removed; tag.merged" }}';
	await expect(n8n.publish(n8n.node({ events }))).rejects.toThrow(
		/^'Trigger On' looks like a list in another notation/,
	);
	expect(n8n.requests).toEqual([]);
});

test('creates webhooks at a changed base URL, and removes none there by an ID of the earlier service', async () => {
	await n8n.publish(n8n.node({ events: PAIR }));
	const other = await EmulatedN8n.open();
	other.service.state.hooks.length = 0;
	await onItsOwnClock(async () => {
		await n8n.unpublish();
		n8n.baseUrl = other.service.url;
		n8n.service.requests.length = 0;
		await n8n.publish(n8n.node({ events: PAIR }));
		await sleep(LATER);
	});
	expect(Object.values(other.hooks)).toEqual(PAIR);
	expect(n8n.requests).toEqual([]);
	expect(await deliverChange()).toEqual([401]);
	expect(n8n.runs).toHaveLength(0);
	expect(n8n.warnings.join()).toContain('another base URL');
	await other.close();
});
