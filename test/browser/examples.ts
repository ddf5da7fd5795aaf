import { until } from '../../host/until.mts';
import { EXAMPLES, emptyFields, fillIn, readExample } from '../support/examples.mts';
import { fileText } from '../support/files.mts';
import { deleteWorkflows, host, sandbox, type WorkflowInput } from '../support/n8n.mts';
import { keepPicture } from './chromium.mts';
import { executeButton, field, nodes, openNode, openWorkflow, page } from './editor';
import { Person } from './person';
import { imports } from './readme';

/** Returns an example as a user has it who has chosen the credentials and nothing else. */
function withCredentials(name: string): WorkflowInput {
	const workflow = readExample(name);
	const { nodes } = fillIn(workflow, host.credentials);
	return {
		...workflow,
		nodes: workflow.nodes.map((node, i) => ({ ...node, credentials: nodes[i]?.credentials })),
	};
}

/** The nodes of the queue that need a credential. n8n chooses the only one of its type when the node is opened. */
const QUEUE_NODES = [
	'Queue by Webhook',
	'Queue by Form',
	'Get Outbox of Each',
	'Get Outbox of Person',
	'Get Contact',
	'Send by Survey A',
	'Send by Survey B',
	'Tell a Person',
];

const LOGIN = { username: 'lead', password: 'example' };

/** Opens a node, completes it and closes it. */
async function inNode(person: Person, name: string, act = async () => {}): Promise<void> {
	await openNode(name);
	// A double click.
	person.effort.clicks += 2;
	await act();
	await person.clicks(page.getByTestId('ndv-close-button'));
	await executeButton().waitFor({ state: 'hidden' });
}

/** Fills in n8n's form in a window of its own, whose user has logged in. */
async function submitForm(url: string, email: string): Promise<void> {
	const form = await page.context().browser()?.newPage({ httpCredentials: LOGIN });
	if (!form) throw new RangeError('there is no browser');
	const open = async () => (await form.goto(url))?.status();
	await until(open, (status) => status === 200, { what: 'The form' });
	await form.locator('input[type=email]').fill(email);
	await form.getByRole('button', { name: 'Submit' }).click();
	await form.getByText('Form Submitted').waitFor();
	await form.close();
}

/** Runs the hourly branch on the real data, in working hours. */
async function runHourly(id: string): Promise<void> {
	const workflow = await host.n8n.workflow(id);
	const settings = Object(workflow.nodes.find(({ name }) => name === 'Settings')?.parameters);
	for (const one of settings.assignments.assignments) {
		if (one.name === 'workDays') one.value = '[1, 2, 3, 4, 5, 6, 7]';
		if (one.name === 'fromHour') one.value = 0;
		if (one.name === 'toHour') one.value = 24;
	}
	await host.n8n.updateWorkflow(id, { ...workflow, pinData: {} });
	const run = await host.n8n.run(id, { trigger: 'Every Hour' });
	expect(run.error).toBeUndefined();
}

/** Opens each example in the editor. */
export function exampleTests(): void {
	test.each(EXAMPLES)(
		'%s: the editor knows every node, marks each empty field red, and then publishes nothing',
		async (name) => {
			const workflow = withCredentials(name);
			await openWorkflow(workflow);
			const drawn = workflow.nodes.filter(({ type }) => !type.endsWith('stickyNote'));
			await until(
				async () => await nodes().count(),
				(count) => count === drawn.length,
			);
			expect(await page.locator('text=/unknown node|install this node/i').count()).toBe(0);
			const incomplete = drawn
				.filter(({ name }) => !(name in (workflow.pinData ?? {})))
				.filter(({ parameters = {} }) => emptyFields(parameters).length > 0)
				.map((node) => node.name);
			const marked = nodes().filter({ has: page.getByTestId('node-issues') });
			const names = async () =>
				await marked.evaluateAll((all) => all.map((one) => one.getAttribute('data-node-name')));
			await until(names, (found) => incomplete.every((one) => found.includes(one)));
			if (incomplete.length === 0) return;
			const publish = page.getByTestId('workflow-open-publish-modal-button');
			await until(async () => await publish.isDisabled(), Boolean);
		},
	);

	test('the survey queue takes 34 clicks and three typed values from import to publishing, and surveys the first person', async () => {
		const { n8n } = host;
		const secret = { name: 'x-secret', value: 'example' };
		await n8n.createCredential('httpHeaderAuth', 'Secret', secret);
		const { username: user, password } = LOGIN;
		await n8n.createCredential('httpBasicAuth', 'Login', { user, password });
		await n8n.createCredential('smtp', 'Mailbox', { host: '127.0.0.1', port: 9, secure: false });
		const person = new Person();
		await imports(fileText('examples/README.md'), 'survey-queue');
		// The menu and From file.
		person.effort.clicks += 2;
		await inNode(person, 'Defaults', async () => {
			const values = page.getByTestId('assignment-value').locator('input, textarea');
			await person.types(values.nth(1), '64a000000000000000000003');
		});
		for (const name of QUEUE_NODES) {
			await inNode(person, name, async () => {
				if (name !== 'Tell a Person') return;
				await person.types(field('fromEmail').locator('input').first(), 'surveys@example.com');
				await person.types(field('toEmail').locator('input').first(), 'team@example.com');
			});
		}
		await keepPicture(page, 'queue');
		const publish = page.getByTestId('workflow-publish-button');
		await person.opens(page.getByText('Publish', { exact: true }).first(), publish);
		await person.clicks(publish);
		await page.getByText('Got it').click();
		expect(person.effort.clicks).toBe(34);

		const id = /workflow\/(\w+)/.exec(page.url())?.[1] ?? '';
		const { webhookId } =
			(await n8n.workflow(id)).nodes.find((node) => node.name === 'Queue by Form') ?? {};
		await submitForm(`${n8n.url}/form/${webhookId}`, 'first@acme.example');
		const runs = async () => (await n8n.executions(id)).map(({ status }) => status);
		await until(runs, (all) => all.includes('success'), { what: 'The run of the form' });
		await runHourly(id);
		expect(sandbox.a.state.sent.map(({ email }) => email)).toContain('first@acme.example');
	});

	// The published queue would go on sending surveys.
	afterAll(async () => await deleteWorkflows(host.n8n), 60_000);
}
