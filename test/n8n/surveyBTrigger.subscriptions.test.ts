import { EVENTS } from '../../sandbox';
import { fresh, idOf, TriggerStage, until } from './surveyBTriggerStage';

// The trigger's subscriptions, from a workflow's first activation to its last, in a real n8n.

let stage: TriggerStage;
beforeAll(async () => void (stage = await TriggerStage.open()), 180_000);
afterAll(async () => await stage?.close());
afterEach(async () => await stage.clear());

const PAIR = ['feedback.removed', 'tag.merged'];
const FIVE = [...PAIR, 'tag.removed', 'tag.renamed', 'feedback.status_changed'];
const ALL = [...EVENTS].sort();

/** Everything that makes the service tell of its nine events, each once. */
async function liveThroughAll(): Promise<void> {
	const { b } = stage;
	const email = `person${fresh()}@example.com`;
	const tag = `tag ${fresh()}`;
	const { id } = b.answer({ email, campaignId: 101, score: 10, comment: tag });
	const path = `/api/v2/feedback/${id}/`;
	await stage.ask('POST', `${path}tag/`, { name: tag, category: 'PROMOTER' });
	await stage.ask('PUT', path, { status: 'CLOSED' });
	b.renameTag(101, tag, `${tag} renamed`);
	b.mergeTag(101, `${tag} renamed`, `${tag} merged`);
	b.removeTag(101, `${tag} merged`);
	await stage.ask('DELETE', path, undefined);
	await stage.ask('POST', '/api/v2/contacts/unsubscribe/', { emails: [email] });
	await b.idle();
}

/** The events of a workflow's runs, in order. */
async function told(id: string, triggers = 1): Promise<string[]> {
	return (await stage.runs(id, triggers)).map(({ item }) => String(item.event)).sort();
}

/** Every event so many times. */
function times(count: number, events: string[] = ALL): string[] {
	return events.flatMap((event) => Array<string>(count).fill(event)).sort();
}

test('nine events, off and on again: one run a change, one subscription an event', async () => {
	const id = await stage.publish(stage.node({ events: EVENTS }));
	await liveThroughAll();
	expect(await told(id)).toEqual(times(1));

	await stage.n8n.deactivate(id);
	expect(stage.events).toEqual([]);
	await liveThroughAll();

	await stage.n8n.activate(id);
	expect(stage.events).toEqual(ALL);
	await liveThroughAll();
	const runs = await stage.runs(id);
	expect(runs.map(({ item }) => String(item.event)).sort()).toEqual(times(2));
	expect(runs.filter(({ item }) => item.issues !== undefined)).toEqual([]);
	expect(stage.events).toEqual(ALL);
});

test.each([404, 405] as const)(
	'a service that answers DELETE %i: still one run a change, and no pile of subscriptions',
	async (hookDeletion) => {
		stage.b.settings.hookDeletion = hookDeletion;
		const id = await stage.publish(stage.node({ events: EVENTS }));
		const orphans = stage.ids;
		for (const count of [1, 2, 3]) {
			if (count > 1) await stage.offAndOn(id);
			await liveThroughAll();
			expect(await told(id)).toEqual(times(count));
		}
		// Those of the first time proved by a delivery that they live, and serve again the third time.
		expect(stage.events).toEqual(times(2));
		expect(stage.requests('POST')).toBe(18);
		expect(stage.b.deliveries.filter(({ status }) => status !== 200)).toEqual([]);
		for (const orphan of orphans) expect(stage.warnings.join()).toContain(` ${orphan} (`);
	},
);

describe('an activation that fails at the third of five events', () => {
	const failing = async (deletion: 204 | 405) => {
		stage.b.settings.hookDeletion = deletion;
		stage.b.faults.add({
			method: 'POST',
			path: /hooks$/,
			when: ({ body }) => JSON.stringify(body).includes(FIVE[2] ?? ''),
			times: Infinity,
			kind: { status: 403, body: { detail: 'Forbidden' } },
		});
		const id = await stage.n8n.createWorkflow(stage.workflow([stage.node({ events: FIVE })]));
		await expect(stage.n8n.activate(id)).rejects.toThrow(/'tag.removed'.*Forbidden/s);
		return id;
	};

	test('leaves nothing behind', async () => {
		const id = await failing(204);
		expect(stage.events).toEqual([]);
		expect(stage.requests('DELETE')).toBe((stage.b.requests.length / 5) * 2);

		stage.b.faults.clear();
		await stage.n8n.activate(id);
		expect(stage.events).toEqual([...FIVE].sort());
		await stage.happen();
		expect(await stage.runs(id)).toHaveLength(1);
	});

	test('or tells by ID what it leaves, and that starts no run', async () => {
		const id = await failing(405);
		const left = stage.ids;
		expect(left.length).toBeGreaterThan(0);
		for (const id of left) expect(stage.warnings.join()).toContain(` ${id} (`);
		stage.b.faults.clear();
		await stage.n8n.activate(id);
		const answers = await stage.happen();
		expect(answers).toEqual(Array(answers.length).fill(200));
		expect(answers.length).toBeGreaterThan(1);
		expect(await stage.runs(id)).toHaveLength(1);
	});
});
