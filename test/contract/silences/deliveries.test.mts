import { onItsOwnClock } from '../../support/clock.mts';
import { testInCombinations, type Combination } from '../../support/combinations.mts';
import { request } from '../../support/sandbox';
import { n8n, useEmulatedN8n } from '../surveyBTrigger/emulatedN8n';
import { EVENTS } from '../../../sandbox';

// What holds for Survey B Trigger, whichever ways the service takes where its contract is silent.

useEmulatedN8n();

const services = {
	get b() {
		return n8n.service;
	},
};

function testDeliveries(title: string, work: (ways: Combination) => Promise<void>): void {
	testInCombinations(title, services, async (ways) => {
		// With the status of a success, no refusal says whether a webhook exists.
		if (ways.b.errors === 'status200') n8n.service.settings.errors = 'contract';
		await onItsOwnClock(async () => await work(ways));
	});
}

const ada = { email: 'ada@acme.example', campaignId: 101 };

/** Waits for all deliveries and runs. */
async function idle(): Promise<void> {
	await n8n.service.idle();
	await n8n.idle();
}

/** Returns how many runs each event started. */
function runsByEvent(): Record<string, number> {
	const counts: Record<string, number> = {};
	for (const { event } of n8n.runs.flatMap(({ outputs }) => outputs.flat())) {
		counts[String(event)] = (counts[String(event)] ?? 0) + 1;
	}
	return counts;
}

/** Makes one event of each kind happen. */
async function changeEverything(): Promise<void> {
	const { service } = n8n;
	const { id } = service.answer({ ...ada, score: 3, comment: 'Slow' });
	const path = `/api/v2/feedback/${id}/`;
	// The seventh request may be refused, so each is sent until it is not.
	const send = async (line: string, body?: object) => {
		while ((await request(service, line, body)).status === 429);
	};
	await send(`POST ${path}tag/`, { name: 'new tag', category: 'PASSIVE' });
	await send(`PUT ${path}`, { status: 'CLOSED' });
	await send('POST /api/v2/contacts/unsubscribe/', { emails: ['grace@acme.example'] });
	await send(`DELETE ${path}`);
	const campaign = { id: 101, Name: 'Relationship' };
	service.emit('tag.merged', { campaign, before: 'a', after: 'b' });
	service.emit('tag.renamed', { campaign, before: 'a', after: 'b' });
	service.emit('tag.removed', { campaign, name: 'a' });
	await idle();
}

testDeliveries('each change starts one run, however it is delivered', async () => {
	// The score of a campaign may change with the feedback, or not.
	const events = EVENTS.filter((event) => event !== 'metric.score_changed');
	await n8n.publish(n8n.node({ events }));
	await changeEverything();
	expect(runsByEvent()).toEqual(Object.fromEntries(events.map((event) => [event, 1])));
});

testDeliveries('publishing again leaves a trigger that works', async () => {
	const events = ['feedback.added_or_changed'];
	await n8n.publish(n8n.node({ events }));
	await n8n.publish(n8n.node({ events, routeBy: 'scoreType' }));
	n8n.service.answer({ ...ada, score: 3 });
	await idle();
	expect(runsByEvent()).toEqual({ 'feedback.added_or_changed': 1 });
	n8n.service.answer({ ...ada, score: 9 });
	await idle();
	expect(runsByEvent()).toEqual({ 'feedback.added_or_changed': 2 });
});

testDeliveries(
	'a run that n8n could not store starts when it is delivered again',
	async ({ b }) => {
		await n8n.publish(n8n.node({ events: ['tag.renamed'] }));
		let stores = 0;
		n8n.store = async () => {
			stores++;
			if (stores === 1) await Promise.reject(new Error('database is locked'));
		};
		n8n.service.emit('tag.renamed', { campaign: { id: 101, Name: 'x' }, before: 'a', after: 'b' });
		await idle();
		const isSentAgain = b.deliveryRepeats > 1 || b.failedDelivery === 'repeated';
		expect(runsByEvent()).toEqual(isSentAgain ? { 'tag.renamed': 1 } : {});
	},
);
