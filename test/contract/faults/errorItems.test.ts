import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';

import type { FaultKind } from '../../../sandbox/core/faults';
import { onItsOwnClock } from '../../support/clock.mts';
import { EMAIL_FROM_ROW } from '../../support/columns';
import { runOperation } from '../../support/runOperation';
import type { RunSettings } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';

// A failed item keeps the columns and binary data of its input item.

const sandbox = useSandbox();

beforeEach(() => {
	Object.assign(sandbox.b.settings, { validationStatus: 400, errors: 'contract' });
});

const OUTPUTS: Array<[OnError, number]> = [
	['continueRegularOutput', 0],
	['continueErrorOutput', 1],
];

const send = async (settings: RunSettings) =>
	await runOperation(sandbox.b, 'survey.send', { campaignId: '101', ...EMAIL_FROM_ROW }, settings);

const email = 'unsubscribed@example.com';
const error = expect.stringContaining('Contact has unsubscribed (HTTP 400)') as string;

describe.each(OUTPUTS)('with On Error = %s', (onError, index) => {
	test('an error item has the columns of its row, plus error and details [error-item]', async () => {
		const { output } = await send({ input: [{ email, order: 7, tags: ['a'] }], onError });
		expect(output.flat()).toHaveLength(1);
		expect(output[index]?.[0]?.json).toStrictEqual({
			email,
			order: 7,
			tags: ['a'],
			error,
			details: {
				code: 'unsubscribed',
				httpCode: 400,
				advice: expect.stringContaining('Remove the row') as string,
			},
		});
	});

	test("an error item keeps a row's own columns error and details in details.row", async () => {
		const own = { error: 'E42', details: { step: 3 } };
		const { output } = await send({ input: [{ email, ...own, message: 'mine' }], onError });
		expect(output[index]?.[0]?.json).toEqual({
			email,
			message: 'mine',
			error,
			details: expect.objectContaining({ httpCode: 400, row: own }) as IDataObject,
		});
	});

	test('an error item has the binary data of its row', async () => {
		const binary = { file: { data: 'aGVsbG8=', mimeType: 'text/plain', fileName: 'a.txt' } };
		const input = [{ email }, { email: 'new@example.com' }];
		const { output } = await send({ input, onError, binary });
		expect(output[index]?.[0]).toMatchObject({ json: { error }, binary, pairedItem: { item: 0 } });
	});

	test('an error item about an unusable value has the columns of its row', async () => {
		const { output } = await send({ input: [{ email: '', order: 7 }], onError });
		const json = { order: 7, error: expect.stringMatching(/Email/) as string };
		expect(output[index]?.[0]?.json).toMatchObject(json);
	});
});

test('an AI agent gets the error without the columns that it sent', async () => {
	const input = [{ email, order: 7 }];
	const { output } = await send({ input, onError: 'continueRegularOutput', asTool: true });
	expect(Object.keys(output[0]?.[0]?.json ?? {})).toEqual(['error', 'details']);
});

describe('details.httpCode is the status that the service sent', () => {
	const detailsOf = async (
		of: 'a' | 'b',
		name: string,
		parameters: INodeParameters,
		kind: FaultKind,
	) => {
		sandbox[of].faults.add({ kind });
		const settings = { onError: 'continueRegularOutput' } as const;
		const { items } = await runOperation(sandbox[of], name, parameters, settings);
		return items.map(({ details }) => Object(details));
	};

	const byId = { contactId: '7' };
	const byEmail = { contactId: email };
	const empty = { count: 0, next: null, previous: null, results: [] };
	const noFeedback = { code: 200, message: 'ok', data: { responses: [], total: 0 } };

	test.each<[string, 'a' | 'b', string, INodeParameters, FaultKind, IDataObject]>([
		[
			'no record in a 200',
			'a',
			'feedback.get',
			{ feedbackId: '64b' },
			{ status: 200, body: noFeedback },
			{ code: 'notFound' },
		],
		[
			'no person in a 200',
			'b',
			'contact.get',
			byEmail,
			{ status: 200, body: empty },
			{ code: 'unknownContact' },
		],
		[
			'a 404 with a message',
			'b',
			'contact.get',
			byId,
			{ status: 404, body: { detail: 'Not found.' } },
			{ code: 'notFound', httpCode: 404 },
		],
		[
			'a 410 with a message',
			'b',
			'feedback.delete',
			{ feedbackId: '2001' },
			{ status: 410, body: { detail: 'Gone.' } },
			{ code: 'notFound', httpCode: 410 },
		],
		[
			'a 404 of a page',
			'b',
			'contact.get',
			byId,
			{ status: 404, body: '<html>' },
			{ code: 'failed', httpCode: 404 },
		],
		[
			'an error in a 200',
			'a',
			'customer.unsubscribe',
			{ email },
			{ status: 200, body: { success: false, message: 'No' } },
			{ code: 'refused', httpCode: 200 },
		],
		[
			'an error with a status in a 200',
			'a',
			'customer.unsubscribe',
			{ email },
			{ status: 200, body: { code: 422, message: 'No' } },
			{ code: 'refused', httpCode: 422 },
		],
	])('%s', async (_, of, name, parameters, kind, expected) => {
		const [details] = await detailsOf(of, name, parameters, kind);
		const { code, httpCode } = details;
		expect({ code, httpCode }).toEqual(expected);
	});
});

describe('details.code and the advice are about what the service refuses', () => {
	const campaign = '64a000000000000000000003';
	const detailsOf = async (
		of: 'a' | 'b',
		name: string,
		parameters: INodeParameters,
		kind: FaultKind,
		input?: IDataObject[],
	) => {
		sandbox[of].faults.add({ method: 'POST', kind, times: Infinity });
		const settings = { input, onError: 'continueRegularOutput' } as const;
		const run = async () => await runOperation(sandbox[of], name, parameters, settings);
		return (await onItsOwnClock(run)).items.map(({ details }) => Object(details));
	};
	const ada = 'ada@acme.example';
	const said = (status: number, message: string, data?: unknown): FaultKind => {
		return { status, body: { code: status, message, data } };
	};

	test.each<[string, INodeParameters, FaultKind, IDataObject]>([
		[
			'customer.unsubscribe',
			{ email: ada },
			said(200, 'ok', [{ email: ada, unsubscribed: false }]),
			{ code: 'notConfirmed' },
		],
		[
			'customer.unsubscribe',
			{ email: ada },
			said(400, 'Customer could not be unsubscribed'),
			{ code: 'refused' },
		],
		[
			'customer.unsubscribe',
			{ email: ada },
			said(500, 'No customers were unsubscribed'),
			{ code: 'unavailable', retry: true },
		],
		[
			'customer.upsert',
			EMAIL_FROM_ROW,
			said(200, 'ok', { subscribers: [{ email: ada, status: 'error', unsubscribed: false }] }),
			{ code: 'refused' },
		],
		[
			'survey.sendLegacy',
			{ campaign, ...EMAIL_FROM_ROW },
			said(200, 'ok', { [ada]: { status: 'fail', unsubscribed: false } }),
			{ code: 'refused' },
		],
		[
			'survey.send',
			{ campaign, ...EMAIL_FROM_ROW },
			said(400, '3 customers could not be unsubscribed'),
			{ code: 'refused' },
		],
	])('%s never says that the person unsubscribed: %j, %j', async (...given) => {
		const [name, parameters, kind, expected] = given;
		const [details] = await detailsOf('a', name, parameters, kind, [{ email: ada }]);
		expect(details).toMatchObject(expected);
		expect(details.advice).not.toContain('Remove the row:');
	});

	test('a contact of Survey B that was not unsubscribed does not count as one who has', async () => {
		const kind = { status: 400, body: { detail: 'No contact has unsubscribed.' } };
		const [details] = await detailsOf('b', 'contact.unsubscribe', { email: ada }, kind);
		expect(details).toMatchObject({ code: 'refused' });
	});

	test.each([
		['Customer has unsubscribed', 'unsubscribed', 'Remove the row: the person wants no surveys'],
		['This subscriber opted out', 'unsubscribed', 'Remove the row: the person wants no surveys'],
		['Recently surveyed', 'notEligible', 'Send the row again later'],
		['Invalid email address', 'invalidEmail', 'Correct the email, or remove the row'],
	])('of the row that a refused survey names: %s', async (reason, code, advice) => {
		const rows = [ada, 'grace@acme.example'].map((email) => ({ email }));
		const data = rows.map(({ email }) => ({ email, status: 'fail', reason }));
		const kind = said(400, 'Validation Error', data);
		const parameters = { campaign, ...EMAIL_FROM_ROW };
		const all = await detailsOf('a', 'survey.send', parameters, kind, rows);
		for (const details of all) expect(details).toMatchObject({ code, advice });
	});

	test.each([
		['a', 'customer.upsert', said(403, 'Author tag is reserved')],
		['a', 'customer.upsert', said(403, 'Accounting is a reserved tag')],
		['b', 'contact.upsert', { status: 403, body: { detail: 'Accounting is a reserved list.' } }],
	] as const)('a 403 about a value fails its row alone: %s, %s, %j', async (of, name, kind) => {
		const [details] = await detailsOf(of, name, EMAIL_FROM_ROW, kind, [{ email: ada }]);
		expect(details).toMatchObject({ code: 'refused' });
	});

	test.each([
		'Unauthorized',
		'You are not authorised',
		'Authentication failed',
		'Invalid auth token',
		'Your account is suspended',
	])('a 403 about the account ends the run: %s', async (message) => {
		const kind = said(403, message);
		const [details] = await detailsOf('a', 'customer.upsert', EMAIL_FROM_ROW, kind, [
			{ email: ada },
		]);
		expect(details).toMatchObject({ code: 'account', retry: true });
	});
});
