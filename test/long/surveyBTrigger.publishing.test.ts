/** @jest-environment ./test/support/n8nEnvironment.mts */
import { sleep } from 'n8n-workflow';

import { until } from '../../host/until.mts';
import { automatic, people } from '../support/columns';
import { askEditor, seconds } from '../support/editor.mts';
import { credentialOf, rowsInto } from '../support/n8n.mts';
import { sayPastJest } from '../support/sayPastJest.mts';
import { fresh, TriggerSetup } from '../support/surveyBTriggerSetup';

// Publishing Survey B Trigger in a real n8n while its credential or its service is busy.

let setup: TriggerSetup;
beforeAll(async () => void (setup = await TriggerSetup.open()), 180_000);
afterAll(async () => await setup?.close());
afterEach(async () => {
	await allow(0);
	await setup.clear();
});

const PAIR = ['feedback.removed', 'tag.merged'];
const MORE = [...PAIR, 'tag.renamed'];
const MINUTE = 60_000;

/** Sets Requests per Minute of the credential; another key has another pace, and knows no pause. */
async function allow(requestsPerMinute: number): Promise<void> {
	const { surveyBApi } = setup.host.credentials;
	setup.b.apiKey = `key-of-survey-b-number-${fresh()}`;
	const data = { ...credentialOf(setup.b), requestsPerMinute };
	await setup.n8n.updateCredential(surveyBApi.id, 'surveyBApi', 'Survey B', data);
}

test(
	'publishing, an edit, drop-downs and columns do not wait for a run of 2,000 rows at 60 requests a minute',
	async () => {
		const { n8n } = setup;
		await allow(60);
		const type = 'n8n-nodes-surveys.surveyB';
		const parameters = { resource: 'contact', operation: 'upsert', ...automatic() };
		const { credentials } = setup.host;
		const bulk = await n8n.createWorkflow(
			rowsInto({ type, parameters, credentials }, people(2000)),
		);
		const execution = await n8n.start(bulk);
		await until(
			() => setup.b.requests.length,
			(count) => count > 3,
		);
		const node = setup.node({ events: PAIR });
		let id = '';
		const table = {
			publish: await seconds(async () => (id = await setup.publish(node))),
			edit: await seconds(async () => {
				await setup.republish(id, { ...node, parameters: { events: MORE } });
			}),
			dropDown: await seconds(async () => {
				await askEditor(type, 'resource-locator-results', 'searchContactLists', parameters);
			}),
			columns: await seconds(async () => {
				await askEditor(type, 'resource-mapper-fields', 'getColumns', parameters);
			}),
		};
		sayPastJest(
			`Beside a run of 2,000 rows at 60 requests a minute, in s: ${JSON.stringify(table)}`,
		);
		for (const took of Object.values(table)) expect(took).toBeLessThan(60);
		await setup.hasEvents(MORE);
		await n8n.stopExecution(execution);
		expect(await setup.happen()).toEqual([200]);
	},
	5 * MINUTE,
);

test(
	'an edit fails within 90 s with our own sentence if the service accepts connections and never answers',
	async () => {
		const node = setup.node({ events: PAIR });
		const id = await setup.publish(node);
		setup.b.faults.add({ kind: 'hang', times: Infinity });
		const edited = { ...node, parameters: { events: MORE } };
		const work = async () => {
			await expect(setup.republish(id, edited)).rejects.toThrow(/Could not subscribe to/);
		};
		const took = await seconds(work);
		sayPastJest(`An edit while the service never answers fails after ${took} s`);
		expect(took).toBeLessThan(90);
		setup.b.faults.clear();
		await setup.n8n.activate(id);
		expect(await setup.happen()).toContain(200);
	},
	4 * MINUTE,
);

test(
	'deliveries every 100 ms around 20 publishes get a 200, or n8n’s own 404 in the gap of an edit',
	async () => {
		const node = setup.node({ events: ['feedback.removed'] });
		const id = await setup.publish(node);
		const counts: Record<string, number> = {};
		let isOver = false;
		const delivering = (async () => {
			while (!isOver) {
				const responses = await setup.happen();
				const key = responses.length === 0 ? 'no webhook' : [...new Set(responses)].sort().join();
				counts[key] = (counts[key] ?? 0) + 1;
				await sleep(100);
			}
		})();
		for (let round = 1; round <= 20; round++) {
			// n8n leaves a trigger as it is whose known parameters have not changed.
			const options = { ignoreRepeats: round % 2 === 0 };
			await setup.republish(id, { ...node, parameters: { ...node.parameters, options } });
		}
		isOver = true;
		await delivering;
		sayPastJest(`Deliveries around 20 publishes: ${JSON.stringify(counts)}`);
		expect(counts['200']).toBeGreaterThan(0);
		for (const key of Object.keys(counts)) {
			expect(['no webhook', '200', '404', '200,404']).toContain(key);
		}
		await setup.hasEvents(['feedback.removed']);
		expect(await setup.happen()).toEqual([200]);
	},
	4 * MINUTE,
);
