import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { WorkflowInput, WorkflowNode } from '../../host/types.mts';
import { workflowSchema } from '../../host/types.mts';

const FOLDER = process.env.SURVEYS_EXAMPLES ?? join(process.cwd(), 'examples');

export const EXAMPLES = readdirSync(FOLDER)
	.filter((file) => file.endsWith('.json'))
	.map((file) => file.replace('.json', ''));

/** Reads an example as a user imports it. */
export function readExample(name: string): WorkflowInput {
	const text = readFileSync(join(FOLDER, `${name}.json`), 'utf8');
	return workflowSchema.parse(JSON.parse(text));
}

/** Returns a hash of what a picture of the workflow shows. */
export function pictureSource({ nodes, connections }: WorkflowInput): string {
	const drawn = nodes.map(({ name, type, position, parameters = {} }) => [
		name,
		type,
		position,
		parameters.content,
		parameters.operation,
	]);
	return createHash('sha256')
		.update(JSON.stringify([drawn, connections]))
		.digest('hex')
		.slice(0, 16);
}

type Credentials = Partial<Record<string, { id: string; name: string }>>;

/** The credential types by node type. The examples name no credential, because n8n refuses to run unknown ones. */
export const CREDENTIALS: Record<string, string> = {
	surveyA: 'surveyAApi',
	surveyATrigger: 'surveyAApi',
	surveyB: 'surveyBApi',
	surveyBTrigger: 'surveyBApi',
	webhook: 'httpHeaderAuth',
	emailSend: 'smtp',
	formTrigger: 'httpBasicAuth',
	googleSheets: 'googleSheetsOAuth2Api',
	hubspot: 'hubspotAppToken',
	hubspotTrigger: 'hubspotDeveloperApi',
	lmChatOpenAi: 'openAiApi',
	postgres: 'postgres',
	slack: 'slackApi',
	zendesk: 'zendeskApi',
};

const located = (value: string) => ({ __rl: true, mode: 'id', value });
const addresses = { fromEmail: 'surveys@example.com', toEmail: 'team@example.com' };

/** Values of the sandbox for the fields that the examples leave empty, by node type and parameter. */
const VALUES: Record<string, Record<string, unknown>> = {
	surveyA: { campaign: located('64a000000000000000000003') },
	surveyB: {
		campaignId: located('101'),
		fromUser: 'agent@example.com',
		message: 'Thank you for your answer. We will write to you today.',
	},
	emailSend: addresses,
	googleSheets: { documentId: located('customers') },
	slack: { channelId: located('detractors') },
};

/**
 * Unpins an example and fills in the values that it leaves to the user: campaigns, addresses, texts and credentials.
 *
 * @param receiverUrl the URL of a server in place of the team's chat and help desk
 */
export function fillIn(
	workflow: WorkflowInput,
	credentials: Credentials,
	receiverUrl = 'http://127.0.0.1:9',
): WorkflowInput {
	const nodes = workflow.nodes.map((node) => {
		const used = chosen(node, credentials);
		return {
			...node,
			parameters: filled(node, receiverUrl),
			credentials: { ...node.credentials, ...used },
		};
	});
	return { ...workflow, nodes, pinData: {} };
}

function filled({ name, type, parameters = {} }: WorkflowNode, receiverUrl: string) {
	const url = `${receiverUrl}/${name.toLowerCase().replaceAll(' ', '-')}`;
	const values = { url, ...VALUES[nodeName(type)] };
	const empty = emptyFields(parameters);
	const missing = Object.entries(values).filter(([field]) => empty.includes(field));
	return { ...parameters, ...Object.fromEntries(missing) };
}

/** Returns the names of empty parameters and of resource locators without a value. */
export function emptyFields(parameters: Record<string, unknown>): string[] {
	const isEmpty = (value: unknown) => value === '' || Object(value).value === '';
	return Object.keys(parameters).filter((name) => isEmpty(parameters[name]));
}

function chosen({ type, credentials: stored = {} }: WorkflowNode, credentials: Credentials) {
	const types = [...Object.keys(stored), CREDENTIALS[nodeName(type)] ?? ''];
	return Object.fromEntries(
		types.flatMap((one) => (credentials[one] ? [[one, credentials[one]]] : [])),
	);
}

/** Returns `surveyB` for `n8n-nodes-surveys.surveyBTool`. */
function nodeName(type: string): string {
	return type.replace(/^.*\.|(Hitl)?Tool$/g, '');
}
