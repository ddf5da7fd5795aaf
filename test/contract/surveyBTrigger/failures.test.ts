import { FIVE, happen, stage, withStage } from './stage';

withStage();

const POSTS = { method: 'POST', path: /hooks$/ };

test('half-made registrations are taken back, and the node says why', async () => {
	const body = { target: ['Enter a valid URL.'] };
	stage.service.faults.add({ ...POSTS, skip: 2, kind: { status: 400, body } });
	const node = stage.node({ events: FIVE });
	await expect(stage.publish(node)).rejects.toMatchObject({
		message: "Could not subscribe to 'tag.merged': target: Enter a valid URL. (HTTP 400)",
	});
	expect(stage.hooks).toEqual({});
	expect(stage.warnings).toEqual([]);

	await stage.unpublish();
	await stage.publish(node);
	expect(Object.values(stage.hooks)).toEqual(FIVE);
});

test('what could not be taken back is told by ID, and its deliveries are dropped', async () => {
	stage.service.settings.hookDeletion = 404;
	stage.service.faults.add({
		...POSTS,
		skip: 2,
		kind: { status: 403, body: { detail: 'Forbidden' } },
	});
	const node = stage.node({ events: FIVE });
	await expect(stage.publish(node)).rejects.toThrow('HTTP 403');
	const left = Object.keys(stage.hooks);
	expect(left).toHaveLength(2);
	for (const id of left) expect(stage.log).toContain(`${id} (`);

	await stage.unpublish();
	await stage.publish(node);
	expect(await happen()).toEqual([200, 200]);
	expect(stage.runs).toHaveLength(1);
});

test('where DELETE is answered 405, what is there is used again: one subscription, one run a change', async () => {
	stage.service.settings.hookDeletion = 405;
	const node = stage.node({ events: ['feedback.removed', 'tag.merged'] });
	await stage.publish(node);
	const { hooks } = stage;
	for (const round of [1, 2, 3]) {
		await stage.unpublish();
		await stage.publish(node);
		expect(stage.hooks).toEqual(hooks);
		expect(await happen()).toEqual([200]);
		expect(stage.runs).toHaveLength(round);
	}
	await stage.restart();
	expect(stage.hooks).toEqual(hooks);
	const later = Date.now() + 25 * 60 * 60 * 1000;
	jest.spyOn(Date, 'now').mockReturnValue(later);
	await stage.unpublish();
	await stage.publish(node);
	expect(stage.hooks).toEqual(hooks);
	for (const id of Object.keys(hooks)) {
		expect(stage.log).toContain(`Webhook ${id} (`);
		expect(stage.log).toMatch(
			new RegExp(`Webhook ${id} \\([a-z.]+\\) of Survey B, which could not`),
		);
	}
});

test('DELETE is answered 404: still one run a change', async () => {
	stage.service.settings.hookDeletion = 404;
	const node = stage.node({ events: ['feedback.removed'] });
	await stage.publish(node);
	await stage.unpublish();
	const [orphan] = Object.keys(stage.hooks);
	expect(stage.log).toContain(`${orphan} (feedback.removed)`);

	await stage.publish(node);
	expect(Object.keys(stage.hooks)).toHaveLength(2);
	expect(await happen()).toEqual([200, 200]);
	expect(stage.runs).toHaveLength(1);

	// The orphan has proved that it lives: it serves again, and no third one is made.
	await stage.unpublish();
	await stage.publish(node);
	expect(Object.keys(stage.hooks)).toHaveLength(2);
	expect(stage.log).toContain('is used again');
	expect(await happen()).toEqual([200, 200]);
	expect(stage.runs).toHaveLength(2);
	expect(stage.runs.at(-1)?.outputs[0]?.[0]).toMatchObject({ hook: { id: Number(orphan) } });

	await stage.restart();
	expect(await happen()).toEqual([200, 200]);
	expect(stage.runs).toHaveLength(3);
});

test('an orphan that proved its life long ago is not relied on', async () => {
	stage.service.settings.hookDeletion = 404;
	const node = stage.node({ events: ['feedback.removed'] });
	await stage.publish(node);
	await stage.unpublish();
	await stage.publish(node);
	await happen();
	const later = Date.now() + 25 * 60 * 60 * 1000;
	jest.spyOn(Date, 'now').mockReturnValue(later);
	await stage.unpublish();
	await stage.publish(node);
	expect(Object.keys(stage.hooks)).toHaveLength(3);
	await happen();
	expect(stage.runs).toHaveLength(2);
});

test.each([
	[404, [200, 200]],
	[405, [200]],
] as const)(
	'DELETE is answered %i: a renamed node has one run a change',
	async (hookDeletion, statuses) => {
		stage.service.settings.hookDeletion = hookDeletion;
		await stage.publish(stage.node({ events: ['feedback.removed'] }));
		await stage.publish(stage.node({ events: ['feedback.removed'] }, { name: 'Renamed' }));
		expect(await happen()).toEqual(statuses);
		expect(stage.runs).toHaveLength(1);
		await stage.restart();
		expect(await happen()).toEqual(statuses);
		expect(stage.runs).toHaveLength(2);
	},
);

test('a lost answer: the subscription nobody knows is recognised, dropped, and adopted', async () => {
	stage.service.faults.add({ ...POSTS, kind: 'reset-after' });
	const node = stage.node({ events: ['feedback.removed'] });
	await expect(stage.publish(node)).rejects.toThrow("Could not subscribe to 'feedback.removed'");
	const [lost] = Object.keys(stage.hooks);
	expect(stage.log).toContain('Webhook of unknown ID (feedback.removed)');
	await stage.unpublish();
	await stage.publish(node);
	expect(await happen()).toEqual([200, 200]);
	expect(stage.runs).toHaveLength(1);

	await stage.unpublish();
	await stage.publish(node);
	expect(Object.keys(stage.hooks)).toEqual([lost]);
	expect(await happen()).toEqual([200]);
	expect(stage.runs).toHaveLength(2);
});

test('410 proves that a subscription is gone', async () => {
	await stage.publish(stage.node({ events: ['feedback.removed'] }));
	const kind = { status: 410, body: { detail: 'Gone' } };
	stage.service.faults.add({ method: 'DELETE', kind });
	await stage.unpublish();
	expect(stage.warnings).toEqual([]);
	expect(stage.saved['node:Survey B Trigger']).toEqual({});
});

test('a removal that a passing fault was in the way of is tried again', async () => {
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

test('so is one that was refused as one of too many, and one that failed for good is not', async () => {
	const retries = () =>
		Object(stage.saved['node:Survey B Trigger']).live.orphans.map(
			({ retry }: { retry?: boolean }) => retry === true,
		);
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
	expect(retries().sort()).toEqual([false, true]);
});

test('no message and no log carries a token, even where the service repeats the target', async () => {
	const body: Record<string, string[]> = {};
	const when = (request: { body?: unknown }) => {
		body.target = [`Refused: ${JSON.stringify(request.body)}`];
		return true;
	};
	stage.service.faults.add({ ...POSTS, when, skip: 1, kind: { status: 400, body } });
	stage.service.settings.hookDeletion = 405;
	const error: unknown = await stage.publish(stage.node({ events: FIVE })).catch((e: unknown) => e);
	const token = String(stage.service.state.hooks[0]?.target).split('token=')[1] ?? '';
	expect(token).toHaveLength(48);
	expect(body.target?.[0]).toContain(token);
	expect(JSON.stringify(error) + String(error)).toContain('token=***');
	expect(JSON.stringify(error) + String(error) + stage.log).not.toContain(token);
});

test('an ID of megabytes fills no workflow: neither as an answer nor in a delivery', async () => {
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
	expect(stage.runs).toEqual([]);
	expect(size()).toBeLessThan(2_000);
});
