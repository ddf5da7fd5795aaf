import type { Sandbox } from '../sandbox/index.ts';
import type { WorkflowNode } from '../test/support/n8n.mts';
import type { Floor } from './floor.mts';

type Node = Pick<WorkflowNode, 'type' | 'typeVersion' | 'parameters' | 'onError'>;

type SideName =
	| 'HTTP Request'
	| 'HTTP Request, batched'
	| 'Edit Fields'
	| 'From memory'
	| 'Expressions'
	| 'Expressions, Continue'
	| 'Map Automatically'
	| 'Map Automatically, Continue'
	| 'Return All';

/** One way to do the work of a case. */
export interface Side {
	name: SideName;
	node: Node;
	/** Input rows. */
	rows: number;
	/** The field that Split Out turns into items, if the side needs it. */
	splitOut?: string;
	/** Only for this package: its lower bound. */
	floor?: Floor;
}

/** The same work, done in several ways. */
export interface Case {
	name: string;
	service: 'a' | 'b';
	sides: Side[];
	/** Adds the rows that the service holds before the run. */
	seed?(sandbox: Sandbox): void;
	/** Output rows, if not as many as input rows. */
	rowsOut?: number;
}

/** Numbers of rows. */
export interface Sizes {
	/** For a request or a few expressions per row: more rows only take longer in proportion. */
	few: number;
	/** For HTTP Request with a request per row. */
	http: number;
	many: number;
	/** Feedback in the lists. */
	feedback: number;
	/** For the side that waits a second after every fifty rows. */
	batched: number;
}

export const FULL: Sizes = {
	few: 3000,
	http: 3000,
	many: 10_000,
	feedback: 50_000,
	batched: 500,
};

/** Sizes for a table within minutes. */
export const QUICK: Sizes = {
	few: 1500,
	http: 1000,
	many: 10_000,
	feedback: 20_000,
	batched: 100,
};

/** Returns sizes for a trial of the benchmark itself. */
export const trialSizes = (rows: number): Sizes => ({
	few: rows,
	http: rows,
	many: rows,
	feedback: Math.max(rows, 10),
	batched: rows,
});

const FIELDS = ['email', 'first', 'company'];

/** This package, with all columns of the row. */
const automatic = { columns: { mappingMode: 'autoMapInputData', value: null, schema: [] } };

/** This package, with three expressions. */
const expressions = {
	columns: {
		mappingMode: 'defineBelow',
		value: {
			email: '={{ $json.email }}',
			firstName: '={{ $json.first }}',
			company: '={{ $json.company }}',
		},
		schema: [],
	},
};

const ours = (type: string, parameters: object): Node => ({
	type: `n8n-nodes-surveys.${type}`,
	typeVersion: 1,
	parameters: { ...parameters },
});

const locator = (value: string) => ({ __rl: true, mode: 'id', value });

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

/** HTTP Request, one request per row. */
function httpPerRow(
	rows: number,
	credential: string,
	[method, url]: [method: string, url: string],
	body: string,
): Side {
	const parameters = { method, url, sendBody: true, specifyBody: 'json', jsonBody: body };
	return { name: 'HTTP Request', rows, node: httpRequest(credential, parameters) };
}

/** n8n's own node with the same expressions: the time that n8n needs for them. */
function editFields(rows: number, names: string[]): Side {
	const assignments = names.map((name) => ({
		id: name,
		name,
		type: 'string',
		value: `={{ $json.${name} }}`,
	}));
	const node: Node = {
		type: 'n8n-nodes-base.set',
		typeVersion: 3.4,
		parameters: { mode: 'manual', assignments: { assignments }, options: {} },
	};
	return { name: 'Edit Fields', rows, node };
}

/** The node that makes the items without a service. */
const fromMemory = (rows: number, parameters: object = {}): Side => ({
	name: 'From memory',
	rows,
	node: { type: 'CUSTOM.fromMemory', typeVersion: 1, parameters: { ...parameters } },
});

/** The same node with On Error = Stop and with Continue. */
function stopAndContinue(
	name: 'Expressions' | 'Map Automatically',
	side: Omit<Side, 'name'>,
): Side[] {
	const continuing: Node = { ...side.node, onError: 'continueRegularOutput' };
	return [
		{ ...side, name },
		{ ...side, name: `${name}, Continue`, node: continuing },
	];
}

const UNORDERED = 0;
/** The first page of a list contains the number of pages. */
const AFTER_FIRST_PAGE = 1;

/** Rows with columns: mapped with three expressions, and automatically. */
function mappedSides({ few, many }: Sizes, type: string, parameters: object): Side[] {
	const withFloor = (items: Floor['items'], rows: number, more: object) => ({
		rows,
		node: ours(type, { ...parameters, ...more }),
		floor: { items, sequential: UNORDERED },
	});
	return [
		editFields(few, FIELDS),
		...stopAndContinue('Expressions', withFloor('Edit Fields', few, expressions)),
		fromMemory(many),
		...stopAndContinue('Map Automatically', withFloor('From memory', many, automatic)),
	];
}

/** Rows with nothing but an email. */
function emailSides({ few }: Sizes, operation: string): Side[] {
	const parameters = { resource: 'customer', operation, email: '={{ $json.email }}' };
	return [
		editFields(few, ['email']),
		...stopAndContinue('Expressions', {
			rows: few,
			node: ours('surveyA', parameters),
			floor: { items: 'Edit Fields', sequential: UNORDERED },
		}),
	];
}

const returnAll = (type: string): Side => ({
	name: 'Return All',
	rows: 1,
	node: ours(type, {
		resource: 'feedback',
		operation: 'getAll',
		returnAll: true,
		simplify: false,
	}),
	floor: { items: 'From memory', sequential: AFTER_FIRST_PAGE },
});

const pagination = (settings: object) => ({ pagination: { pagination: settings } });

const CUSTOMER = '{ email: $json.email, first_name: $json.first, company: $json.company }';
const SUBSCRIBER = '={{ { subscribers: [{ email: $json.email }] } }}';

function casesOfA({ a }: Sandbox, sizes: Sizes, pages: string): Case[] {
	const { feedback } = sizes;
	const campaignId = String(a.state.campaigns[0]?.id);
	const customers = `${a.url}/api/v2/nps/customers`;
	const http = (method: string, url: string, body: string) =>
		httpPerRow(sizes.http, 'surveyAApi', [method, url], body);
	const sendBody = `={{ { campaign: '${campaignId}', subscribers: [${CUSTOMER}] } }}`;
	const upsert = { resource: 'customer', operation: 'upsert' };
	const send = { resource: 'survey', operation: 'send', campaign: locator(campaignId) };
	return [
		{
			name: 'Create or update customers (A)',
			service: 'a',
			sides: [
				http('POST', customers, `={{ { subscribers: [${CUSTOMER}] } }}`),
				...mappedSides(sizes, 'surveyA', upsert),
			],
		},
		{
			name: 'Send surveys (A)',
			service: 'a',
			sides: [
				http('POST', `${a.url}/api/v2/survey`, sendBody),
				...mappedSides(sizes, 'surveyA', send),
			],
		},
		{
			name: 'Unsubscribe customers (A)',
			service: 'a',
			sides: [
				http('POST', `${customers}/unsubscribe`, SUBSCRIBER),
				...emailSides(sizes, 'unsubscribe'),
			],
		},
		{
			name: 'Delete customers (A)',
			service: 'a',
			sides: [http('DELETE', customers, SUBSCRIBER), ...emailSides(sizes, 'delete')],
		},
		{
			name: `Read ${feedback.toLocaleString('en')} feedback responses (A)`,
			service: 'a',
			rowsOut: feedback,
			seed: () => a.seedFeedback(feedback - a.state.feedback.length),
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
				fromMemory(1, { path: pages, rowsKey: 'data.responses' }),
				returnAll('surveyA'),
			],
		},
	];
}

function casesOfB({ b }: Sandbox, sizes: Sizes, pages: string): Case[] {
	const { few, batched, feedback } = sizes;
	const send = { resource: 'survey', operation: 'send', campaignId: locator('101') };
	const http = httpPerRow(
		sizes.http,
		'surveyBApi',
		['POST', `${b.url}/api/v2/survey/`],
		'={{ { campaign_id: 101, contact: { email: $json.email, first_name: $json.first, attributes: { company: $json.company } } } }}',
	);
	const inBatches = { options: { batching: { batch: { batchSize: 50, batchInterval: 1000 } } } };
	return [
		{
			name: 'Send surveys (B)',
			service: 'b',
			sides: [
				http,
				{
					name: 'HTTP Request, batched',
					rows: batched,
					node: { ...http.node, parameters: { ...http.node.parameters, ...inBatches } },
				},
				fromMemory(few),
				...stopAndContinue('Map Automatically', {
					rows: few,
					node: ours('surveyB', { ...send, ...automatic }),
					floor: { items: 'From memory', sequential: UNORDERED },
				}),
			],
		},
		{
			name: `Read ${feedback.toLocaleString('en')} feedback responses (B)`,
			service: 'b',
			rowsOut: feedback,
			seed: () => b.seedFeedback(feedback - b.state.feedback.length),
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
				fromMemory(1, { path: pages, rowsKey: 'results' }),
				returnAll('surveyB'),
			],
		},
	];
}

/**
 * Returns what the benchmark measures.
 *
 * @param pages files with the pages of the lists, for the node that makes items from memory
 */
export function cases(sandbox: Sandbox, sizes: Sizes, pages: { a: string; b: string }): Case[] {
	return [...casesOfA(sandbox, sizes, pages.a), ...casesOfB(sandbox, sizes, pages.b)];
}

/** The columns of row `i`, as an expression. */
export const ROW =
	"({ email: 'person' + i + '@example.com', first: 'First ' + i, company: 'Company ' + (i % 50) })";
