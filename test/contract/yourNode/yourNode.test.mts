import { once } from 'node:events';
import { readFileSync } from 'node:fs';

import axios from 'axios';
import express from 'express';
import { PollContext } from 'n8n-core';
import { sleep, Workflow } from 'n8n-workflow';
import type { IDataObject, INode, INodeParameters } from 'n8n-workflow';

import {
	additionalData,
	addCredentialType,
	addNodeType,
	nodeOf,
	nodeTypes,
	runNode,
} from '../../support/engine';
import { onItsOwnClock } from '../../support/clock.mts';
import { serveWebhooks, WebhookTrigger } from '../../support/webhookTrigger';
import type { WebhookCall } from '../../support/webhookTrigger';
import { SurveyC, SurveyCApi, SurveyCTrigger, SurveyCWebhook } from './surveyC';

/** A service of a third kind: `lost` says how many writes get a 502 after they were processed. */
function serviceC() {
	const people = Array.from({ length: 250 }, (_, i) => ({
		id: `p${i}`,
		email: `p${i}@example.com`,
		added: new Date(Date.UTC(2026, 0, 1) + i * 1000).toISOString(),
	}));
	const hooks: Array<{ id: string; event: string; target: string }> = [];
	const state = { people, hooks, requests: 0, lost: 0, failing: 0 };
	const app = express().use(express.json());
	app.use(({ headers }, response, next) => {
		state.requests++;
		if (headers.authorization !== 'Token key-of-survey-c') response.status(401).end();
		else if (state.failing-- > 0) response.status(503).end();
		else next();
	});
	app.get('/v1/people', ({ query }, response) => {
		const size = Number(query.size);
		const from = (Number(query.page) - 1) * size;
		const isNewestFirst = query.sort === '-added';
		const inOrder = isNewestFirst ? [...people].reverse() : people;
		response.json({ people: inOrder.slice(from, from + size), total: people.length });
	});
	app.post('/v1/people', ({ body }, response) => {
		people.push({ id: `p${people.length}`, added: new Date().toISOString(), ...body });
		if (state.lost-- > 0) response.status(502).end();
		else response.json(people.at(-1));
	});
	app.post('/v1/hooks', ({ body }, response) => {
		hooks.push({ id: `h${hooks.length}`, ...body });
		response.json({ id: hooks.at(-1)?.id });
	});
	app.delete('/v1/hooks/:id', ({ params }, response) => {
		hooks.splice(0, hooks.length, ...hooks.filter(({ id }) => id !== params.id));
		response.status(204).end();
	});
	return { state, app };
}

const { state, app } = serviceC();
addCredentialType(new SurveyCApi());
addNodeType('surveyC', new SurveyC());
addNodeType('surveyCTrigger', new SurveyCTrigger());
addNodeType('surveyCWebhook', new SurveyCWebhook());

let server: ReturnType<typeof app.listen>;
let baseUrl: string;
beforeAll(async () => {
	server = app.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1/`;
});
beforeEach(() => Object.assign(state, { requests: 0, lost: 0, failing: 0 }));
afterAll(() => server.close());

const credential = () => ({ baseUrl, apiKey: 'key-of-survey-c' });

async function run(operation: string, parameters: INodeParameters, emails = ['']) {
	const { output, error } = await runNode({
		node: 'surveyC',
		parameters: { resource: 'person', operation, ...parameters },
		input: emails.map((email) => ({ email })),
		credential: credential(),
		onError: 'continueRegularOutput',
	});
	if (error) throw error;
	return (output[0] ?? []).map(({ json }) => json);
}

const page = readFileSync('nodes/shared/README.md', 'utf8');

/** Returns the code of a region of surveyC.ts. */
function codeOf(region: string): string {
	const file = readFileSync('test/contract/yourNode/surveyC.ts', 'utf8');
	return file.split(`// #region ${region}\n`)[1]?.split('// #endregion')[0] ?? '';
}

/** Returns the number of lines without comments and blank ones. */
function linesOf(...regions: string[]): number {
	const lines = regions.flatMap((region) => codeOf(region).split('\n'));
	return lines.filter((line) => !/^\s*($|\/\*|\*|\/\/)/.test(line)).length;
}

describe('nodes/shared/README.md', () => {
	test.each(['service', 'credential', 'resource', 'node', 'polling', 'webhook'])(
		'shows the %s that these tests run',
		(region) => {
			expect(codeOf(region)).not.toBe('');
			expect(page).toContain(codeOf(region));
		},
	);

	test('says how many lines a node and a trigger take', () => {
		const trigger = Math.max(linesOf('polling'), linesOf('webhook'));
		const node = linesOf('service', 'credential', 'resource', 'node');
		expect(page).toContain(`# Your node in ${node} lines, your trigger in ${trigger}\n`);
	});
});

/** A workflow of one trigger. */
function workflowOf(
	type: string,
	parameters: INodeParameters,
): { workflow: Workflow; node: INode } {
	const credentials = { surveyCApi: { id: '1', name: 'Survey C' } };
	const webhookId = 'hook-of-survey-c';
	const node = { ...nodeOf('Trigger', type, parameters), credentials, webhookId };
	const settings = { id: type, nodes: [node], connections: {}, active: true, nodeTypes };
	return { workflow: new Workflow(settings), node };
}

describe('the polling trigger of nodes/shared/README.md', () => {
	test('starts a run for each person who is added after publishing, once', async () => {
		const { workflow, node } = workflowOf('surveyCTrigger', { events: ['person.added'] });
		const data = additionalData(credential());
		const context = new PollContext(workflow, node, data, 'trigger', 'activate');
		const poll = async () => await new SurveyCTrigger().poll.call(context);
		expect(await poll()).toBeNull();
		await run('create', { email: 'ann@example.com' });
		const { id } = state.people.at(-1) ?? {};
		const json = { event: 'person.added', id, email: 'ann@example.com', name: null };
		expect(await poll()).toEqual([[{ json }]]);
		expect(await poll()).toBeNull();
	});
});

describe('the webhook trigger of nodes/shared/README.md', () => {
	const { workflow, node } = workflowOf('surveyCWebhook', { events: ['person.changed'] });
	const runs: IDataObject[][][] = [];
	let trigger: WebhookTrigger;
	let n8n: Awaited<ReturnType<typeof serveWebhooks>>;

	async function handle(call: WebhookCall): Promise<void> {
		const webhook = trigger.webhookOf(workflow, node, false);
		const host = { store: async () => {}, save: () => {}, alive: async () => {} };
		const outputs = await trigger.receive(workflow, webhook, call, host);
		if (outputs) runs.push(outputs);
	}

	beforeAll(async () => {
		n8n = await serveWebhooks((call) => void handle(call));
		const data = { ...additionalData(credential()), webhookBaseUrl: `${n8n.address}/webhook` };
		trigger = new WebhookTrigger(new SurveyCWebhook(), data, () => {});
	});
	afterAll(() => n8n.close());

	async function deliver(target: string, person: IDataObject): Promise<number> {
		const body = { hook: 'h0', event: 'person.changed', person };
		return (await axios.post(target, body, { validateStatus: () => true })).status;
	}

	test('creates its webhook, takes deliveries that have the token, each once, and removes the webhook', async () => {
		const webhook = trigger.webhookOf(workflow, node, false);
		await trigger.register(workflow, webhook, 'trigger', 'activate');
		expect(state.hooks).toMatchObject([{ event: 'person.changed' }]);
		const target = state.hooks[0]?.target ?? '';
		const person = { id: 'p7', email: 'new@example.com', changed: '2026-01-01T00:00:00Z' };

		expect(await deliver(target.replace(/\?.*/, ''), person)).toBe(401);
		expect(runs).toEqual([]);
		expect(await deliver(target, person)).toBe(200);
		expect(runs).toEqual([[[{ event: 'person.changed', ...person }]]]);
		expect(await deliver(target, person)).toBe(200);
		expect(runs).toHaveLength(1);
		await onItsOwnClock(async () => {
			await trigger.unregister(workflow, webhook);
			await sleep(60_000);
		});
		expect(state.hooks).toEqual([]);
	});
});

describe('the node of nodes/shared/README.md', () => {
	test('returns all people, and asks again when the service is down for a moment', async () => {
		state.failing = 1;
		const people = await onItsOwnClock(async () => await run('getAll', { returnAll: true }));
		expect(new Set(people.map(({ id }) => id))).toEqual(new Set(state.people.map(({ id }) => id)));
	});

	test('creates nobody twice when the response is lost, and goes on with the other items', async () => {
		state.lost = 1;
		const email = '={{ $json.email }}';
		const before = state.people.length;
		const created = await run('create', { email }, ['ann@example.com', '', 'bo@example.com']);
		expect(
			state.people
				.slice(before)
				.map((person) => person.email)
				.sort(),
		).toEqual(['ann@example.com', 'bo@example.com']);
		expect(created.filter(({ error }) => error === undefined)).toHaveLength(1);
		expect(created[1]?.error).toMatch(/'Email' is missing/);
		expect(JSON.stringify(created)).toMatch(/The request may have been processed/);
	});

	test('shows what it would send in a dry run', async () => {
		const [planned] = await run('create', { email: 'eve@example.com', options: { dryRun: true } });
		expect(planned).toMatchObject({ dryRun: true, request: { path: '/v1/people' } });
		expect(state.requests).toBe(0);
	});
});
