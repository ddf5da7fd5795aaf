import { onItsOwnClock, passTime } from '../../support/clock.mts';
import { whatCanGoOn } from '../../support/hold.mts';
import { n8n, useEmulatedN8n } from './emulatedN8n';

// Several processes of n8n, such as the webhook processors of queue mode, and their clocks. Each remembers its own deliveries.

useEmulatedN8n();

const TAGS = 'feedback.tags_added_or_changed';
const CHANGED = 'feedback.added_or_changed';
const DAY = 24 * 60 * 60 * 1000;

async function delivered(event: string, data: object): Promise<number> {
	const before = n8n.runs.length;
	const [response] = await n8n.service.deliver(event, data);
	expect(response?.status).toBe(200);
	return n8n.runs.length - before;
}

const scored = (score: number) => ({ id: 1, score });

test.each([
	['had', 9],
	['held back', 3],
])(
	'a change back runs although another webhook processor %s the change between',
	async (_, most) => {
		await n8n.publish(n8n.node({ events: [TAGS], filters: { maxScore: most } }));
		await n8n.useProcessor(0);
		expect(await delivered(TAGS, scored(3))).toBe(1);
		await n8n.useProcessor(1);
		expect(await delivered(TAGS, scored(9))).toBe(most === 9 ? 1 : 0);
		await n8n.useProcessor(0);
		expect(await delivered(TAGS, scored(3))).toBe(1);
	},
);

test('a webhook processor ignores a repeat of its own whose data has the date of the change', async () => {
	await n8n.publish(n8n.node({ events: [CHANGED] }));
	const answer = { ...scored(3), score_changed: '2026-01-01T00:00:00.000000Z' };
	await n8n.useProcessor(0);
	expect(await delivered(CHANGED, answer)).toBe(1);
	expect(await delivered(CHANGED, answer)).toBe(0);
});

test('a webhook processor starts one run for equal deliveries of the same moment that have no date', async () => {
	await n8n.publish(n8n.node({ events: [TAGS] }));
	await n8n.useProcessor(0);
	n8n.service.settings.deliveryRepeats = 3;
	let store = () => {};
	const stored = new Promise<void>((resolve) => (store = resolve));
	n8n.store = async () => await stored;
	const deliveries = n8n.service.deliver(TAGS, scored(3));
	await whatCanGoOn();
	store();
	expect((await deliveries).map(({ status }) => status)).toEqual([200, 200, 200]);
	expect(n8n.runs).toHaveLength(1);
});

test('a delivery does not write the list of webhooks, so that no process overwrites it with an earlier one', async () => {
	await n8n.publish(n8n.node({ events: [TAGS] }));
	const { saved } = n8n;
	await n8n.useProcessor(0);
	await delivered(TAGS, scored(3));
	n8n.useMain();
	await delivered(TAGS, scored(4));
	expect(n8n.saved).toBe(saved);
});

test('an edit creates the webhooks anew that another main process replaced while it led', async () => {
	await onItsOwnClock(async () => {
		for (const routeBy of ['none', 'scoreType', 'none']) {
			await n8n.publish(n8n.node({ events: [TAGS], routeBy }));
			await n8n.changeLeader();
		}
		expect(Object.values(n8n.hooks)).toEqual([TAGS]);
		expect(await delivered(TAGS, scored(3))).toBe(1);
	});
});

test('a clock that was a day ahead makes no later change a repeat', async () => {
	const event = 'contact.unsubscribed';
	const contact = { id: 1, email: 'person@example.com' };
	await n8n.publish(n8n.node({ events: [event] }));
	passTime(DAY);
	expect(await delivered(event, contact)).toBe(1);
	jest.restoreAllMocks();
	expect(await delivered(event, contact)).toBe(0);
	const { now } = performance;
	const later = now.call(performance) + 2 * 60 * 60 * 1000;
	jest.spyOn(performance, 'now').mockReturnValue(later);
	expect(await delivered(event, contact)).toBe(1);
});

test('the deletion of a feedback response starts one run, although its delivery comes again after a day', async () => {
	const event = 'feedback.removed';
	await n8n.publish(n8n.node({ events: [event] }));
	expect(await delivered(event, scored(3))).toBe(1);
	const later = performance.now() + DAY;
	jest.spyOn(performance, 'now').mockReturnValue(later);
	expect(await delivered(event, scored(3))).toBe(0);
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
