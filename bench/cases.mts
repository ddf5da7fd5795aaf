import type { Sandbox } from '../sandbox/index.ts';
import type { WorkflowNode } from '../test/support/n8n.mts';

export type Node = Pick<WorkflowNode, 'type' | 'typeVersion' | 'parameters' | 'onError'>;

/** The same work, done by n8n's HTTP Request node and by this package. */
export interface Case {
	name: string;
	service: 'a' | 'b';
	http: Node;
	ours: Node;
	/** Input rows of this package; HTTP Request gets at most `HTTP_ROWS`. */
	rows: number;
	/** n8n's own node with the same expressions, for the time that n8n needs for them. */
	sameExpressions?: Node;
	/** The field that Split Out turns into items after HTTP Request. */
	splitOut?: string;
	/** Output rows, if not as many as input rows. */
	rowsOut?: number;
	/** Requests that cannot run beside others, such as the first page of a list. */
	sequential: number;
}

/** HTTP Request sends a request for each row, so more rows only take longer in proportion. */
export const HTTP_ROWS = 1000;

/** The columns of row `i`, as an expression. */
export const ROW =
	"({ email: 'person' + i + '@example.com', first: 'First ' + i, company: 'Company ' + (i % 50) })";

const AUTOMATIC = { columns: { mappingMode: 'autoMapInputData', value: null, schema: [] } };
const CUSTOMER = '{ email: $json.email, first_name: $json.first, company: $json.company }';
const SUBSCRIBER = '={{ { subscribers: [{ email: $json.email }] } }}';

const ours = (type: 'surveyA' | 'surveyB', parameters: object): Node => ({
	type: `n8n-nodes-surveys.${type}`,
	typeVersion: 1,
	parameters: { ...parameters },
});

function httpRequest(nodeCredentialType: string, parameters: object): Node {
	const authentication = 'predefinedCredentialType';
	return {
		type: 'n8n-nodes-base.httpRequest',
		typeVersion: 4.2,
		parameters: { authentication, nodeCredentialType, ...parameters },
	};
}

const perRow = (credential: string, method: string, url: string, jsonBody: string) =>
	httpRequest(credential, { method, url, sendBody: true, specifyBody: 'json', jsonBody });

/** The same work with On Error = Stop and with Continue. */
function stopAndContinue(work: Case): Case[] {
	const continuing: Node = { ...work.ours, onError: 'continueRegularOutput' };
	return [work, { ...work, name: `${work.name}, On Error = Continue`, ours: continuing }];
}

/** Work whose rows are emails by expression. */
function byEmail(rows: number, name: string, operation: string, http: Node): Case {
	const value = '={{ $json.email }}';
	const assignments = [{ id: 'email', name: 'email', type: 'string', value }];
	return {
		...{ name, service: 'a', http, rows, sequential: 0 },
		ours: ours('surveyA', { resource: 'customer', operation, email: value }),
		sameExpressions: {
			type: 'n8n-nodes-base.set',
			typeVersion: 3.4,
			parameters: { mode: 'manual', assignments: { assignments }, options: {} },
		},
	};
}

/** Reads all feedback. The first page states the number of pages. */
function reading(service: 'a' | 'b', feedback: number, http: Node, splitOut: string): Case {
	const read = { resource: 'feedback', operation: 'getAll', returnAll: true, simplify: false };
	const type = service === 'a' ? 'surveyA' : 'surveyB';
	const name = `Read ${feedback.toLocaleString('en')} feedback responses (${service.toUpperCase()})`;
	return {
		...{ name, service, http, splitOut, rows: 1, rowsOut: feedback, sequential: 1 },
		ours: ours(type, read),
	};
}

const pagination = (settings: object) => ({ pagination: { pagination: settings } });

/** @param size rows of this package, and feedback in the lists */
export function cases({ a, b }: Sandbox, size: number): Case[] {
	const campaignId = String(a.state.campaigns[0]?.id);
	const customers = `${a.url}/api/v2/nps/customers`;
	const toA = (method: string, url: string, body: string) =>
		perRow('surveyAApi', method, url, body);
	const located = (value: string) => ({ __rl: true, mode: 'id', value });
	const mapped = { rows: size, sequential: 0 };
	const few = Math.min(size, HTTP_ROWS);
	return [
		...stopAndContinue({
			...mapped,
			name: 'Create or update customers (A)',
			service: 'a',
			http: toA('POST', customers, `={{ { subscribers: [${CUSTOMER}] } }}`),
			ours: ours('surveyA', { resource: 'customer', operation: 'upsert', ...AUTOMATIC }),
		}),
		...stopAndContinue({
			...mapped,
			name: 'Send surveys (A)',
			service: 'a',
			http: toA(
				'POST',
				`${a.url}/api/v2/survey`,
				`={{ { campaign: '${campaignId}', subscribers: [${CUSTOMER}] } }}`,
			),
			ours: ours('surveyA', {
				...{ resource: 'survey', operation: 'send', campaign: located(campaignId) },
				...AUTOMATIC,
			}),
		}),
		byEmail(
			few,
			'Unsubscribe customers (A)',
			'unsubscribe',
			toA('POST', `${customers}/unsubscribe`, SUBSCRIBER),
		),
		byEmail(few, 'Delete customers (A)', 'delete', toA('DELETE', customers, SUBSCRIBER)),
		reading('a', size, pagesOfA(a.url), 'data.responses'),
		...stopAndContinue({
			...mapped,
			rows: few,
			name: 'Send surveys (B)',
			service: 'b',
			http: perRow(
				'surveyBApi',
				'POST',
				`${b.url}/api/v2/survey/`,
				'={{ { campaign_id: 101, contact: { email: $json.email, first_name: $json.first, attributes: { company: $json.company } } } }}',
			),
			ours: ours('surveyB', {
				...{ resource: 'survey', operation: 'send', campaignId: located('101') },
				...AUTOMATIC,
			}),
		}),
		reading('b', size, pagesOfB(b.url), 'results'),
	];
}

function pagesOfA(url: string): Node {
	const page = { type: 'qs', name: 'page', value: '={{ $pageCount + 1 }}' };
	return httpRequest('surveyAApi', {
		url: `${url}/api/v2/feedback`,
		sendQuery: true,
		queryParameters: { parameters: [{ name: 'limit', value: '1000' }] },
		options: pagination({
			paginationMode: 'updateAParameterInEachRequest',
			parameters: { parameters: [page] },
			paginationCompleteWhen: 'other',
			completeExpression: '={{ $response.body.data.page >= $response.body.data.pages }}',
		}),
	});
}

function pagesOfB(url: string): Node {
	return httpRequest('surveyBApi', {
		url: `${url}/api/v2/feedback/`,
		options: pagination({
			paginationMode: 'responseContainsNextURL',
			nextURL: '={{ $response.body.next }}',
			paginationCompleteWhen: 'other',
			completeExpression: '={{ !$response.body.next }}',
		}),
	});
}
