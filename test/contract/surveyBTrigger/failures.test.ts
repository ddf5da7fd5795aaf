import { sleep } from 'n8n-workflow';

import { onItsOwnClock } from '../../support/clock.mts';
import { FIVE, deliverChange, n8n, useEmulatedN8n } from './emulatedN8n';

useEmulatedN8n();

const POSTS = { method: 'POST', path: /hooks$/ };

test('a failed publish removes the webhooks that it created, and the error says why', async () => {
	const body = { target: ['Enter a valid URL.'] };
	n8n.service.faults.add({ ...POSTS, skip: 2, kind: { status: 400, body } });
	const node = n8n.node({ events: FIVE });
	await expect(n8n.publish(node)).rejects.toMatchObject({
		message: "Could not subscribe to 'tag.merged': 'Target': Enter a valid URL. (HTTP 400)",
	});
	expect(n8n.hooks).toEqual({});
	expect(n8n.warnings).toEqual([]);

	await n8n.unpublish();
	await n8n.publish(node);
	expect(Object.values(n8n.hooks)).toEqual(FIVE);
});

test('a publish that fails half-way reuses the webhooks that it could not remove', async () => {
	await onItsOwnClock(async () => {
		n8n.service.settings.hookDeletion = 404;
		n8n.activationTries = 5;
		const kind = { status: 403, body: { detail: 'Forbidden' } };
		const isThird = {
			...POSTS,
			when: ({ body }: { body?: unknown }) => Object(body).event === FIVE[2],
		};
		n8n.service.faults.add({ ...isThird, kind, times: 10 });
		const node = n8n.node({ events: FIVE });
		await expect(n8n.publish(node)).rejects.toThrow('HTTP 403');
		expect(Object.keys(n8n.hooks)).toHaveLength(2);
		for (const id of Object.keys(n8n.hooks)) expect(n8n.warnings.join()).toContain(`${id} (`);
		await expect(n8n.publish(node)).rejects.toThrow('HTTP 403');
		expect(Object.keys(n8n.hooks)).toHaveLength(2);
		n8n.service.faults.clear();
		await n8n.publish(node);
		expect(Object.values(n8n.hooks).sort()).toEqual([...FIVE].sort());
		expect(await deliverChange()).toEqual([200]);
		expect(n8n.runs).toHaveLength(1);
	});
});

test('a start that fails half-way after a key rotation reuses the webhooks that it could not remove', async () => {
	await onItsOwnClock(async () => {
		const events = [FIVE[0], FIVE[1]];
		n8n.service.settings.hookDeletion = 405;
		await n8n.publish(n8n.node({ events }));
		n8n.apiKey = n8n.service.apiKey = 'another-example-key';
		n8n.activationTries = 5;
		const isSecond = ({ body }: { body?: unknown }) => Object(body).event === FIVE[1];
		const kind = { status: 403, body: { detail: 'Forbidden' } };
		n8n.service.faults.add({ ...POSTS, when: isSecond, kind, times: 10 });
		await expect(n8n.restart()).rejects.toThrow('HTTP 403');
		expect(Object.keys(n8n.hooks)).toHaveLength(3);
	});
});

test('the trigger receives events after a user removed an unremovable webhook by hand', async () => {
	n8n.service.settings.hookDeletion = 404;
	const node = n8n.node({ events: ['feedback.removed'] });
	await n8n.publish(node);
	await n8n.unpublish();
	await n8n.publish(node);
	expect(await deliverChange()).toContain(200);
	const [byHand] = Object.keys(n8n.hooks);
	await n8n.unpublish();
	expect(n8n.warnings.join()).toContain(
		`Webhook ${byHand} (feedback.removed) may still exist in Survey B, which did not confirm its removal`,
	);
	n8n.service.state.hooks = n8n.service.state.hooks.filter(({ id }) => String(id) !== byHand);
	const later = Date.now() + 20 * 60 * 1000;
	jest.spyOn(Date, 'now').mockReturnValue(later);
	await n8n.publish(node);
	expect(await deliverChange()).toContain(200);
	expect(n8n.runs).toHaveLength(2);
});

test.each([
	[299, 1],
	[300, 2],
])(
	'publishing %i s after an unremovable webhook was created leaves %i webhook(s)',
	async (seconds, count) => {
		await onItsOwnClock(async () => {
			n8n.service.settings.hookDeletion = 404;
			const node = n8n.node({ events: ['feedback.removed'] });
			await n8n.publish(node);
			await n8n.unpublish();
			await sleep(seconds * 1000);
			await n8n.publish(node);
			expect(Object.keys(n8n.hooks)).toHaveLength(count);
		});
	},
);

test.each([404, 405] as const)(
	'two live webhooks of one event start one run if DELETE is answered %i',
	async (hookDeletion) => {
		n8n.service.settings.hookDeletion = hookDeletion;
		const node = n8n.node({ events: ['feedback.removed'] });
		await n8n.publish(node);
		await n8n.unpublish();
		const later = Date.now() + 20 * 60 * 1000;
		jest.spyOn(Date, 'now').mockReturnValue(later);
		await n8n.publish(node);
		expect(await deliverChange()).toEqual([200, 200]);
		expect(n8n.runs).toHaveLength(1);
		await n8n.restart();
		expect(await deliverChange()).toEqual([200, 200]);
		expect(n8n.runs).toHaveLength(2);
	},
);

test('a webhook whose creation got no response is logged, and removed once it has delivered', async () => {
	n8n.service.faults.add({ ...POSTS, kind: 'reset-after' });
	const node = n8n.node({ events: ['feedback.removed'] });
	await expect(n8n.publish(node)).rejects.toThrow("Could not subscribe to 'feedback.removed'");
	expect(n8n.warnings.join()).toContain('Webhook of unknown ID (feedback.removed)');
	await n8n.publish(node);
	expect(await deliverChange()).toEqual([200, 200]);
	expect(n8n.runs).toHaveLength(1);
	await n8n.unpublish();
	expect(n8n.hooks).toEqual({});
});

test('410 proves that a webhook no longer exists', async () => {
	await n8n.publish(n8n.node({ events: ['feedback.removed'] }));
	const kind = { status: 410, body: { detail: 'Gone' } };
	n8n.service.faults.add({ method: 'DELETE', kind });
	await n8n.unpublish();
	expect(n8n.warnings).toEqual([]);
	expect(n8n.saved).toMatchObject({ 'node:Survey B Trigger': { live: { webhooks: [] } } });
});

test.each([
	['a temporary error', { status: 503, body: { detail: 'Maintenance' } }],
	['a lost connection', 'reset-before' as const],
])('retries removing a webhook after %s', async (_, kind) => {
	const node = n8n.node({ events: ['feedback.removed'] });
	await n8n.publish(node);
	n8n.service.faults.add({ method: 'DELETE', kind, times: 4 });
	await n8n.unpublish();
	expect(Object.keys(n8n.hooks)).toHaveLength(1);
	await n8n.publish(node);
	await n8n.unpublish();
	expect(n8n.hooks).toEqual({});
});

test('remembers a webhook whose removal was rate-limited, and forgets one whose removal was refused', async () => {
	const refuse = (status: number, headers = {}) =>
		n8n.service.faults.add({
			method: 'DELETE',
			kind: { status, headers, body: { detail: 'No' } },
		});
	await n8n.publish(n8n.node({ events: ['feedback.removed', 'tag.merged', 'tag.removed'] }));
	refuse(403);
	// Longer than the trigger waits.
	refuse(429, { 'retry-after': '61' });
	await n8n.unpublish();
	expect(Object(n8n.saved['node:Survey B Trigger']).live.webhooks).toHaveLength(1);
	expect(n8n.warnings.filter((line) => line.includes('may still exist'))).toHaveLength(2);
});

test('logs no warning for a webhook that no longer exists if the service removes others', async () => {
	await n8n.publish(n8n.node({ events: ['feedback.removed', 'tag.merged'] }));
	const gone = n8n.service.state.hooks.shift();
	const other = n8n.service.state.hooks[0];
	await n8n.unpublish();
	expect(n8n.hooks).toEqual({});
	expect(n8n.warnings).toEqual([]);
	expect(n8n.messages).toEqual(
		expect.arrayContaining([
			`Webhook ${gone?.id} (${gone?.event}) no longer exists in Survey B`,
			`Webhook ${other?.id} (${other?.event}) was removed from Survey B`,
		]),
	);
});

test('the token appears in no error and in no log, even if the service repeats the target', async () => {
	const body: Record<string, string[]> = {};
	const when = (request: { body?: unknown }) => {
		body.target = [`Refused: ${JSON.stringify(request.body)}`];
		return true;
	};
	n8n.service.faults.add({ ...POSTS, when, skip: 1, kind: { status: 400, body } });
	n8n.service.settings.hookDeletion = 405;
	const error: unknown = await n8n.publish(n8n.node({ events: FIVE })).catch((e: unknown) => e);
	const token = String(n8n.service.state.hooks[0]?.target).split('token=')[1] ?? '';
	expect(token).toHaveLength(43);
	expect(body.target?.[0]).toContain(token);
	expect(JSON.stringify(error) + String(error)).toContain('token=***');
	expect(JSON.stringify(error) + String(error) + n8n.log).not.toContain(token);
});

test('a webhook ID of megabytes is not stored, neither from a response nor from a delivery', async () => {
	const id = 'x'.repeat(3_000_000);
	n8n.service.faults.add({ ...POSTS, kind: { status: 201, body: { id } } });
	const node = n8n.node({ events: ['feedback.removed'] });
	await expect(n8n.publish(node)).rejects.toThrow(
		"Could not subscribe to 'feedback.removed': Survey B returned an unexpected response",
	);
	const size = () => JSON.stringify(n8n.saved).length;
	expect(size()).toBeLessThan(2_000);

	await n8n.unpublish();
	await n8n.publish(node);
	const [{ rawBody = '' } = {}] = n8n.service.requests;
	const { target } = JSON.parse(rawBody);
	// n8n itself takes no body of megabytes here.
	const hook = { id: id.slice(0, 50_000), event: 'feedback.removed', target };
	expect((await n8n.post(target, { hook, data: { id: 1 } })).status).toBe(200);
	expect(size()).toBeLessThan(2_000);
});
