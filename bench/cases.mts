import type { Sandbox } from '../sandbox/index.ts';
import type { WorkflowNode } from '../test/support/n8n.mts';

export type Node = Pick<WorkflowNode, 'type' | 'typeVersion' | 'parameters'>;

/** The same work, done by n8n's HTTP Request node and by this package. */
export interface Case {
	name: string;
	service: 'a' | 'b';
	http: Node;
	ours: Node;
	/** Input rows of this package; HTTP Request gets at most `HTTP_ROWS`. */
	rows: number;
	/** The columns of row `i`, as an expression. */
	columns: string;
	/** The field that Split Out turns into items after HTTP Request. */
	splitOut?: string;
	/** Output rows, if not as many as input rows. */
	rowsOut?: number;
	/** Requests that cannot run beside others, such as the first page of a list. */
	sequential: number;
}

/** HTTP Request sends a request for each row, so more rows only take longer in proportion. */
export const HTTP_ROWS = 1000;

/** Three columns, and fifteen. */
const FEW =
	"{ email: 'person' + i + '@example.com', first: 'First ' + i, company: 'Company ' + (i % 50) }";
const MANY = `Array.from({ length: 12 }).reduce((row, _, n) => ({ ...row, ['Column ' + n]: n % 3 ? 'Value ' + i : i }), ${FEW})`;

/**
 * Returns the cases: sending surveys to rows, writing people, and reading a list, with each service.
 *
 * @param size rows of this package, and feedback in the lists
 */
export function cases({ a, b }: Sandbox, size: number): Case[] {
	const campaign = String(a.state.campaigns[0]?.id);
	return [
		writing('a', 'Send surveys', size, FEW, {
			url: `${a.url}/api/v2/survey`,
			jsonBody: `={{ { campaign: '${campaign}', subscribers: [{ email: $json.email, first_name: $json.first, company: $json.company }] } }}`,
			parameters: { ...SEND, campaign: located(campaign) },
		}),
		writing('b', 'Send surveys', Math.min(size, HTTP_ROWS), FEW, {
			url: `${b.url}/api/v2/survey/`,
			jsonBody:
				'={{ { campaign_id: 101, contact: { email: $json.email, first_name: $json.first, attributes: { company: $json.company } } } }}',
			parameters: { ...SEND, campaignId: located('101') },
		}),
		writing('a', 'Create or update, 15 columns', size, MANY, {
			url: `${a.url}/api/v2/nps/customers`,
			jsonBody: `={{ { subscribers: [{ email: $json.email, first_name: $json.first, company: $json.company, properties: ${OTHERS}.map(([label, value]) => ({ label, value: String(value), type: 'string' })) }] } }}`,
			parameters: { resource: 'customer', operation: 'upsert' },
		}),
		writing('b', 'Create or update, 15 columns', Math.min(size, HTTP_ROWS), MANY, {
			url: `${b.url}/api/v2/contacts/`,
			jsonBody: `={{ { email: $json.email, first_name: $json.first, attributes: { company: $json.company, ...Object.fromEntries(${OTHERS}) } } }}`,
			parameters: { resource: 'contact', operation: 'upsert' },
		}),
		...[size, 2 * size].flatMap((feedback) => [
			reading('a', feedback, 'data.responses', {
				url: `${a.url}/api/v2/feedback`,
				sendQuery: true,
				queryParameters: { parameters: [{ name: 'limit', value: '1000' }] },
				options: pagination({
					paginationMode: 'updateAParameterInEachRequest',
					parameters: {
						parameters: [{ type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' }],
					},
					completeExpression: '={{ $response.body.data.page >= $response.body.data.pages }}',
				}),
			}),
			reading('b', feedback, 'results', {
				url: `${b.url}/api/v2/feedback/`,
				options: pagination({
					paginationMode: 'responseContainsNextURL',
					nextURL: '={{ $response.body.next }}',
					completeExpression: '={{ !$response.body.next }}',
				}),
			}),
		]),
	];
}

const SEND = { resource: 'survey', operation: 'send' };

/** The columns behind the first three, in an expression. */
const OTHERS = 'Object.entries($json).slice(3)';

const located = (value: string) => ({ __rl: true, mode: 'id', value });

const pagination = (settings: object) => ({
	pagination: { pagination: { paginationCompleteWhen: 'other', ...settings } },
});

function writing(
	service: 'a' | 'b',
	what: string,
	rows: number,
	columns: string,
	{ url, jsonBody, parameters }: { url: string; jsonBody: string; parameters: object },
): Case {
	const byName = { mappingMode: 'autoMapInputData', value: null, schema: [] };
	return {
		...{ name: `${what} (${service.toUpperCase()})`, service, rows, columns, sequential: 0 },
		http: httpRequest(service, {
			...{ method: 'POST', url, sendBody: true, specifyBody: 'json', jsonBody },
		}),
		ours: ours(service, { columns: byName, ...parameters }),
	};
}

/** Reads all feedback. The first page states the number of pages. */
function reading(
	service: 'a' | 'b',
	feedback: number,
	splitOut: string,
	request: Record<string, unknown>,
): Case {
	const name = `Read ${feedback.toLocaleString('en')} feedback responses (${service.toUpperCase()})`;
	const read = { resource: 'feedback', operation: 'getAll', returnAll: true, simplify: false };
	return {
		...{ name, service, splitOut, rows: 1, columns: FEW, rowsOut: feedback, sequential: 1 },
		http: httpRequest(service, request),
		ours: ours(service, read),
	};
}

function httpRequest(service: 'a' | 'b', parameters: Record<string, unknown>): Node {
	const nodeCredentialType = `survey${service.toUpperCase()}Api`;
	const authentication = 'predefinedCredentialType';
	return {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { authentication, nodeCredentialType, ...parameters },
	};
}

const ours = (service: 'a' | 'b', parameters: Record<string, unknown>): Node => ({
	type: `n8n-nodes-surveys.survey${service.toUpperCase()}`,
	typeVersion: 1,
	parameters,
});
