import type { Sandbox } from '../sandbox/index.ts';
import type { WorkflowNode } from '../test/support/n8n.mts';

type Node = Pick<WorkflowNode, 'type' | 'typeVersion' | 'parameters' | 'onError'>;

type SideName =
	| 'HTTP Request'
	| 'HTTP Request, batched'
	| 'Map Automatically'
	| 'Map Automatically, going on'
	| 'Three expressions'
	| 'Three expressions, going on'
	| 'Edit Fields'
	| 'Return All'
	| 'From memory';

/** One way to do a piece of work. */
export interface Side {
	name: SideName;
	node: Node;
	/** Rows that go in; the expression by which n8n makes them. */
	rows: number;
	/** n8n's own node after it that makes items of the pages, where the side needs one. */
	splitOut?: string;
}

/** The same work, done in several ways. */
export interface Case {
	name: string;
	service: 'a' | 'b';
	sides: Side[];
	/** Rows that the service holds before. */
	seed?(sandbox: Sandbox): void;
	/** Rows that come out, where they are not those that go in. */
	rowsOut?: number;
}

/** Rows for what takes a request or three expressions a row: more would only take longer. */
const FEW = 2000;
const MANY = 10_000;
/** Rows of the lists that are read. */
export const FEEDBACK = 50_000;
/** What waits a second after every fifty rows. */
const BATCHED = 500;

const columns = { firstName: 'first', company: 'company' };
const three = {
	columns: {
		mappingMode: 'defineBelow',
		value: {
			email: '={{ $json.email }}',
			firstName: `={{ $json.${columns.firstName} }}`,
			company: `={{ $json.${columns.company} }}`,
		},
	},
};

const ours = (type: string, parameters: object): Node => ({
	type: `n8n-nodes-surveys.${type}`,
	typeVersion: 1,
	parameters: { ...parameters },
});

const goingOn = (node: Node): Node => ({ ...node, onError: 'continueRegularOutput' });

function httpRequest(credential: string, parameters: object): Node {
	return {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: {
			authentication: 'predefinedCredentialType',
			nodeCredentialType: credential,
			...parameters,
		},
	};
}

const sending = (credential: string, url: string, body: string) =>
	httpRequest(credential, {
		method: 'POST',
		url,
		sendBody: true,
		specifyBody: 'json',
		jsonBody: body,
	});

const CUSTOMER = '{ email: $json.email, first_name: $json.first, company: $json.company }';

/** The same three expressions in n8n's own node: what n8n itself takes for them. */
const editFields: Node = {
	type: 'n8n-nodes-base.set',
	typeVersion: 3.4,
	parameters: {
		mode: 'manual',
		assignments: {
			assignments: ['email', 'first', 'company'].map((name) => ({
				id: name,
				name,
				type: 'string',
				value: `={{ $json.${name} }}`,
			})),
		},
		options: {},
	},
};

/** The pages of a list from memory: the least that a node needs to give the same items. */
const fromMemory = (path: string, rowsKey: string): Side => ({
	name: 'From memory',
	rows: 1,
	node: { type: 'CUSTOM.fromMemory', typeVersion: 1, parameters: { path, rowsKey } },
});

/**
 * What the benchmark measures.
 *
 * @param pages where the pages of the lists lie for the node that gives them from memory
 */
export function cases({ a, b }: Sandbox, pages: { a: string; b: string }): Case[] {
	const campaign = { __rl: true, mode: 'id', value: String(a.state.campaigns[0]?.id) };
	const automatic = { columns: { mappingMode: 'autoMapInputData', value: null } };
	const upsert = { resource: 'customer', operation: 'upsert' };
	const send = { resource: 'survey', operation: 'send', campaign };
	const sendB = {
		resource: 'survey',
		operation: 'send',
		campaignId: { __rl: true, mode: 'id', value: '101' },
	};
	const httpB = sending(
		'surveyBApi',
		`${b.url}/api/v2/survey/`,
		'={{ { campaign_id: 101, contact: { email: $json.email, first_name: $json.first, attributes: { company: $json.company } } } }}',
	);
	const inBatches = { options: { batching: { batch: { batchSize: 50, batchInterval: 1000 } } } };
	return [
		{
			name: 'Create or update customers (A)',
			service: 'a',
			sides: [
				{
					name: 'HTTP Request',
					rows: FEW,
					node: sending(
						'surveyAApi',
						`${a.url}/api/v2/nps/customers`,
						`={{ { subscribers: [${CUSTOMER}] } }}`,
					),
				},
				{ name: 'Edit Fields', rows: FEW, node: editFields },
				{ name: 'Three expressions', rows: FEW, node: ours('surveyA', { ...upsert, ...three }) },
				{
					name: 'Three expressions, going on',
					rows: FEW,
					node: goingOn(ours('surveyA', { ...upsert, ...three })),
				},
				{
					name: 'Map Automatically',
					rows: MANY,
					node: ours('surveyA', { ...upsert, ...automatic }),
				},
			],
		},
		{
			name: 'Send surveys (A)',
			service: 'a',
			sides: [
				{
					name: 'HTTP Request',
					rows: FEW,
					node: sending(
						'surveyAApi',
						`${a.url}/api/v2/survey`,
						`={{ { campaign: '${campaign.value}', subscribers: [${CUSTOMER}] } }}`,
					),
				},
				{ name: 'Edit Fields', rows: FEW, node: editFields },
				{ name: 'Three expressions', rows: FEW, node: ours('surveyA', { ...send, ...three }) },
				{
					name: 'Three expressions, going on',
					rows: FEW,
					node: goingOn(ours('surveyA', { ...send, ...three })),
				},
				{ name: 'Map Automatically', rows: MANY, node: ours('surveyA', { ...send, ...automatic }) },
				{
					name: 'Map Automatically, going on',
					rows: MANY,
					node: goingOn(ours('surveyA', { ...send, ...automatic })),
				},
			],
		},
		{
			name: 'Send surveys (B)',
			service: 'b',
			sides: [
				{ name: 'HTTP Request', rows: FEW, node: httpB },
				{
					name: 'HTTP Request, batched',
					rows: BATCHED,
					node: { ...httpB, parameters: { ...httpB.parameters, ...inBatches } },
				},
				{ name: 'Map Automatically', rows: FEW, node: ours('surveyB', { ...sendB, ...automatic }) },
			],
		},
		{
			name: `Read ${FEEDBACK.toLocaleString('en')} feedback responses (B)`,
			service: 'b',
			rowsOut: FEEDBACK,
			seed: () => b.seedFeedback(FEEDBACK - b.state.feedback.length),
			sides: [
				{
					name: 'HTTP Request',
					rows: 1,
					splitOut: 'results',
					node: httpRequest('surveyBApi', {
						url: `${b.url}/api/v2/feedback/`,
						options: pagination({
							paginationMode: 'responseContainsNextURL',
							nextURL: '={{ $response.body.next }}',
							paginationCompleteWhen: 'other',
							completeExpression: '={{ !$response.body.next }}',
						}),
					}),
				},
				{
					name: 'Return All',
					rows: 1,
					node: ours('surveyB', {
						resource: 'feedback',
						operation: 'getAll',
						returnAll: true,
						simplify: false,
					}),
				},
				fromMemory(pages.b, 'results'),
			],
		},
		{
			name: `Read ${FEEDBACK.toLocaleString('en')} feedback responses (A)`,
			service: 'a',
			rowsOut: FEEDBACK,
			seed: () => a.seedFeedback(FEEDBACK - a.state.feedback.length),
			sides: [
				{
					name: 'HTTP Request',
					rows: 1,
					splitOut: 'data.responses',
					node: httpRequest('surveyAApi', {
						url: `${a.url}/api/v2/feedback`,
						sendQuery: true,
						queryParameters: { parameters: [{ name: 'limit', value: '1000' }] },
						options: pagination({
							paginationMode: 'updateAParameterInEachRequest',
							parameters: {
								parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }],
							},
							paginationCompleteWhen: 'other',
							completeExpression: '={{ $response.body.data.page >= $response.body.data.pages }}',
						}),
					}),
				},
				{
					name: 'Return All',
					rows: 1,
					node: ours('surveyA', {
						resource: 'feedback',
						operation: 'getAll',
						returnAll: true,
						simplify: false,
					}),
				},
				fromMemory(pages.a, 'data.responses'),
			],
		},
	];
}

const pagination = (settings: object) => ({ pagination: { pagination: settings } });

/** The columns of row `i`, as n8n makes them. */
export const ROW =
	"({ email: 'person' + i + '@example.com', first: 'First ' + i, company: 'Company ' + (i % 50) })";
