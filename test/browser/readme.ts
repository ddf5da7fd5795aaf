import type { Locator } from 'playwright-core';

import { until } from '../../host/until.mts';
import { fileText } from '../support/files.mts';
import { deleteWorkflows, host, sandbox } from '../support/n8n.mts';
import { openReceiver } from '../support/receiver.mts';
import { keepPicture } from './chromium.mts';
import {
	choices,
	executeButton,
	field,
	nodes,
	openNode,
	openPage,
	page,
	untilVisible,
} from './editor';

// The steps of the README, done in the editor by the labels that it names.

const README = fileText('README.md');

/** The part of the README under a heading. */
function chapter(heading: string): string {
	const [, text = ''] = README.split(`\n## ${heading}`);
	return text.split('\n## ')[0] ?? '';
}

/** Holds the chapter to name something in bold. */
function holds(text: string, label: string): void {
	const bold = [...text.matchAll(/\*\*([^*]+)\*\*/g)].flatMap(([, words = '']) =>
		words.split(' → '),
	);
	expect(bold).toContain(label);
}

/** A button or a field by its label, which the chapter names. */
function named(text: string, label: string): Locator {
	holds(text, label);
	return page.getByText(label, { exact: true }).first();
}

/** Imports an example by the steps that a text names. */
async function imports(text: string, example: string): Promise<void> {
	expect(text).toContain(`${example}.json)`);
	await openPage('workflow/new');
	const menu = page.getByTestId('workflow-menu');
	await untilVisible(named(text, 'Import'), async () => await menu.click());
	await named(text, 'Import').hover();
	const chooser = page.waitForEvent('filechooser');
	await named(text, 'From file').click();
	await (await chooser).setFiles(`examples/${example}.json`);
	await nodes().first().waitFor();
}

/** Opens a node that the chapter names. */
async function opens(text: string, name: string): Promise<void> {
	holds(text, name);
	await openNode(name);
}

async function choosesCredential(text: string, name: string): Promise<void> {
	await named(text, 'Credential').waitFor();
	await chooses(name);
}

async function chooses(name: string): Promise<void> {
	const choice = choices().filter({ hasText: name }).first();
	const select = page.getByTestId('node-credentials-select').first();
	await untilVisible(choice, async () => await select.click());
	await choice.click();
}

async function closesNode(): Promise<void> {
	await page.getByTestId('ndv-close-button').click();
	await executeButton().waitFor({ state: 'hidden' });
}

async function publishes(text: string): Promise<void> {
	const button = page.getByTestId('workflow-publish-button');
	await untilVisible(button, async () => await named(text, 'Publish').click());
	await button.click();
	await page.getByText('Got it').click();
}

/** Writes into a field of the opened node, by the label that the chapter names. */
async function writes(text: string, label: string, name: string, value: string): Promise<void> {
	await named(text, label).waitFor();
	await field(name).locator('input, textarea').first().fill(value);
}

/** Completes the mail of an example. */
async function choosesMailbox(text: string): Promise<void> {
	await opens(text, 'Tell a Person');
	await chooses('Mailbox');
	await writes(text, 'From Email', 'fromEmail', 'surveys@example.com');
	await writes(text, 'To Email', 'toEmail', 'team@example.com');
	await closesNode();
}

/** The steps of a person who follows the README. */
export function readmeTests(): void {
	test('the window that installs the package has the labels that the README names', async () => {
		const text = chapter('Install');
		await openPage('settings/community-nodes');
		await named(text, 'Community nodes').waitFor();
		await named(text, 'Install a community node').click();
		const window = page.getByTestId('communityPackageInstall-modal');
		holds(text, 'npm Package Name');
		await window.getByText('npm Package Name').first().waitFor();
		await window.locator('input[type=text]').first().fill('n8n-nodes-surveys');
		holds(text, 'Install');
		const install = window.getByRole('button', { name: 'Install', exact: true });
		expect(await install.isDisabled()).toBe(true);
		await window.locator('input[type=checkbox], [role=checkbox]').first().click();
		await until(async () => await install.isEnabled(), Boolean);
	});

	test('a new credential is where the README says', async () => {
		const text = chapter('Credentials');
		await page.goto(`${host.n8n.url}/home/workflows`, { waitUntil: 'domcontentloaded' });
		const add = page.getByTestId('universal-add').first();
		const choice = named(text, 'New credential');
		const types = page.getByTestId('new-credential-type-select');
		await untilVisible(types.locator('input'), async () => {
			await untilVisible(choice, async () => await add.click());
			await choice.click();
		});
		for (const type of ['Survey A API', 'Survey B API']) {
			holds(text, type);
			await types.locator('input').fill(type);
			const option = page.getByTestId('new-credential-type-select-option');
			await option.filter({ hasText: type }).first().waitFor();
		}
	});

	beforeAll(async () => {
		const mailbox = { host: '127.0.0.1', port: 9, secure: false };
		await host.n8n.createCredential('smtp', 'Mailbox', mailbox);
	});

	// A workflow that is published here would reply to the feedback of other tests.
	afterAll(async () => await deleteWorkflows(host.n8n), 60_000);

	test('job 1: a CRM event sends a survey', async () => {
		const text = chapter('Job 1');
		const secret = { name: 'x-secret', value: 'example' };
		await host.n8n.createCredential('httpHeaderAuth', 'Header Auth', secret);
		await imports(text, 'crm-event-to-survey');
		await opens(text, 'Send Survey');
		await choosesCredential(text, 'A');
		await named(text, 'Campaign').waitFor();
		const campaign = page.getByTestId('resource-locator-campaign');
		await campaign.getByTestId('rlc-mode-selector').click();
		await choices().filter({ hasText: 'From list' }).first().click();
		await campaign.getByTestId('rlc-input').click();
		await page.getByTestId('rlc-item').first().click();
		await closesNode();
		await opens(text, 'CRM Event');
		await chooses('Header Auth');
		await closesNode();
		await choosesMailbox(text);
		await publishes(text);
		const [, body = ''] = text.match(/-d '([\s\S]*?)'/) ?? [];
		const post = async () =>
			await fetch(`${host.n8n.url}/webhook/crm-event`, {
				method: 'POST',
				headers: { 'content-type': 'application/json', [secret.name]: secret.value },
				body,
			});
		await until(post, ({ status }) => status === 200);
		await until(
			async () => sandbox.a.state.sent.map(({ email }) => email),
			(sent) => sent.includes('nathan@example.com'),
		);
		await named(text, 'Executions').click();
		await page.getByText('Succeeded').first().waitFor();
		await keepPicture(page, 'job-1');
	});

	test("job 2: a detractor's answer takes its own branch", async () => {
		const text = chapter('Job 2');
		const { b } = sandbox;
		const receiver = await openReceiver();
		try {
			await imports(text, 'route-detractors');
			const [, list = ''] = text.match(/^2\. Choose your \*\*Credential\*\* in (.*)\.$/m) ?? [];
			const chosen = [...list.matchAll(/\*\*([^*]+)\*\*/g)].map(([, node = '']) => node);
			expect(chosen).toHaveLength(4);
			for (const node of chosen) {
				await opens(text, node);
				await choosesCredential(text, 'B');
				await closesNode();
			}
			await opens(text, 'Reply');
			await writes(text, 'Message', 'message', 'We will call you today.');
			await writes(text, 'From User', 'fromUser', 'lead@example.com');
			await closesNode();
			for (const node of ['Alert Team', 'Open Ticket']) {
				await opens(text, node);
				await writes(text, 'URL', 'url', `${receiver.url}/${node.replace(' ', '-')}`);
				await closesNode();
			}
			await publishes(text);
			await until(
				async () => b.state.hooks.length,
				(count) => count > 0,
			);
			const { id } = b.answer({ email: 'gone@example.com', campaignId: 101, score: 1 });
			const feedback = await until(
				async () => b.state.feedback.find((one) => one.id === id),
				(one) => one?.status === 'CLOSED',
			);
			expect(feedback).toMatchObject({ status: 'CLOSED' });
			expect(b.state.replies).toMatchObject([{ message: 'We will call you today.' }]);
			expect(receiver.calls.map(({ path }) => path)).toEqual(['/Alert-Team', '/Open-Ticket']);
			await keepPicture(page, 'job-2');
		} finally {
			await receiver.close();
		}
	});
}
