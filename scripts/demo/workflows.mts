import type { N8n, WorkflowInput } from '../../host/index.mts';
import type { PublicN8n } from '../../host/publicApi.mts';
import type { Sandbox } from '../../sandbox/index.ts';
import { fillIn, readExample } from '../../test/support/examples.mts';
import { print, printFailure } from './print.mts';

export type DemoN8n = N8n | PublicN8n;

/** The webhook path of the first example in the demo, so that n8n publishes the example itself beside it. */
export const CRM_PATH = 'demo-crm-event';

/** The person whose answer starts the second workflow. */
export const DETRACTOR = {
	email: 'grace@customer.example',
	campaignId: 101,
	score: 3,
	comment: 'The export has been failing since Monday.',
};

/** A workflow of the demo. It has no ID if n8n did not take it. */
export interface DemoWorkflow {
	id?: string;
	isPublished: boolean;
}

interface Named {
	id: string;
	name: string;
}

/** Sets the workflows of the demo anew, publishes them, and prints what did not succeed. An archived one stays as it is. */
export async function demoWorkflows(
	n8n: DemoN8n,
	{ a, b }: Sandbox,
	teamUrl: string,
): Promise<{ crm: DemoWorkflow; detractors: DemoWorkflow }> {
	const kept = await n8n.credentials();
	const credentials = {
		surveyAApi: await credential(n8n, kept, 'surveyAApi', 'Sandbox A', a),
		surveyBApi: await credential(n8n, kept, 'surveyBApi', 'Sandbox B', b),
	};
	const publish = async (example: string) =>
		await demoWorkflow(n8n, forDemo(fillIn(readExample(example), credentials, teamUrl)));
	return {
		crm: await publish('crm-event-to-survey'),
		detractors: await publish('route-detractors'),
	};
}

/** Creates a credential for a service, or sets the one with this name anew: its service may have moved to another port. */
async function credential(
	n8n: DemoN8n,
	kept: Array<Named & { type: string }>,
	type: string,
	name: string,
	service: Sandbox['a' | 'b'],
): Promise<Named> {
	const data = { baseUrl: service.url, apiKey: service.apiKey, requestsPerMinute: 0 };
	const found = kept.find((one) => one.type === type && one.name === name);
	if (!found) return await n8n.createCredential(type, name, data);
	await n8n.updateCredential(found.id, type, name, data);
	return { id: found.id, name };
}

async function demoWorkflow(n8n: DemoN8n, workflow: WorkflowInput): Promise<DemoWorkflow> {
	const { name } = workflow;
	const found = (await n8n.workflows()).filter((one) => one.name === name);
	const kept = found.find(({ isArchived }) => !isArchived);
	if (!kept && found[0]) {
		print('Archived', `"${name}" stays archived`);
		return { id: found[0].id, isPublished: false };
	}
	let id = kept?.id;
	try {
		// The services are new at every start: the webhook must be registered again.
		if (kept?.active) await n8n.deactivate(kept.id);
		if (kept) await n8n.updateWorkflow(kept.id, workflow);
		id ??= await n8n.createWorkflow(workflow);
		await n8n.activate(id);
	} catch (error) {
		printFailure(`"${name}"`, error);
		return { id, isPublished: false };
	}
	print(kept ? 'Updated' : 'Imported', `"${name}", published: ${n8n.url}/workflow/${id}`);
	return { id, isPublished: true };
}

/**
 * Gives an example a name and a webhook path of the demo, because n8n publishes a path only once. The webhook asks for no
 * secret, since only this computer reaches the demo's n8n. No mail goes out, since there is no mail server. Its triggers of
 * Survey B listen to the demo's campaign only. Otherwise the demo replies to each answer first, and Survey B refuses the
 * reply of a workflow that the user builds beside it.
 */
export function forDemo(workflow: WorkflowInput): WorkflowInput {
	const nodes = workflow.nodes.map((node) => {
		if (node.type.endsWith('.surveyBTrigger')) {
			const campaignIds = [String(DETRACTOR.campaignId)];
			const filters = { ...Object(node.parameters?.filters), campaignIds };
			return { ...node, parameters: { ...node.parameters, filters } };
		}
		if (node.type.endsWith('.emailSend')) return { ...node, disabled: true };
		if (!node.type.endsWith('.webhook')) return node;
		return {
			...node,
			webhookId: undefined,
			parameters: { ...node.parameters, path: CRM_PATH, authentication: 'none' },
		};
	});
	return { ...workflow, name: `Demo: ${workflow.name}`, nodes };
}
