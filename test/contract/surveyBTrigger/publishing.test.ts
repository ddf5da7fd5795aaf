import { sleep } from 'n8n-workflow';

import { EVENTS } from '../../../sandbox';
import { onItsOwnClock } from '../../support/clock.mts';
import { deliverChange, FIVE, n8n, useEmulatedN8n } from './emulatedN8n';

// How long publishing takes, and what it leaves at the service.

useEmulatedN8n();

const POSTS = { method: 'POST', path: /hooks$/ };

/** Returns how long work takes, in ms on the simulated clock. */
async function duration(work: () => Promise<unknown>): Promise<number> {
	const begun = Date.now();
	await work();
	return Date.now() - begun;
}

/** One more than there are events: of fewer, an edit would last into the next minute. */
const RATE = EVENTS.length + 1;

test(`publishing and editing a trigger of all ${EVENTS.length} events at ${RATE} requests a minute end within 60 s, and one webhook per event is left`, async () => {
	n8n.requestsPerMinute = RATE;
	await onItsOwnClock(async () => {
		const node = (more: object) => n8n.node({ events: EVENTS, ...more });
		expect(await duration(async () => await n8n.publish(node({})))).toBeLessThan(60_000);
		const edited = node({ routeBy: 'scoreType' });
		expect(await duration(async () => await n8n.publish(edited))).toBeLessThan(60_000);
		await sleep(120_000);
		expect(Object.values(n8n.hooks)).toEqual(EVENTS);
		expect(await deliverChange()).toEqual([200]);
	});
});

test('unpublishing during a pause of the service ends at once, and the webhooks are removed after it', async () => {
	await onItsOwnClock(async () => {
		await n8n.publish(n8n.node({ events: FIVE }));
		const headers = { 'retry-after': '90' };
		n8n.service.faults.add({ method: 'DELETE', kind: { status: 429, headers } });
		expect(await duration(async () => await n8n.unpublish())).toBeLessThan(2000);
		await sleep(120_000);
		expect(n8n.hooks).toEqual({});
	});
});

test('all tries of a publish end within 60 s if the service asks for a pause of 300 s, with its message', async () => {
	await onItsOwnClock(async () => {
		const kind = { status: 429, headers: { 'retry-after': '300' }, body: { detail: 'Throttled.' } };
		n8n.service.faults.add({ kind, times: Infinity });
		const work = async () => {
			const published = n8n.publish(n8n.node({ events: FIVE }));
			await expect(published).rejects.toThrow(/^Could not subscribe to 'feedback.removed': /);
		};
		expect(await duration(work)).toBeLessThan(60_000);
	});
});

test.each([
	[401, { detail: 'Invalid token.' }, 'Check the API key'],
	[403, { detail: 'Forbidden' }, 'Use the API key of an administrator'],
	[404, '<html>Not Found</html>', 'Base URL'],
	[400, { target: ['Enter a valid URL.'] }, 'that of the trigger comes from N8N_WEBHOOK_URL'],
])(
	'a publish that the service refuses with HTTP %i %j is tried once, and its reason says what to do',
	async (status, body, hint) => {
		await onItsOwnClock(async () => {
			n8n.service.faults.add({ ...POSTS, times: Infinity, kind: { status, body } });
			const published = n8n.publish(n8n.node({ events: FIVE }));
			await expect(published).rejects.toThrow(hint);
			const events = n8n.service.requests.map((request) => Object(request.body).event);
			expect(new Set(events)).toEqual(new Set([FIVE[0]]));
			expect(events.length).toBeLessThanOrEqual(2);
		});
	},
);

test.each(['existing', 'refused'] as const)(
	'publishing creates a webhook although the service has an equal one whose ID was lost (%s)',
	async (equalWebhook) => {
		n8n.service.settings.equalWebhook = equalWebhook;
		const node = n8n.node({ events: ['feedback.removed'] });
		await onItsOwnClock(async () => {
			n8n.service.faults.add({ ...POSTS, kind: 'reset-after' });
			await expect(n8n.publish(node)).rejects.toThrow('may exist');
			expect(n8n.warnings.join()).toContain('Webhook of unknown ID (feedback.removed)');
			await n8n.publish(node);
			expect(await deliverChange()).toEqual([200, 200]);
			expect(n8n.runs).toHaveLength(1);
		});
	},
);
