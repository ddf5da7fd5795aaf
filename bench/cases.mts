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

/**
 * Returns the cases: sending surveys to rows and reading a list, with each service.
 *
 * @param size rows of this package, and feedback in the lists
 */
export function cases({ a, b }: Sandbox, size: number): Case[] {
	const campaign = String(a.state.campaigns[0]?.id);
	return [
		sending('a', size, {
			url: `${a.url}/api/v2/survey`,
			jsonBody: `={{ { campaign: '${campaign}', subscribers: [{ email: $json.email, first_name: $json.first, company: $json.company }] } }}`,
			parameters: { campaign: located(campaign) },
		}),
		sending('b', Math.min(size, HTTP_ROWS), {
			url: `${b.url}/api/v2/survey/`,
			jsonBody:
				'={{ { campaign_id: 101, contact: { email: $json.email, first_name: $json.first, attributes: { company: $json.company } } } }}',
			parameters: { campaignId: located('101') },
		}),
		reading('a', size, 'data.responses', {
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
		reading('b', size, 'results', {
			url: `${b.url}/api/v2/feedback/`,
			options: pagination({
				paginationMode: 'responseContainsNextURL',
				nextURL: '={{ $response.body.next }}',
				completeExpression: '={{ !$response.body.next }}',
			}),
		}),
	];
}

const located = (value: string) => ({ __rl: true, mode: 'id', value });

const pagination = (settings: object) => ({
	pagination: { pagination: { paginationCompleteWhen: 'other', ...settings } },
});

function sending(
	service: 'a' | 'b',
	rows: number,
	{ url, jsonBody, parameters }: { url: string; jsonBody: string; parameters: object },
): Case {
	const columns = { mappingMode: 'autoMapInputData', value: null, schema: [] };
	return {
		...{ name: `Send surveys (${service.toUpperCase()})`, service, rows, sequential: 0 },
		http: httpRequest(service, {
			...{ method: 'POST', url, sendBody: true, specifyBody: 'json', jsonBody },
		}),
		ours: ours(service, { resource: 'survey', operation: 'send', columns, ...parameters }),
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
		...{ name, service, splitOut, rows: 1, rowsOut: feedback, sequential: 1 },
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
