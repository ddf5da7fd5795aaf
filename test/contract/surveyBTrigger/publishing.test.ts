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

test('editing a trigger of nine events at 10 requests a minute ends within 60 s, and then one webhook per event is left', async () => {
	n8n.requestsPerMinute = 10;
	await onItsOwnClock(async () => {
		await n8n.publish(n8n.node({ events: EVENTS }));
		const first = Object.keys(n8n.hooks);
		await sleep(60_000);
		const edited = n8n.node({ events: EVENTS, routeBy: 'event' });
		expect(await duration(async () => await n8n.publish(edited))).toBeLessThan(60_000);
		for (const id of first) {
			if (id in n8n.hooks) expect(n8n.warnings.join()).toContain(`Webhook ${id} (`);
		}
		await sleep(120_000);
		expect(Object.values(n8n.hooks)).toEqual(EVENTS);
		expect(Object.keys(n8n.hooks)).not.toEqual(expect.arrayContaining(first));
		expect(await deliverChange()).toEqual([200]);
	});
});

test('removals take no turn of Requests per Minute that a creation would have to wait for', async () => {
	n8n.requestsPerMinute = 10;
	await onItsOwnClock(async () => {
		await n8n.publish(n8n.node({ events: EVENTS }));
		n8n.service.requests.length = 0;
		await n8n.publish(n8n.node({ events: EVENTS, routeBy: 'event' }));
		expect(n8n.requests.slice(0, 9)).toEqual(EVENTS.map(() => 'POST /api/v2/hooks'));
	});
});

test('unpublishing during a pause of the service ends at once, and the webhooks are removed after it', async () => {
	await onItsOwnClock(async () => {
		await n8n.publish(n8n.node({ events: FIVE }));
		const headers = { 'retry-after': '90' };
		n8n.service.faults.add({ method: 'DELETE', kind: { status: 429, headers } });
		expect(await duration(async () => await n8n.unpublish())).toBeLessThan(2000);
		for (const id of Object.keys(n8n.hooks)) expect(n8n.warnings.join()).toContain(`${id} (`);
		await sleep(120_000);
		expect(n8n.hooks).toEqual({});
	});
});

test('all tries of a publish end within 20 s if the service asks for a pause of 300 s, with its message', async () => {
	await onItsOwnClock(async () => {
		n8n.activationTries = 5;
		await n8n.publish(n8n.node({ events: FIVE }));
		const kind = { status: 429, headers: { 'retry-after': '300' }, body: { detail: 'Throttled.' } };
		n8n.service.faults.add({ kind, times: Infinity });
		const work = async () => {
			const edited = n8n.publish(n8n.node({ events: FIVE, routeBy: 'event' }));
			await expect(edited).rejects.toThrow(/^Could not subscribe to 'feedback.removed': /);
		};
		expect(await duration(work)).toBeLessThan(20_000);
	});
});

test('the next try of a failed publish uses the webhooks that it has created, and creates only the others', async () => {
	await onItsOwnClock(async () => {
		n8n.activationTries = 5;
		n8n.service.faults.add({ ...POSTS, skip: 3, kind: { status: 503, body: {} }, times: 2 });
		await n8n.publish(n8n.node({ events: FIVE }));
		expect(Object.values(n8n.hooks).sort()).toEqual([...FIVE].sort());
		const created = n8n.service.requests.filter(
			({ method, status = 0 }) => method === 'POST' && status < 300,
		);
		expect(created).toHaveLength(FIVE.length);
		await sleep(60_000);
		expect(Object.values(n8n.hooks).sort()).toEqual([...FIVE].sort());
		expect(await deliverChange('tag.renamed')).toEqual([200]);
	});
});

test('a webhook that the service returns again under the other scheme of its base URL is not removed', async () => {
	n8n.service.settings.equalWebhook = 'existing';
	const node = n8n.node({ events: ['feedback.removed'] });
	await n8n.publish(node);
	n8n.saved = JSON.parse(JSON.stringify(n8n.saved).replaceAll('"http://127', '"https://127'));
	await n8n.restartQuietly();
	await n8n.publish(n8n.node({ events: ['feedback.removed'], routeBy: 'event' }));
	expect(Object.values(n8n.hooks)).toEqual(['feedback.removed']);
});

test('a webhook that the memory has lost is found by its delivery, and removed by the next publish', async () => {
	await n8n.publish(n8n.node({ events: ['feedback.removed'] }));
	const [lost = ''] = Object.keys(n8n.hooks);
	// A Code node emptied the static data.
	n8n.saved = {};
	await n8n.restartQuietly();
	expect(await deliverChange()).toEqual([200]);
	await n8n.publish(n8n.node({ events: ['feedback.removed'], routeBy: 'event' }));
	expect(Object.keys(n8n.hooks)).not.toContain(lost);
	expect(n8n.messages.join()).toContain(`Webhook ${lost} (feedback.removed) was removed`);
	expect(Object.keys(n8n.hooks)).toHaveLength(1);
});

test('a webhook of a test that n8n forgot by a restart is removed after the next test', async () => {
	n8n.service.state.feedback.length = 0;
	const node = n8n.node({ events: ['feedback.removed'] });
	await n8n.listen(node);
	await n8n.restartQuietly();
	await n8n.listen(node);
	await deliverChange();
	await n8n.idle();
	expect(n8n.hooks).toEqual({});
});

test('a webhook of another account, whose key the credential no longer has, is not taken for one of this account', async () => {
	await n8n.publish(n8n.node({ events: ['feedback.removed'] }));
	const { hooks } = n8n;
	n8n.saved = JSON.parse(
		JSON.stringify(n8n.saved).replaceAll(/"webhooks":\[[^\]]*\]/g, '"webhooks":[]'),
	);
	await n8n.restartQuietly();
	n8n.apiKey = 'another-key-of-the-user';
	expect(await deliverChange()).toEqual([200]);
	await n8n.unpublish();
	expect(n8n.hooks).toEqual(hooks);
	expect(n8n.requests.filter((request) => request.startsWith('DELETE'))).toEqual([]);
});

test('the log warns of a webhook URL that a service elsewhere cannot call', async () => {
	await onItsOwnClock(async () => {
		n8n.baseUrl = 'http://service.example';
		const publishing = n8n.publish(n8n.node({ events: ['feedback.removed'] }));
		await expect(publishing).rejects.toThrow();
	});
	expect(n8n.warnings.join()).toContain('N8N_WEBHOOK_URL');
});
