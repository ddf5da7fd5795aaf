import { until } from '../../host/until.mts';
import type { Sandbox } from '../../sandbox/index.ts';
import type { Receiver } from '../../test/support/receiver.mts';
import { answerUntilDelivered, isOk } from '../answerUntilDelivered.mts';
import { print, printFailure } from './print.mts';
import { CRM_PATH, DETRACTOR, type DemoN8n, type DemoWorkflow } from './workflows.mts';

const STEP_TIMEOUT_MS = 240_000;

// New people at each start: the example surveys nobody twice within two days.
const START = Date.now();
const CUSTOMERS = [
	{ email: `ada.${START}@customer.example`, first_name: 'Ada', last_name: 'Byron' },
	{ email: `alan.${START}@customer.example`, first_name: 'Alan', last_name: 'Turing' },
];

export interface Demo {
	n8n: DemoN8n;
	sandbox: Sandbox;
	/** Takes the place of the chat and the help desk. */
	team: Receiver;
}

/** A workflow and what happens with it, one step after the other. */
interface Story {
	workflow: DemoWorkflow;
	run(): Promise<void>;
}

/** Runs one round through the published workflows. Returns whether every step of both was observed. */
export async function round(
	demo: Demo,
	workflows: { crm: DemoWorkflow; detractors: DemoWorkflow },
): Promise<boolean> {
	const stories = [surveyOfCustomers(demo, workflows.crm), answer(demo, workflows.detractors)];
	let isComplete = true;
	for (const story of stories) {
		if (!(await isObserved(story))) {
			isComplete = false;
			await explain(demo.n8n, story.workflow);
		}
	}
	return isComplete;
}

function surveyOfCustomers({ n8n, sandbox: { a } }: Demo, workflow: DemoWorkflow): Story {
	return {
		workflow,
		async run() {
			const url = `${n8n.url}/webhook/${CRM_PATH}`;
			await send(`CRM event of ${CUSTOMERS.length} customers`, url, { customers: CUSTOMERS });
			await observe('Service A was asked to survey the customers', done(a, 'POST /api/v2/survey'));
		},
	};
}

function answer({ sandbox: { b }, team }: Demo, workflow: DemoWorkflow): Story {
	const feedback = '/api/v2/feedback/\\d+/';
	const { campaignId: campaign_id, email, score, comment } = DETRACTOR;
	return {
		workflow,
		async run() {
			await observe('Service B has the trigger registered', done(b, 'POST /api/v2/hooks'));
			const url = `${b.url}/api/v2/survey/`;
			const body = { campaign_id, contact: { email } };
			await send(`Survey to ${email}`, url, body, `Token ${b.apiKey}`);
			print('Answer', `${email} gives ${score} of 10: "${comment}"`);
			await answerUntilDelivered(b, DETRACTOR, STEP_TIMEOUT_MS);
			print('  ✓', 'Service B delivered the answer to n8n');
			await observe('The team got an alert and a ticket', () =>
				['/alert-team', '/open-ticket'].every((path) =>
					team.calls.some((call) => call.path === path),
				),
			);
			await observe('The customer got a reply', done(b, `POST ${feedback}reply/`));
			await observe('The feedback was closed', done(b, `PUT ${feedback}`));
		},
	};
}

/** After a step that does not happen, nothing more is waited for. */
async function isObserved({ workflow, run }: Story): Promise<boolean> {
	if (!workflow.isPublished) return false;
	try {
		await run();
		return true;
	} catch (error) {
		printFailure('Not observed', error);
		return false;
	}
}

/** Waits until a step is observed, and prints it. */
async function observe(step: string, happened: () => boolean): Promise<void> {
	await until(happened, Boolean, { what: `"${step}"`, timeoutMs: STEP_TIMEOUT_MS });
	print('  ✓', step);
}

/** Prints the last run of a workflow. */
async function explain(n8n: DemoN8n, { id, isPublished }: DemoWorkflow): Promise<void> {
	const run = id && isPublished ? (await n8n.executions(id)).at(-1) : undefined;
	if (!run) return;
	const reason = run.error ? `: ${run.error.message} ${run.error.description ?? ''}` : '';
	print('', `execution ${run.id}, ${run.status} at ${run.lastNode}${reason}`);
}

/** Sends a request, and prints the status of the response. n8n registers a webhook shortly after it is published. */
async function send(what: string, url: string, body: object, authorization = ''): Promise<void> {
	const headers = { 'content-type': 'application/json', authorization };
	const post = async () =>
		(await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).status;
	const limit = { what: `The status of ${url}`, timeoutMs: STEP_TIMEOUT_MS };
	const status = await until(post, (one) => one !== 404, limit);
	print('Sent', `${what} to ${url}: ${status}`);
	if (!isOk(status)) throw new Error(`${what}: HTTP ${status}`);
}

/** Returns a function that returns whether a service has carried out a request such as `POST /api/v2/survey`. */
function done(service: Sandbox['a' | 'b'], line: string): () => boolean {
	const pattern = new RegExp(`^${line}`);
	return () =>
		service.requests.some(
			({ method, path, status }) => pattern.test(`${method} ${path}`) && isOk(status),
		);
}
