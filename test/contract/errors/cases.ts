import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Services } from '../../support/sandbox';
import { mapped } from '../../support/columns';

/** A run that fails, with its row in docs/errors.md. */
export interface ErrorCase {
	node: 'surveyA' | 'surveyB';
	/** `resource.operation`. */
	operation: string;
	parameters?: INodeParameters;
	/** Default: one row with an address. */
	input?: IDataObject[];
	/** Prepares the services so that they refuse the run. */
	given?(sandbox: Services): void;
	apiKey?: string;
	says: string;
	advises: string;
	/** The label and the value of the field in the error item. */
	field?: [label: string, value: string];
	/** The number of requests; 1 by default. */
	requests?: number;
}

const UNKNOWN = '5f3c9a2b8d1e4f6a7b0c1d2e';
const EMAIL = mapped({ email: '={{ $json.email }}' });

/** Three rows; the second one fails. */
const THREE = ['ada@acme.example', 'nobody', 'grace@acme.example'].map((email) => ({ email }));
const LEAVING = THREE.map((row, item) =>
	item === 1 ? { email: 'unsubscribed@example.com' } : row,
);

function campaignOf({ a }: Services, name: string): string {
	return String(a.state.campaigns.find((one) => one.name === name)?.id);
}

const faultA = (body: unknown, status: number) => (sandbox: Services) =>
	sandbox.a.faults.add({ kind: { status, body }, times: Infinity });
const faultB = (body: unknown, status: number) => (sandbox: Services) =>
	sandbox.b.faults.add({ kind: { status, body }, times: Infinity });

const CHECK_KEY_A = 'Check the API key of the Survey A credential';

/** Returns the errors of Survey A's contract, and one case for each way to name a row. */
export function casesOfA(sandbox: Services): ErrorCase[] {
	const after = campaignOf(sandbox, 'After purchase');
	const inactive = campaignOf(sandbox, 'After onboarding');
	const regular = campaignOf(sandbox, 'Yearly check-up');
	const cases: Array<Omit<ErrorCase, 'node'>> = [
		{
			operation: 'customer.get',
			parameters: { customerId: 'not hexadecimal' },
			says: "not hexadecimal: Validation failed: 'Customer' must only contain hexadecimal characters (HTTP 400)",
			advises: 'Correct the value',
		},
		{
			operation: 'customer.get',
			parameters: { customerId: 'abc123' },
			says: "'Customer' length must be 24 characters long (HTTP 400)",
			advises: 'IDs in Survey A usually have 24 hexadecimal characters',
		},
		{
			operation: 'company.getAll',
			given: faultA(
				{
					code: 400,
					message: 'Validation failed',
					error: '"sort" must be one of [createdDate, domain]',
				},
				400,
			),
			says: "Validation failed: 'Sort' must be one of [createdDate, domain] (HTTP 400)",
			advises: "Choose another 'Sort By'",
			// The node asks for a smaller page before it reports the refusal.
			requests: 2,
		},
		{
			operation: 'feedback.get',
			parameters: { feedbackId: 'short' },
			says: 'short: An error occurred: Argument passed in must be a string of 12 bytes or a string of 24 hex characters (HTTP 400)',
			advises: 'Correct the value',
		},
		{
			operation: 'survey.send',
			parameters: { campaign: regular, ...EMAIL },
			says: `ada@acme.example: Campaign ${regular} is not transactional (HTTP 400)`,
			advises: 'Choose a transactional campaign',
		},
		{
			operation: 'survey.send',
			parameters: { campaign: after, ...EMAIL },
			input: THREE,
			says: 'nobody: Invalid email address (HTTP 400) [item 1]. 0 of 3 rows were sent before it',
			advises: 'Correct the email, or remove the row. To go on with the other rows, set On Error',
			requests: 1,
		},
		{
			operation: 'campaign.getAll',
			apiKey: sandbox.a.keyWithoutAccount,
			says: 'Account not found (HTTP 401)',
			advises: CHECK_KEY_A,
		},
		{
			operation: 'survey.send',
			parameters: { campaign: after, ...EMAIL },
			input: THREE.slice(0, 2),
			apiKey: 'example-of-another-key',
			says: 'Invalid API key. (HTTP 401)',
			advises: CHECK_KEY_A,
		},
		{
			operation: 'campaign.getAll',
			given: faultA(
				{ code: 401, message: 'Missing authorization key (api_key).', data: null },
				401,
			),
			says: 'Missing authorization key (api_key). (HTTP 401)',
			advises: CHECK_KEY_A,
		},
		{
			operation: 'campaign.getAll',
			given: faultA(
				{ statusCode: 401, error: 'Unauthorized', message: 'Authentication Required.' },
				401,
			),
			says: 'Authentication Required. Unauthorized (HTTP 401)',
			advises: CHECK_KEY_A,
		},
		{
			operation: 'survey.send',
			parameters: { campaign: inactive, ...EMAIL },
			says: `Campaign ${inactive} is not active. (HTTP 403)`,
			advises: 'Activate the campaign in Survey A',
		},
		{
			operation: 'survey.sendLegacy',
			parameters: { campaign: inactive, ...EMAIL },
			says: 'ada@acme.example: Campaign is not enabled. (HTTP 403)',
			advises: 'Activate the campaign in Survey A',
		},
		{
			operation: 'customer.get',
			parameters: { customerId: UNKNOWN },
			says: `${UNKNOWN}: Customer not found. (HTTP 404)`,
			advises: 'Check the customer ID',
		},
		{
			operation: 'company.get',
			parameters: { company: 'nowhere.example' },
			says: 'nowhere.example: Company record not found (HTTP 404)',
			advises: 'Check the company ID or domain',
		},
		{
			operation: 'feedback.get',
			parameters: { feedbackId: UNKNOWN },
			says: `${UNKNOWN}: Feedback record not found. (HTTP 404)`,
			advises: 'Check the feedback ID',
		},
		{
			operation: 'survey.send',
			parameters: { campaign: UNKNOWN, ...EMAIL },
			says: `Campaign ${UNKNOWN} could not be found. (HTTP 404)`,
			advises: 'Choose the campaign from the list',
		},
		{
			operation: 'survey.sendLegacy',
			parameters: { campaign: UNKNOWN, ...EMAIL },
			says: 'Campaign not found. (HTTP 404)',
			advises: 'Choose the campaign from the list',
		},
		{
			operation: 'customer.getAll',
			given: (sandbox) =>
				sandbox.a.faults.add({
					kind: { status: 200, body: { code: 403, success: false, message: 'No access.' } },
				}),
			says: 'No access. (HTTP 403)',
			advises: 'Check what the owner of the API key may do',
		},
		{
			operation: 'customer.upsert',
			parameters: mapped(
				{
					email: '={{ $json.email }}',
					'property:Seats': '={{ $json.seats }}',
					'property:Renewal': '={{ $json.renewal }}',
				},
				[
					{ id: 'email', type: 'string' },
					{ id: 'property:Seats', displayName: 'Seats', type: 'number' },
					{ id: 'property:Renewal', displayName: 'Renewal', type: 'dateTime' },
				],
			),
			input: [{ email: ' ', seats: 'many', renewal: 'soon' }],
			says: `'Email' is missing. Column 'Seats' `,
			advises: 'Correct the value, or the expression that returns it',
			field: ['Email', ''],
			requests: 0,
		},
	];
	return cases.map((one) => ({ node: 'surveyA', ...one }));
}

const SURVEY = { campaignId: '101', ...EMAIL };
const FOLLOW_UP = { fromUser: 'agent@example.com', message: 'Hello', to: 'lead@example.com' };
const FEEDBACK = '={{ $json.id }}';

const replied = ({ b: { state } }: Services) =>
	state.feedback.forEach(({ id }) => state.followups.set(id, new Set(['REPLIED'])));

/** Returns the errors of Survey B's contract, and one case for each way to name a row, record or field. */
export function casesOfB({ b }: Services): ErrorCase[] {
	const feedbackId = b.state.feedback.at(-1)?.id;
	const input = [{ id: feedbackId }];
	const byStatus: Array<[status: number, detail: string, message: string, advises: string]> = [
		[403, 'Forbidden', '999: Forbidden (HTTP 403)', 'administrator'],
		[404, 'Not Found', 'Feedback 999 could not be found (HTTP 404)', 'Check the ID'],
		[405, 'Method Not Allowed', '999: Method Not Allowed (HTTP 405)', 'may not support'],
		[406, 'Not Acceptable', '999: Not Acceptable (HTTP 406)', 'Check the Base URL'],
		[410, 'Gone', 'Feedback 999 was removed (HTTP 410)', 'Remove the row'],
		[500, 'Internal Server Error', '999: Internal Server Error (HTTP 500)', 'Try again later'],
		[503, 'Service Unavailable', '999: Service Unavailable (HTTP 503)', 'Try again later'],
	];
	const cases: Array<Omit<ErrorCase, 'node'>> = [
		...byStatus.map(([status, detail, says, advises]) => ({
			operation: 'feedback.get',
			parameters: { feedbackId: '999' },
			given: faultB({ detail }, status),
			...{ says, advises, requests: status >= 500 ? 4 : 1 },
		})),
		{
			operation: 'contact.get',
			parameters: { contactId: '999999' },
			says: 'Contact 999999 could not be found (HTTP 404)',
			advises: 'Check the ID',
		},
		{
			operation: 'survey.send',
			parameters: SURVEY,
			input: LEAVING.slice(0, 1),
			given: faultB({ detail: 'Invalid token.' }, 401),
			says: 'Invalid token. (HTTP 401)',
			advises: 'Check the API key of the credential',
		},
		{
			operation: 'survey.send',
			parameters: { ...SURVEY, options: { concurrency: 1 } },
			input: LEAVING,
			says: 'unsubscribed@example.com: Contact has unsubscribed. (HTTP 400) [item 1]. 1 of 3 rows were sent before it (ada@acme.example)',
			advises:
				"contact asked for it. To go on with the other rows, set On Error in the node's Settings to Continue (using error output)",
			requests: 2,
		},
		{
			operation: 'survey.send',
			parameters: SURVEY,
			input: [{ email: 'no address' }],
			says: "no address: 'Email': Enter a valid email address. (HTTP 400)",
			advises: 'Correct the email',
		},
		{
			operation: 'survey.send',
			parameters: { ...SURVEY, campaignId: '103' },
			input: LEAVING.slice(0, 1),
			says: "'Campaign': Organization does not have permission to access campaign. (HTTP 400)",
			advises: 'Check the campaign ID',
		},
		{
			operation: 'survey.send',
			parameters: { ...SURVEY, campaignId: '104' },
			input: LEAVING.slice(0, 1),
			says: "'Campaign': Campaign requires a contact list to be associated. (HTTP 400)",
			advises: 'Add a contact list to the campaign',
		},
		{
			operation: 'survey.send',
			parameters: SURVEY,
			input: [{ email: 'nathan@example.com' }],
			given: ({ b: { state } }) => state.lastSurveyed.set('nathan@example.com', Date.now()),
			says: 'nathan@example.com: Contact is not eligible for survey. (HTTP 400)',
			advises: 'once in 24 hours',
		},
		{
			operation: 'survey.send',
			parameters: SURVEY,
			input: [{ email: 'nathan@example.com' }],
			given: faultB(
				{
					contact: {
						first_name: ['This field may not be blank.'],
						attributes: { a$: ['Bad name.'] },
					},
					campaign_id: ['This field is required.'],
				},
				400,
			),
			says: "nathan@example.com: 'First Name' may not be blank.; 'a$': Bad name.; 'Campaign' is required. (HTTP 400)",
			advises: 'Enter a value for the field that the message names',
		},
		{
			operation: 'feedback.reply',
			parameters: { ...FOLLOW_UP, feedbackId: FEEDBACK },
			input,
			given: replied,
			says: `${feedbackId}: Reply already exists for this feedback. (HTTP 400)`,
			advises: 'only one reply',
		},
		{
			operation: 'feedback.forward',
			parameters: { ...FOLLOW_UP, feedbackId: FEEDBACK },
			input,
			given: replied,
			says: 'Reply already exists for this feedback. (HTTP 400)',
			advises: 'only one reply',
		},
		{
			operation: 'feedback.forward',
			parameters: { ...FOLLOW_UP, feedbackId: FEEDBACK },
			input,
			given: ({ b: service }) =>
				service.state.feedback.forEach(({ id }) => service.markComplete(id)),
			says: 'Feedback has been marked complete. (HTTP 400)',
			advises: 'may need to be reopened first',
		},
		{
			operation: 'feedback.reply',
			parameters: { ...FOLLOW_UP, feedbackId: FEEDBACK, fromUser: 'stranger@example.com' },
			input,
			says: `${feedbackId}: 'From User' is not a member of your organization (HTTP 400)`,
			advises: 'email of an organization member',
		},
		{
			operation: 'contact.upsert',
			parameters: mapped({ email: 'a@example.com', contactLists: '99' }),
			says: `a@example.com: 'Contact Lists': Invalid pk "99" - object does not exist. (HTTP 400)`,
			advises: 'Correct the value',
		},
		{
			operation: 'feedback.reply',
			parameters: { feedbackId: FEEDBACK, fromUser: '={{ $json.from }}', message: '={{ "" }}' },
			input,
			says: `${feedbackId}: 'From User' is missing. 'Message' is missing`,
			advises: 'Correct the value',
			field: ['From User', ''],
			requests: 0,
		},
	];
	return cases.map((one) => ({ node: 'surveyB', ...one }));
}
