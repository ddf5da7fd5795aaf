// Measures this package against n8n's own HTTP Request node: the same work, in the same real n8n, against
// the same sandbox. The services count the requests; the seconds are the node's own in n8n's records.
// Run: `npm run bench`.
import { builtPackage } from '../scripts/build.mts';
import { atEnd, runMain } from '../scripts/processes.mts';
import { startSandbox, type Sandbox } from '../sandbox/index.ts';
import { rowsInto, startHost, type Host, type WorkflowNode } from '../test/support/n8n.mts';

type Node = Pick<WorkflowNode, 'type' | 'parameters'>;

interface Job {
	name: string;
	service: 'a' | 'b';
	rows: object[];
	ours: Node;
	http: Node;
	/** Milliseconds that the service takes for an answer. */
	latency: number;
}

const people = (count: number) =>
	Array.from({ length: count }, (_, i) => ({ email: `person${i}@example.com` }));

const ours = (type: string, parameters: object): Node => ({
	type: `n8n-nodes-surveys.${type}`,
	parameters: { ...parameters },
});

function httpRequest(credential: string, parameters: object): Node {
	return {
		type: 'n8n-nodes-base.httpRequest',
		parameters: {
			authentication: 'predefinedCredentialType',
			nodeCredentialType: credential,
			...parameters,
		},
	};
}

const jsonBody = (method: string, url: string, body: string) => ({
	method,
	url,
	sendBody: true,
	specifyBody: 'json',
	jsonBody: body,
});

function jobs({ a, b }: Sandbox): Job[] {
	const campaign = String(a.state.campaigns[0]?.id);
	const email = '={{ $json.email }}';
	return [
		{
			name: 'Survey 2,000 customers (A)',
			service: 'a',
			rows: people(2000),
			latency: 20,
			ours: ours('surveyA', { resource: 'survey', operation: 'send', campaign, email }),
			http: httpRequest(
				'surveyAApi',
				jsonBody(
					'POST',
					`${a.url}/api/v2/survey`,
					`={{ { campaign: '${campaign}', subscribers: [{ email: $json.email }] } }}`,
				),
			),
		},
		{
			name: 'Create or update 2,000 customers (A)',
			service: 'a',
			rows: people(2000),
			latency: 20,
			ours: ours('surveyA', { resource: 'customer', operation: 'upsert', email }),
			http: httpRequest(
				'surveyAApi',
				jsonBody(
					'POST',
					`${a.url}/api/v2/nps/customers`,
					'={{ { subscribers: [{ email: $json.email }] } }}',
				),
			),
		},
		{
			name: 'Survey 500 contacts, one a request (B)',
			service: 'b',
			rows: people(500),
			latency: 20,
			ours: ours('surveyB', { resource: 'survey', operation: 'send', campaignId: '101', email }),
			http: httpRequest(
				'surveyBApi',
				jsonBody(
					'POST',
					`${b.url}/api/v2/survey/`,
					'={{ { campaign_id: 101, contact: { email: $json.email } } }}',
				),
			),
		},
		{
			name: 'Read 10,000 feedback (B)',
			service: 'b',
			rows: [{}],
			latency: 20,
			ours: ours('surveyB', {
				resource: 'feedback',
				operation: 'getAll',
				returnAll: true,
				simplify: false,
			}),
			http: httpRequest('surveyBApi', {
				url: `${b.url}/api/v2/feedback/`,
				options: {
					pagination: {
						pagination: {
							paginationMode: 'responseContainsNextURL',
							nextURL: '={{ $response.body.next }}',
							paginationCompleteWhen: 'other',
							completeExpression: '={{ !$response.body.next }}',
						},
					},
				},
			}),
		},
	];
}

async function measure(host: Host, sandbox: Sandbox, job: Job, node: Node) {
	const service = sandbox[job.service];
	service.reset();
	if (job.service === 'b') sandbox.b.seedFeedback(10_000 - sandbox.b.state.feedback.length);
	service.faults.add({ kind: { delayMs: job.latency }, times: Infinity });
	const { surveyAApi, surveyBApi } = host.credentials;
	const id = await host.n8n.createWorkflow(
		rowsInto(
			{
				...node,
				typeVersion: node.type.includes('base') ? 4.2 : 1,
				credentials: { surveyAApi, surveyBApi },
			},
			job.rows,
		),
	);
	const execution = await host.n8n.run(id, { timeoutMs: 300_000 });
	const [ran] = execution.nodes.Tested ?? [];
	if (execution.status !== 'success') throw new Error(`${job.name}: ${execution.error?.message}`);
	return { requests: service.requests.length, seconds: (ran?.executionTime ?? 0) / 1000 };
}

async function main(): Promise<number> {
	process.env.SURVEYS_TARBALL = await builtPackage();
	const sandbox = await startSandbox();
	atEnd(async () => await sandbox.close());
	const host = await startHost(sandbox);
	atEnd(async () => await host.end());
	console.log('| Work | HTTP Request | This package |');
	console.log('| --- | --- | --- |');
	for (const job of jobs(sandbox)) {
		const told: string[] = [];
		for (const node of [job.http, job.ours]) {
			const { requests, seconds } = await measure(host, sandbox, job, node);
			told.push(`${requests} requests, ${seconds.toFixed(2)} s`);
		}
		console.log(`| ${job.name} | ${told.join(' | ')} |`);
	}
	return 0;
}

await runMain(main);
