import { holdNext } from '../../support/hold.mts';
import { FIVE, n8n, useEmulatedN8n } from './emulatedN8n';

// A webhook may deliver before the service has returned its ID.

useEmulatedN8n();

const [REMOVED = '', CHANGED = ''] = FIVE;
const POSTS = { method: 'POST', path: /hooks$/ };

interface HookRequest {
	event: string;
	target: string;
}

const isHookRequest = (body: unknown): body is HookRequest =>
	typeof Object(body).target === 'string';

/** Publishes two events, and returns before the response to a request. */
async function publishing({ held = 0 } = {}) {
	const { arrived, release } = holdNext(n8n.service.faults, { ...POSTS, skip: held });
	const published = n8n.publish(n8n.node({ events: [REMOVED, CHANGED] }));
	await arrived;
	const body = n8n.service.requests.at(-1)?.body;
	if (!isHookRequest(body)) throw new TypeError('the request has no target');
	const { target } = body;
	const deliver = async (event: string) =>
		await n8n.post(target, { hook: { id: 9001, event, target }, data: { id: 2001, score: 1 } });
	return { deliver, release, published };
}

test.each([
	[REMOVED, 0],
	[CHANGED, 0],
	[REMOVED, 1],
	[CHANGED, 1],
])('accepts %s before the response of request %i', async (event, held) => {
	const { deliver, release, published } = await publishing({ held });
	expect((await deliver(event)).status).toBe(200);
	expect(n8n.runs).toHaveLength(1);
	expect(n8n.runs[0]?.outputs[0]?.[0]).toMatchObject({ event, data: { id: 2001 } });
	release();
	await published;
	expect(n8n.runs).toHaveLength(1);
});

test('a webhook ID of 40,000 characters fails the publish, and is not stored', async () => {
	const body = { id: 'x'.repeat(40_000), event: REMOVED, target: 'https://example.com' };
	n8n.service.faults.add({ ...POSTS, times: Infinity, kind: { status: 201, body } });
	await expect(n8n.publish(n8n.node({ events: [REMOVED] }))).rejects.toThrow(REMOVED);
	expect(JSON.stringify(n8n.saved).length).toBeLessThan(10_000);
});
