import { passTime } from '../../support/clock.mts';
import { n8n, useEmulatedN8n } from './emulatedN8n';

// Several processes of n8n, such as the webhook processors of queue mode, and their clocks.

useEmulatedN8n();

const TAGS = 'feedback.tags_added_or_changed';
const DAY = 24 * 60 * 60 * 1000;

async function delivered(event: string, data: object): Promise<number> {
	const before = n8n.runs.length;
	const [response] = await n8n.service.deliver(event, data);
	expect(response?.status).toBe(200);
	return n8n.runs.length - before;
}

const scored = (score: number) => ({ id: 1, score });

test('a change back is a change although another process held back the change between', async () => {
	await n8n.publish(n8n.node({ events: [TAGS], filters: { maxScore: 6 } }));
	expect(await delivered(TAGS, scored(3))).toBe(1);
	await n8n.switchProcess();
	expect(await delivered(TAGS, scored(9))).toBe(0);
	await n8n.switchProcess();
	expect(await delivered(TAGS, scored(3))).toBe(1);
	await n8n.switchProcess();
	expect(await delivered(TAGS, scored(3))).toBe(0);
});

test('a process whose deliveries another one has overwritten saves them again with its next delivery', async () => {
	await n8n.publish(n8n.node({ events: [TAGS] }));
	expect(await delivered(TAGS, { id: 1, tags: ['a'] })).toBe(1);
	await n8n.switchProcess();
	expect(await delivered(TAGS, { id: 2, tags: ['b'] })).toBe(1);
	const { saved } = n8n;
	await n8n.switchProcess();
	expect(await delivered(TAGS, { id: 3, tags: ['c'] })).toBe(1);
	// The other process saves at the same time, without this delivery.
	n8n.saved = saved;
	expect(await delivered(TAGS, { id: 1, tags: ['a'] })).toBe(0);
	await n8n.switchProcess();
	expect(await delivered(TAGS, { id: 3, tags: ['c'] })).toBe(0);
});

test('a change back runs although the process that held back the change between has not seen the first run', async () => {
	await n8n.publish(n8n.node({ events: [TAGS], filters: { maxScore: 6 } }));
	// Both processes have saved beside each other.
	for (const id of [8, 9]) {
		await delivered(TAGS, { id, score: 1 });
		await n8n.switchProcess();
	}
	await delivered(TAGS, { id: 8, score: 2 });
	await n8n.switchProcess();
	await delivered(TAGS, { id: 9, score: 2 });
	await n8n.switchProcess();
	const { saved } = n8n;
	expect(await delivered(TAGS, scored(3))).toBe(1);
	n8n.saved = saved;
	await n8n.switchProcess();
	expect(await delivered(TAGS, scored(9))).toBe(0);
	await n8n.switchProcess();
	expect(await delivered(TAGS, scored(3))).toBe(1);
});

test('a clock that was a day ahead makes no later change a repeat', async () => {
	const event = 'contact.unsubscribed';
	const contact = { id: 1, email: 'person@example.com' };
	await n8n.publish(n8n.node({ events: [event] }));
	passTime(DAY);
	expect(await delivered(event, contact)).toBe(1);
	jest.restoreAllMocks();
	expect(await delivered(event, contact)).toBe(1);
	expect(await delivered(event, contact)).toBe(0);
	passTime(2 * 60 * 60 * 1000);
	expect(await delivered(event, contact)).toBe(1);
});

test('unsubscribed contacts without an ID are told apart by their email', async () => {
	const event = 'contact.unsubscribed';
	await n8n.publish(n8n.node({ events: [event] }));
	const [one, other] = ['one@example.com', 'other@example.com'].map((email) => ({ email }));
	expect(await delivered(event, Object(one))).toBe(1);
	expect(await delivered(event, Object(other))).toBe(1);
	expect(await delivered(event, Object(one))).toBe(0);
});

test('50 calls with guessed tokens while the credential cannot be read add one line to the log', async () => {
	await n8n.publish(n8n.node({ events: [TAGS] }));
	n8n.hasCredential = false;
	const [hook] = n8n.service.state.hooks;
	const [address = ''] = String(hook?.target).split('?');
	for (let i = 0; i < 50; i++) {
		const { status } = await n8n.post(`${address}?token=guess${i}`, {
			hook: { ...hook, target: address },
			data: scored(1),
		});
		expect(status).not.toBe(200);
	}
	const lines = n8n.messages.filter((message) => message.includes('could not be handled'));
	expect(lines).toHaveLength(1);
});
