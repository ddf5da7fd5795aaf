import { chain } from '../../host/index.mts';
import { until } from '../../host/until.mts';
import { forDemo } from '../../scripts/demo/workflows.mts';
import type { Locator } from 'playwright-core';

import { fillIn, readExample } from '../support/examples.mts';
import { deleteWorkflows, host, sandbox } from '../support/n8n.mts';
import { keepPicture } from './chromium.mts';
import {
	choices,
	executeButton,
	field,
	nodeA,
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

/** Publishes the example of job 2 for the demo's campaign, as `npm start` does. */
async function publishExample(): Promise<void> {
	const example = fillIn(readExample('route-detractors'), host.credentials);
	await host.n8n.activate(await host.n8n.createWorkflow(forDemo(example)));
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

/** Runs the workflow by hand twice. The second sample is the same response, which has the tag and a reply then. */
async function runsTwice(): Promise<void> {
	const all = () => sandbox.b.requests.filter(({ path }) => path.endsWith('/reply/'));
	const before = all().length;
	const statuses = () =>
		all()
			.map(({ status }) => status)
			.slice(before);
	for (const expected of [[200], [200, 400]]) {
		await page.getByRole('button', { name: 'Execute workflow' }).last().click();
		const isReplied = (found: unknown[]) => String(found) === String(expected);
		await until(statuses, isReplied, { what: 'The replies' });
	}
	await page.getByText('Reply already exists for this feedback.').first().waitFor();
}

function input(name: string): Locator {
	return field(name).locator('input, textarea').first();
}

/** Building the jobs of the README by hand. */
export function jobTests(): void {
	test('a customer in the body of a Webhook node is surveyed after seven clicks and one drag', async () => {
		const body = { Email: 'web@acme.example', 'First Name': 'Ada' };
		const item = { headers: {}, params: {}, query: {}, body, executionMode: 'production' };
		const send = { name: 'Send', ...nodeA({ resource: 'survey', operation: 'send' }) };
		const webhook = { type: 'n8n-nodes-base.webhook', typeVersion: 2, parameters: { path: 'web' } };
		await openWorkflow({
			...{ name: 'By hand', nodes: [{ name: 'Source', ...webhook }, send] },
			connections: chain('Source', 'Send'),
			pinData: { Source: [{ json: item }] },
		});
		await openNode('Send');
		const person = new Person();
		await choosesCampaign(person);
		await person.chooses(page.getByTestId('mapping-mode-select').first(), 'Map Automatically');
		await person.clicks(page.getByTestId('collection-parameter-add').first());
		const option = page.getByTestId('collection-parameter-option');
		await person.clicks(option.filter({ hasText: 'Email Column' }));
		await inputColumn('Email').dragTo(field('emailColumn'));
		const expression = async () => await field('emailColumn').innerText();
		await until(expression, (text) => text.includes('$json.body.Email'), { what: 'Email Column' });
		await person.executes();
		await until(
			() => sandbox.a.state.sent.filter(({ email }) => email === body.Email),
			(sent) => sent.length === 1,
			{ what: 'The survey' },
		);
		expect(person.effort).toEqual({ clicks: 7, keys: 0 });
		await outputPanel().getByText('queued').first().waitFor();
		await keepPicture(page, 'job-1-webhook');
	});

	test('job 2 from an empty canvas takes 32 clicks, runs by hand twice, and is published beside the example of another campaign', async () => {
		const { b } = sandbox;
		await publishExample();
		// n8n removes those of earlier tests some seconds after their workflows.
		const others = new Set(b.state.hooks);
		const published = () =>
			b.state.hooks.filter((hook) => hook.target.includes('/webhook/') && !others.has(hook));
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
		await runsTwice();
		const publish = page.getByTestId('workflow-publish-button');
		await person.opens(page.getByText('Publish', { exact: true }).first(), publish);
		await person.clicks(publish);
		expect(person.effort).toMatchObject({ clicks: 32 });

		await until(published, (hooks) => hooks.length === 1, { what: 'The webhook' });
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
