import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { freePort } from '../../host/freePort.mts';
import { OWNER, type WorkflowInput } from '../../host/index.mts';
import type { Editor } from '../../host/editor.mts';
import { until } from '../../host/until.mts';
import { Demo, takePort } from '../support/demo.mts';
import { randomFrom, SEED, SHARE } from '../support/random.mts';

// Does to the demo's n8n what its users do, in random order, and starts the demo again and again in the same folder.

const ACTIONS_IN_ALL = 30;
const ACTIONS_BETWEEN_STARTS = 3;
const OTHER_PASSWORD = 'Other-1234';

const folder = mkdtempSync(join(tmpdir(), 'surveys-demo-'));
const random = randomFrom(SEED);

/** A port of another program at the next start. */
const busy: number[] = [];
let ports: Record<'n8n' | 'serviceA' | 'serviceB' | 'team', number>;
let password = OWNER.password;
let signal: 'SIGINT' | 'SIGKILL' = 'SIGINT';
let count = 0;
let demo: Demo | undefined;

beforeAll(async () => {
	ports = {
		n8n: await freePort(),
		serviceA: await freePort(),
		serviceB: await freePort(),
		team: await freePort(),
	};
	writeFileSync(join(folder, 'ports.json'), JSON.stringify(ports));
});
afterAll(async () => {
	await demo?.end('SIGKILL');
	rmSync(folder, { recursive: true, force: true });
}, 60_000);

function pick<One>(list: One[]): One | undefined {
	return list[Math.floor(random() * list.length)];
}

const isDemos = ({ name }: { name: string }) => name.startsWith('Demo: ');

/** Returns a workflow of the demo that is not archived. */
async function demoWorkflow(user: Editor) {
	return pick((await user.workflows()).filter((one) => isDemos(one) && !one.isArchived));
}

async function anyWorkflow(user: Editor) {
	return pick((await user.workflows()).filter(({ isArchived }) => !isArchived));
}

async function ownCredential(user: Editor, service: 'A' | 'B', apiKey?: string) {
	const label = `Service ${service}` as const;
	const data = { baseUrl: demo?.url(label), apiKey: apiKey ?? demo?.key(label) };
	return await user.createCredential(`survey${service}Api`, `Own ${service} ${++count}`, {
		...data,
		requestsPerMinute: 0,
	});
}

const triggerB = {
	type: 'n8n-nodes-surveys.surveyBTrigger',
	parameters: { events: ['feedback.added_or_changed'], filters: { campaignIds: ['102'] } },
};
const triggerA = {
	type: 'n8n-nodes-surveys.surveyATrigger',
	parameters: { events: ['feedback.created'], pollTimes: { item: [{ mode: 'everyHour' }] } },
};

/** Publishes a workflow of the user's own whose trigger has a credential. */
async function publishTrigger(user: Editor, service: 'A' | 'B', apiKey?: string): Promise<void> {
	const credential = await ownCredential(user, service, apiKey);
	const workflow: WorkflowInput = {
		name: `Own trigger of ${service} ${++count}`,
		nodes: [
			{
				name: 'Trigger',
				webhookId: `own-${count}`,
				credentials: { [`survey${service}Api`]: credential },
				...(service === 'A' ? triggerA : triggerB),
			},
		],
		connections: {},
	};
	const id = await user.createWorkflow(workflow);
	const published = user.activate(id);
	await (apiKey === undefined ? published : published.catch(() => undefined));
}

const ACTIONS: Record<string, (user: Editor) => Promise<unknown>> = {
	async 'archives a workflow of the demo'(user) {
		const found = await demoWorkflow(user);
		if (!found) return;
		if (found.active) await user.deactivate(found.id);
		await user.post(`/workflows/${found.id}/archive`, {});
	},
	async 'takes workflows out of the archive'(user) {
		const archived = (await user.workflows()).filter(({ isArchived }) => isArchived);
		for (const { id } of archived) await user.post(`/workflows/${id}/unarchive`, {});
	},
	async 'renames a workflow of the demo'(user) {
		const found = await demoWorkflow(user);
		if (!found) return;
		const workflow = await user.workflow(found.id);
		await user.updateWorkflow(found.id, { ...workflow, name: `Mine ${++count}` });
	},
	async 'deletes a workflow of the demo'(user) {
		const found = await demoWorkflow(user);
		if (found) await user.deleteWorkflow(found.id);
	},
	async 'unpublishes a workflow'(user) {
		const found = await anyWorkflow(user);
		if (found?.active) await user.deactivate(found.id);
	},
	async 'edits a workflow of the demo without publishing it'(user) {
		const found = await demoWorkflow(user);
		if (!found) return;
		const workflow = await user.workflow(found.id);
		await user.updateWorkflow(found.id, {
			...workflow,
			nodes: workflow.nodes.slice(0, 3),
			connections: {},
		});
	},
	async 'duplicates a workflow of the demo and publishes the copy'(user) {
		const found = await demoWorkflow(user);
		if (!found) return;
		const workflow = await user.workflow(found.id);
		const copy = { ...workflow, name: `${workflow.name.replace('Demo: ', '')} copy ${++count}` };
		const id = await user.createWorkflow(copy);
		// Refused if the demo has the same webhook path published.
		await user.activate(id).catch(() => undefined);
	},
	async 'duplicates a workflow of the demo under its name'(user) {
		const found = await demoWorkflow(user);
		if (found) await user.createWorkflow(await user.workflow(found.id));
	},
	'creates a credential': async (user) => await ownCredential(user, 'A'),
	'publishes a trigger of Survey A with a credential of its own': async (user) =>
		await publishTrigger(user, 'A'),
	'publishes a trigger of Survey B with a credential of its own': async (user) =>
		await publishTrigger(user, 'B'),
	'publishes a trigger whose credential has a wrong key': async (user) =>
		await publishTrigger(user, pick(['A', 'B'] as const) ?? 'A', 'wrong'),
	async 'deletes a credential'(user) {
		const found = pick(await user.credentials());
		if (found) await user.deleteCredential(found.id);
	},
	async 'overwrites the credential of the demo'(user) {
		const found = (await user.credentials()).find(({ name }) => name.startsWith('Sandbox'));
		if (!found) return;
		const data = { baseUrl: 'https://survey.example.com', apiKey: 'x', requestsPerMinute: 1 };
		await user.updateCredential(found.id, found.type, found.name, data);
	},
	async 'renames the credential of the demo'(user) {
		const found = (await user.credentials()).find(({ name }) => name.startsWith('Sandbox'));
		if (!found) return;
		const data = { baseUrl: demo?.url('Service A'), apiKey: 'x', requestsPerMinute: 0 };
		await user.updateCredential(found.id, found.type, `Mine ${++count}`, data);
	},
	async 'changes the password'(user) {
		if (password === OTHER_PASSWORD) return;
		await user.request('PATCH', '/me/password', {
			currentPassword: password,
			newPassword: OTHER_PASSWORD,
		});
		password = OTHER_PASSWORD;
	},
	async 'changes the password back'(user) {
		if (password === OWNER.password) return;
		await user.request('PATCH', '/me/password', {
			currentPassword: password,
			newPassword: OWNER.password,
		});
		password = OWNER.password;
	},
	'starts another program on the port of Survey A': async () => busy.push(ports.serviceA),
	'starts another program on the port of Survey B': async () => busy.push(ports.serviceB),
	'starts another program on the port of n8n': async () => busy.push(ports.n8n),
	'starts another program on the port of the team': async () => busy.push(ports.team),
	'cuts the power': async () => (signal = 'SIGKILL'),
};

/** Returns what belongs to the user. */
async function ownOf(user: Editor) {
	const workflows = await Promise.all(
		(await user.workflows())
			.filter((one) => !isDemos(one) || one.isArchived)
			.map(async ({ id, name, active, isArchived }) => {
				const { nodes } = await user.workflow(id);
				return { id, name, active, isArchived, nodes };
			}),
	);
	const credentials = (await user.credentials()).filter(({ name }) => !name.startsWith('Sandbox'));
	const byId = (one: { id: string }, other: { id: string }) => one.id.localeCompare(other.id);
	return { workflows: workflows.sort(byId), credentials: credentials.sort(byId) };
}

/** Starts the demo, and returns the user who works in its n8n. */
async function start(): Promise<Editor> {
	const free = await Promise.all([...new Set(busy.splice(0))].map(takePort));
	demo = new Demo(folder);
	await demo.settled();
	await Promise.all(free.map(async (release) => await release()));
	if (!demo.isUp) throw new Error(demo.output);
	expect(demo.output).not.toMatch(/\n\s+at /);
	return await demo.user(password);
}

/** Lets a customer answer, and waits until every published trigger of the user's own has run. */
async function ownTriggersRun(user: Editor): Promise<void> {
	const url = demo?.url('Service B');
	// The credentials of the user name the usual port.
	if (url !== `http://127.0.0.1:${ports.serviceB}`) return;
	const names = (await user.credentials()).map(({ id }) => id);
	const published = await Promise.all(
		(await user.workflows())
			.filter(({ name, active }) => name.startsWith('Own trigger of B') && active)
			.map(async ({ id }) => await user.workflow(id)),
	);
	const working = published.filter(({ nodes }) =>
		names.includes(nodes[0]?.credentials?.surveyBApi?.id ?? ''),
	);
	const runs = async () =>
		await Promise.all(working.map(async ({ id }) => (await user.executions(id)).length));
	const before = await runs();
	const more = async () => {
		const email = `person${++count}@customer.example`;
		const body = new URLSearchParams({ email, campaignId: '102', score: '4' });
		await fetch(`${url}/_sandbox/answer`, { method: 'POST', body, redirect: 'manual' });
		return (await runs()).every((now, i) => now > (before[i] ?? 0));
	};
	await until(more, Boolean, { what: `Runs of ${working.map(({ name }) => name).join(', ')}` });
}

/** Returns the workflows of the demo that are neither published nor named in a line about what did not succeed. */
async function silent(user: Editor): Promise<string[]> {
	const lines = demo?.output.split('\n').filter((line) => line.startsWith('  ✗')) ?? [];
	const workflows = (await user.workflows()).filter(isDemos);
	const names = new Set(workflows.filter(({ isArchived }) => !isArchived).map(({ name }) => name));
	return [...names]
		.filter((name) => !workflows.some((one) => one.name === name && one.active))
		.filter((name) => !lines.some((line) => line.includes(name) || line.includes('stay as')));
}

const length = Math.max(2 * ACTIONS_BETWEEN_STARTS, Math.round(ACTIONS_IN_ALL * SHARE));

test(
	`npm start brings n8n up with all work of its user, whatever the user did in ${length} actions before`,
	async () => {
		let user = await start();
		expect(await silent(user)).toEqual([]);
		const done: string[] = [];
		while (done.length < length) {
			for (let i = 0; i < ACTIONS_BETWEEN_STARTS; i++) {
				const [name, act] = pick(Object.entries(ACTIONS)) ?? ['', async () => {}];
				done.push(name);
				await act(user);
			}
			const before = await ownOf(user);
			await demo?.end(signal);
			signal = 'SIGINT';
			try {
				user = await start();
				expect(await ownOf(user)).toEqual(before);
				expect(await silent(user)).toEqual([]);
				await ownTriggersRun(user);
			} catch (error) {
				throw new Error(`After ${done.join(', ')}:\n${demo?.output}`, { cause: error });
			}
		}
	},
	ACTIONS_IN_ALL * 60_000,
);
