import { onItsOwnClock } from '../../support/clock.mts';
import { FIVE, deliverChange, n8n, useEmulatedN8n } from './emulatedN8n';

useEmulatedN8n();

/** Returns the earlier webhooks that the static data lists. */
const remembered = () =>
	Object(n8n.saved.global).surveyBTrigger.nodes.flatMap((node: object) => Object(node).leftovers);

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
	expect(Object.values(n8n.hooks).sort()).toEqual([...FIVE].sort());
});

test('the tries of a failing publish do not leave more and more webhooks that cannot be removed', async () => {
	await onItsOwnClock(async () => {
		n8n.service.settings.hookDeletion = 404;
		n8n.activationTries = 5;
		const kind = { status: 403, body: { detail: 'Forbidden' } };
		const when = ({ body }: { body?: unknown }) => Object(body).event === FIVE[2];
		n8n.service.faults.add({ ...POSTS, when, kind, times: 10 });
		const node = n8n.node({ events: FIVE });
		for (let round = 0; round < 2; round++) {
			await expect(n8n.publish(node)).rejects.toThrow('HTTP 403');
			expect(Object.keys(n8n.hooks)).toHaveLength(2);
		}
		for (const id of Object.keys(n8n.hooks)) expect(n8n.warnings.join()).toContain(`${id} (`);
		await n8n.publish(node);
		expect(await deliverChange(FIVE[2])).toEqual([200]);
	});
});

test('a publish that Survey B limits for longer than n8n waits fails at once, and says when to try again', async () => {
	n8n.service.faults.add({ kind: { status: 429, headers: { 'retry-after': '61' } } });
	await expect(n8n.publish(n8n.node({ events: FIVE }))).rejects.toMatchObject({
		description: 'Try again in 61 s',
	});
	expect(n8n.requests).toHaveLength(1);
});

test.each([
	['is gone, and is not logged', 410, 'Gone', undefined, 0],
	['may exist: a response with 200 has an error', 200, 'Not found.', /did not confirm/, 1],
	['may exist: the request was refused', 403, 'No', /\(HTTP 403\)\. If it exists, remove it/, 0],
	[
		'may exist: requests are limited',
		429,
		'No',
		/It is tried again .*\. If it exists, remove it/,
		1,
	],
])('a webhook that is to be removed %s (%i)', async (_, status, detail, warning, left) => {
	await n8n.publish(n8n.node({ events: ['feedback.removed'] }));
	// Longer than the trigger waits.
	const kind = { status, headers: { 'retry-after': '61' }, body: { detail } };
	n8n.service.faults.add({ method: 'DELETE', kind });
	await n8n.unpublish();
	const warnings = warning ? [expect.stringMatching(/may still exist/)] : [];
	expect(n8n.warnings).toEqual(warnings);
	expect(n8n.warnings.join()).toMatch(warning ?? '');
	expect(remembered()).toHaveLength(left);
});

test('publishing again takes less than the 84 s after which n8n cancels it, although removing webhooks is rate-limited', async () => {
	await n8n.publish(n8n.node({ events: FIVE }));
	const kind = { status: 429, headers: { 'retry-after': '42' }, body: { detail: 'No' } };
	n8n.service.faults.add({ method: 'DELETE', times: Infinity, kind });
	await onItsOwnClock(async () => {
		const begun = Date.now();
		await n8n.publish(n8n.node({ events: ['tag.merged'] }));
		expect(Date.now() - begun).toBeLessThan(84_000);
	});
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

test('a publish does not remove a webhook that could not be removed before and that the service returns again', async () => {
	n8n.service.settings.equalWebhook = 'existing';
	const node = n8n.node({ events: ['feedback.removed'] });
	await n8n.publish(node);
	n8n.service.faults.add({ method: 'DELETE', kind: 'reset-before', times: 4 });
	await n8n.unpublish();
	expect(remembered()).toHaveLength(1);
	await n8n.publish(node);
	expect(await deliverChange()).toEqual([200]);
});

test('a webhook whose creation got no response is logged, and starts no second run', async () => {
	n8n.service.faults.add({ ...POSTS, kind: 'reset-after' });
	const node = n8n.node({ events: ['feedback.removed'] });
	await expect(n8n.publish(node)).rejects.toThrow("Could not subscribe to 'feedback.removed'");
	expect(n8n.warnings.join()).toContain('Webhook of unknown ID (feedback.removed)');
	await n8n.publish(node);
	expect(await deliverChange()).toEqual([200, 200]);
	expect(n8n.runs).toHaveLength(1);
});

test('a webhook ID of 40,000 characters fails the publish, and is not stored [long-id]', async () => {
	const [event = ''] = FIVE;
	const body = { id: 'x'.repeat(40_000), event, target: 'https://example.com' };
	n8n.service.faults.add({ ...POSTS, times: Infinity, kind: { status: 201, body } });
	await expect(n8n.publish(n8n.node({ events: [event] }))).rejects.toThrow(event);
	expect(JSON.stringify(n8n.saved).length).toBeLessThan(10_000);
});
