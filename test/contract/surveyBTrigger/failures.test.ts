import { onItsOwnClock } from '../../support/clock.mts';
import { FIVE, happen, stage, withStage } from './stage';

withStage();

const POSTS = { method: 'POST', path: /hooks$/ };

test('a failed publish removes the webhooks that it created, and the error says why', async () => {
	const body = { target: ['Enter a valid URL.'] };
	stage.service.faults.add({ ...POSTS, skip: 2, kind: { status: 400, body } });
	const node = stage.node({ events: FIVE });
	await expect(stage.publish(node)).rejects.toMatchObject({
		message: "Could not subscribe to 'tag.merged': 'Target': Enter a valid URL. (HTTP 400)",
	});
	expect(stage.hooks).toEqual({});
	expect(stage.warnings).toEqual([]);

	await stage.unpublish();
	await stage.publish(node);
	expect(Object.values(stage.hooks)).toEqual(FIVE);
});

test('a publish that fails half-way reuses the webhooks that it could not remove', async () => {
	await onItsOwnClock(async () => {
		stage.service.settings.hookDeletion = 404;
		stage.activationTries = 5;
		const kind = { status: 403, body: { detail: 'Forbidden' } };
		const isThird = {
			...POSTS,
			when: ({ body }: { body?: unknown }) => Object(body).event === FIVE[2],
		};
		stage.service.faults.add({ ...isThird, kind, times: 10 });
		const node = stage.node({ events: FIVE });
		await expect(stage.publish(node)).rejects.toThrow('HTTP 403');
		expect(Object.keys(stage.hooks)).toHaveLength(2);
		for (const id of Object.keys(stage.hooks)) expect(stage.warnings.join()).toContain(`${id} (`);
		await expect(stage.publish(node)).rejects.toThrow('HTTP 403');
		expect(Object.keys(stage.hooks)).toHaveLength(2);
		stage.service.faults.clear();
		await stage.publish(node);
		expect(Object.values(stage.hooks).sort()).toEqual([...FIVE].sort());
		expect(await happen()).toEqual([200]);
		expect(stage.runs).toHaveLength(1);
	});
});

test('the trigger receives events after a user removed an unremovable webhook by hand', async () => {
	stage.service.settings.hookDeletion = 404;
	const node = stage.node({ events: ['feedback.removed'] });
	await stage.publish(node);
	await stage.unpublish();
	await stage.publish(node);
	expect(await happen()).toContain(200);
	const [byHand] = Object.keys(stage.hooks);
	await stage.unpublish();
	expect(stage.warnings.join()).toContain(`Webhook ${byHand} (`);
	stage.service.state.hooks = stage.service.state.hooks.filter(({ id }) => String(id) !== byHand);
	const later = Date.now() + 20 * 60 * 1000;
	jest.spyOn(Date, 'now').mockReturnValue(later);
	await stage.publish(node);
	expect(await happen()).toContain(200);
	expect(stage.runs).toHaveLength(2);
});

test.each([404, 405] as const)(
	'two live webhooks of one event start one run if DELETE is answered %i',
	async (hookDeletion) => {
		stage.service.settings.hookDeletion = hookDeletion;
		const node = stage.node({ events: ['feedback.removed'] });
		await stage.publish(node);
		await stage.unpublish();
		const later = Date.now() + 20 * 60 * 1000;
		jest.spyOn(Date, 'now').mockReturnValue(later);
		await stage.publish(node);
		expect(await happen()).toEqual([200, 200]);
		expect(stage.runs).toHaveLength(1);
		await stage.restart();
		expect(await happen()).toEqual([200, 200]);
		expect(stage.runs).toHaveLength(2);
	},
);

test('a webhook whose creation got no response is logged, and removed once it has delivered', async () => {
	stage.service.faults.add({ ...POSTS, kind: 'reset-after' });
	const node = stage.node({ events: ['feedback.removed'] });
	await expect(stage.publish(node)).rejects.toThrow("Could not subscribe to 'feedback.removed'");
	expect(stage.warnings.join()).toContain('Webhook of unknown ID (feedback.removed)');
	await stage.publish(node);
	expect(await happen()).toEqual([200, 200]);
	expect(stage.runs).toHaveLength(1);
	await stage.unpublish();
	expect(stage.hooks).toEqual({});
});

test('410 proves that a webhook no longer exists', async () => {
	await stage.publish(stage.node({ events: ['feedback.removed'] }));
	const kind = { status: 410, body: { detail: 'Gone' } };
	stage.service.faults.add({ method: 'DELETE', kind });
	await stage.unpublish();
	expect(stage.warnings).toEqual([]);
	expect(stage.saved).toMatchObject({ 'node:Survey B Trigger': { live: { webhooks: [] } } });
});

test('retries removing a webhook after a temporary error', async () => {
	const node = stage.node({ events: ['feedback.removed'] });
	await stage.publish(node);
	const kind = { status: 503, body: { detail: 'Maintenance' } };
	stage.service.faults.add({ method: 'DELETE', kind, times: 4 });
	await stage.unpublish();
	expect(Object.keys(stage.hooks)).toHaveLength(1);
	await stage.publish(node);
	await stage.unpublish();
	expect(stage.hooks).toEqual({});
});

test('remembers a webhook whose removal was rate-limited, and forgets one whose removal was refused', async () => {
	const refuse = (status: number, headers = {}) =>
		stage.service.faults.add({
			method: 'DELETE',
			kind: { status, headers, body: { detail: 'No' } },
		});
	await stage.publish(stage.node({ events: ['feedback.removed', 'tag.merged'] }));
	refuse(403);
	// Longer than the trigger waits.
	refuse(429, { 'retry-after': '61' });
	await stage.unpublish();
	expect(Object(stage.saved['node:Survey B Trigger']).live.webhooks).toHaveLength(1);
});

test('logs no warning for a webhook that no longer exists if the service removes others', async () => {
	await stage.publish(stage.node({ events: ['feedback.removed', 'tag.merged'] }));
	stage.service.state.hooks.shift();
	await stage.unpublish();
	expect(stage.hooks).toEqual({});
	expect(stage.warnings).toEqual([]);
});

test('the token appears in no error and in no log, even if the service repeats the target', async () => {
	const body: Record<string, string[]> = {};
	const when = (request: { body?: unknown }) => {
		body.target = [`Refused: ${JSON.stringify(request.body)}`];
		return true;
	};
	stage.service.faults.add({ ...POSTS, when, skip: 1, kind: { status: 400, body } });
	stage.service.settings.hookDeletion = 405;
	const error: unknown = await stage.publish(stage.node({ events: FIVE })).catch((e: unknown) => e);
	const token = String(stage.service.state.hooks[0]?.target).split('token=')[1] ?? '';
	expect(token).toHaveLength(43);
	expect(body.target?.[0]).toContain(token);
	expect(JSON.stringify(error) + String(error)).toContain('token=***');
	expect(JSON.stringify(error) + String(error) + stage.log).not.toContain(token);
});

test('a webhook ID of megabytes is not stored, neither from a response nor from a delivery', async () => {
	const id = 'x'.repeat(3_000_000);
	stage.service.faults.add({ ...POSTS, kind: { status: 201, body: { id } } });
	const node = stage.node({ events: ['feedback.removed'] });
	await expect(stage.publish(node)).rejects.toThrow(
		"Could not subscribe to 'feedback.removed': Survey B returned an unexpected response",
	);
	const size = () => JSON.stringify(stage.saved).length;
	expect(size()).toBeLessThan(2_000);

	await stage.unpublish();
	await stage.publish(node);
	const [{ rawBody = '' } = {}] = stage.service.requests;
	const { target } = JSON.parse(rawBody);
	// n8n itself takes no body of megabytes here.
	const hook = { id: id.slice(0, 50_000), event: 'feedback.removed', target };
	expect((await stage.post(target, { hook, data: { id: 1 } })).status).toBe(200);
	expect(size()).toBeLessThan(2_000);
});
