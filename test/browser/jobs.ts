import { until } from '../../host/until.mts';
import type { Locator } from 'playwright-core';

import { fillIn, readExample } from '../support/examples.mts';
import {
	deleteWorkflows,
	host,
	sandbox,
	type WorkflowInput,
	type WorkflowNode,
} from '../support/n8n.mts';
import { keepPicture } from './chromium.mts';
import {
	choices,
	executeButton,
	field,
	nodeA,
	nodeB,
	nodes,
	openNode,
	openPage,
	openWorkflow,
	outputPanel,
	page,
} from './editor';
import { names, search } from './nodePanel';
import { Person } from './person';
import { choosesCampaign, inputColumn } from './rows';

// The README's jobs, built by hand from the nodes that people start with.

type Built = Pick<WorkflowNode, 'name' | 'type'> & Partial<WorkflowNode>;

/** Returns a workflow of nodes that follow each other. The first one has pinned data. */
function chain(item: object, ...nodes: [Built, ...Built[]]): WorkflowInput {
	const target = (node: string) => [[{ node, type: 'main', index: 0 }]];
	const pairs = nodes.slice(1).map(({ name }, i) => [nodes[i]?.name, { main: target(name) }]);
	return {
		name: 'By hand',
		nodes,
		connections: Object.fromEntries(pairs),
		pinData: { [nodes[0].name]: [{ json: item }] },
	};
}

const SHEET_ROW = { row_number: 2, 'E-mail': 'sheet@acme.example', 'First name': 'Ada', Seats: 12 };
const TIME = '2026-11-24T10:00:00.000Z';

/** A source of customers: a node, and an item as it returns it. */
const SOURCES: Array<[string, Partial<WorkflowNode>, { email: string; item: object }]> = [
	[
		'a form',
		{ type: 'n8n-nodes-base.formTrigger', typeVersion: 2.2, parameters: { formTitle: 'Customer' } },
		{
			email: 'form@acme.example',
			item: { 'Email Address': 'form@acme.example', Plan: 'Team', submittedAt: TIME },
		},
	],
	[
		'a data table',
		{ type: 'n8n-nodes-base.dataTable', typeVersion: 1, parameters: { operation: 'get' } },
		{
			email: 'table@acme.example',
			item: { id: 1, createdAt: TIME, updatedAt: TIME, email: 'table@acme.example', plan: 'Team' },
		},
	],
	[
		'Google Sheets',
		{ type: 'n8n-nodes-base.googleSheets', typeVersion: 4.7 },
		{ email: 'sheet@acme.example', item: SHEET_ROW },
	],
];

/** Publishes the example of job 2 for one campaign, as `npm start` does. */
async function publishExample(campaignId: number): Promise<void> {
	const example = fillIn(readExample('route-detractors'), host.credentials);
	const filters = { campaignIds: [String(campaignId)] };
	const nodes = example.nodes.map((node) =>
		node.type.endsWith('.surveyBTrigger')
			? { ...node, parameters: { ...node.parameters, filters } }
			: node,
	);
	await host.n8n.activate(await host.n8n.createWorkflow({ ...example, nodes }));
}

/** Adds a node by an entry of Survey B in the node panel, which opens the node. */
async function adds(person: Person, plus: Locator, entry: string): Promise<void> {
	await person.opens(plus, names().first());
	await person.clicks(await search('survey b', 'Survey B'));
	await person.clicks(names().filter({ hasText: entry }).first());
	await executeButton().waitFor();
}

/** Enters the ID of the response last, because the preview of a value covers the field below it. */
async function completes(person: Person): Promise<void> {
	await person.types(input('feedbackId'), '{{ $json.id }}');
	await field('feedbackId').filter({ hasText: '$json' }).waitFor();
	await person.clicks(page.getByTestId('ndv-close-button'));
	await executeButton().waitFor({ state: 'hidden' });
}

function input(name: string): Locator {
	return field(name).locator('input, textarea').first();
}

/** Building the jobs of the README by hand. */
export function jobTests(): void {
	const surveyed = async (email: string) =>
		await until(
			() => sandbox.a.state.sent.filter((one) => one.email === email),
			(sent) => sent.length === 1,
			{ what: `The surveys of ${email}` },
		);
	const send = () => ({ name: 'Send', ...nodeA({ resource: 'survey', operation: 'send' }) });

	test.each(SOURCES)('a row of %s is surveyed after five clicks', async (_, node, given) => {
		await openWorkflow(chain(given.item, { name: 'Source', type: '', ...node }, send()));
		await openNode('Send');
		const person = new Person();
		await choosesCampaign(person);
		await person.chooses(page.getByTestId('mapping-mode-select').first(), 'Map Automatically');
		await person.executes();
		await surveyed(given.email);
		expect(person.effort).toEqual({ clicks: 5, keys: 0, drags: 0 });
		await outputPanel().getByText('queued').first().waitFor();
		await keepPicture(page, `job-1-${given.email}`);
	});

	test('a customer in the body of a Webhook node is surveyed after seven clicks and one drag', async () => {
		const body = { Email: 'web@acme.example', 'First Name': 'Ada' };
		const item = { headers: {}, params: {}, query: {}, body, executionMode: 'production' };
		const webhook = { type: 'n8n-nodes-base.webhook', typeVersion: 2, parameters: { path: 'web' } };
		await openWorkflow(chain(item, { name: 'Source', ...webhook }, send()));
		await openNode('Send');
		const person = new Person();
		await choosesCampaign(person);
		await person.chooses(page.getByTestId('mapping-mode-select').first(), 'Map Automatically');
		await person.clicks(page.getByTestId('collection-parameter-add').first());
		const option = page.getByTestId('collection-parameter-option');
		await person.clicks(option.filter({ hasText: 'Email Column' }));
		await inputColumn('Email').dragTo(field('emailColumn'));
		const path = async () => await field('emailColumn').locator('input').first().inputValue();
		await until(path, (text) => text === 'body.Email', { what: 'Email Column' });
		await person.executes();
		await surveyed('web@acme.example');
		expect(person.effort).toEqual({ clicks: 7, keys: 0, drags: 0 });
		await outputPanel().getByText('queued').first().waitFor();
		await keepPicture(page, 'job-1-webhook');
	});

	test('tag, reply and close follow each other by {{ $json.id }}, and close the feedback response', async () => {
		const { b } = sandbox;
		const { id } = b.answer({ email: 'ada@acme.example', campaignId: 102, score: 2 });
		const action = (name: string, operation: string, more: object) => ({
			name,
			...nodeB({ resource: 'feedback', operation, feedbackId: '={{ $json.id }}', ...more }),
		});
		await openWorkflow(
			chain(
				{ id, email: 'ada@acme.example', score: 2 },
				{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
				action('Tag', 'addTag', { tagName: { __rl: true, mode: 'name', value: 'by-hand' } }),
				action('Answer', 'reply', { fromUser: 'agent@example.com', message: 'Sorry' }),
				action('Close', 'updateStatus', { status: 'CLOSED' }),
			),
		);
		await openNode('Close');
		await new Person().executes();
		await outputPanel().getByText('CLOSED').first().waitFor();
		await keepPicture(page, 'job-2');
		const feedback = b.state.feedback.find((one) => one.id === id);
		expect(feedback?.status).toBe('CLOSED');
		expect(feedback?.tags).toContainEqual({ name: 'by-hand', category: 'DETRACTOR' });
		expect(b.state.replies.at(-1)).toMatchObject({ message: 'Sorry' });
	});

	test('job 2 from an empty canvas takes 32 clicks, beside the published example of another campaign', async () => {
		const { b } = sandbox;
		await publishExample(101);
		const published = () => b.state.hooks.filter(({ target }) => target.includes('/webhook/'));
		const others = published().length;
		await openPage('workflow/new');
		const person = new Person();
		await adds(person, page.getByTestId('canvas-add-button'), 'On feedback added or changed');
		await person.chooses(field('routeBy'), 'Score Type');
		await person.clicks(page.getByTestId('collection-parameter-add').first());
		const option = page.getByTestId('collection-parameter-option');
		await person.clicks(option.filter({ hasText: 'Campaign Names or IDs' }));
		const campaign = choices().filter({ hasText: 'After support ticket' }).first();
		await person.opens(field('campaignIds'), campaign);
		await person.clicks(campaign);
		await person.executes();
		await outputPanel().getByText('After support ticket').first().waitFor();
		await person.clicks(page.getByTestId('ndv-close-button'));

		const plus = page.getByTestId('canvas-handle-plus');
		await adds(person, plus.first(), 'Add tag to feedback');
		const tag = page.getByTestId('rlc-item').filter({ hasText: 'support' }).first();
		await person.opens(page.getByTestId('resource-locator-tagName').getByTestId('rlc-input'), tag);
		await person.clicks(tag);
		await completes(person);
		await adds(person, plus.last(), 'Reply to feedback');
		await person.types(input('fromUser'), 'agent@example.com');
		await person.types(input('message'), 'We will call you.');
		await completes(person);
		await adds(person, plus.last(), 'Update feedback status');
		await completes(person);
		expect(
			await nodes()
				.filter({ has: page.getByTestId('node-issues') })
				.count(),
		).toBe(0);
		await keepPicture(page, 'job-2-by-hand');
		const publish = page.getByTestId('workflow-publish-button');
		await person.opens(page.getByText('Publish', { exact: true }).first(), publish);
		await person.clicks(publish);
		expect(person.effort).toMatchObject({ clicks: 32, drags: 0 });

		await until(published, (hooks) => hooks.length === others + 1, { what: 'The webhook' });
		const { id } = b.answer({ email: 'by-hand@acme.example', campaignId: 102, score: 2 });
		const writes = () =>
			b.requests
				.filter(({ method, path }) => method !== 'GET' && path.includes(`/feedback/${id}/`))
				.map(({ method, path }) => `${method} ${path.split(`${id}/`)[1]}`);
		await until(writes, (all) => all.length === 3, { what: 'Tag, reply and close' });
		expect(writes()).toEqual(['POST tag/', 'POST reply/', 'PUT ']);
		const feedback = b.state.feedback.find((one) => one.id === id);
		expect(feedback).toMatchObject({ status: 'CLOSED', tags: [{ name: 'support' }] });
	});

	// Left published, the workflow would act on the feedback of other tests.
	afterAll(async () => await deleteWorkflows(host.n8n), 60_000);
}
