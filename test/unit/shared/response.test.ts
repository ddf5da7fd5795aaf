import { Failure } from '../../../nodes/shared/base/failure';
import { objectThat } from '../../../nodes/shared/base/json';
import { get, post } from '../../../nodes/shared/http/request';
import { withDoubt } from '../../../nodes/shared/http/outcome';
import type { ApiRequest } from '../../../nodes/shared/http/request';
import { isRefused, readResponse } from '../../../nodes/shared/http/response';
import type { Received } from '../../../nodes/shared/http/response';
import { surveyA } from '../../../nodes/SurveyA/service';

// What a response means, by its status, its body, and the effect of a repetition.

const BASE = 'https://survey.example.com/base';

const READ = get('/api/v2/things', { page: 2 });
const UPSERT = post('idempotent', '/api/v2/things', { name: 'one' });
const SEND = post('notIdempotent', '/api/v2/things', { name: 'one' });

const readThing = objectThat(({ id }) => typeof id === 'string');

const common = { service: surveyA, baseUrl: BASE };

const read = (request: ApiRequest, received: Partial<Received>, readBody = readThing) =>
	readResponse({ ...common, request, status: 200, headers: {}, body: '', ...received }, readBody);

/** Returns the parts of the failure of a request with this response. */
function failed(request: ApiRequest, received: Partial<Received>) {
	const result = read(request, received);
	if (!(result instanceof Failure)) throw new RangeError('It did not fail');
	const { kind, pause, message, status, hint, refusedItems } = result;
	const { doubt } = withDoubt(result, request);
	return { kind, doubt, pause, message, status, hint, refusedItems };
}

const ofBody = (message: string, data: unknown = null) => ({ code: 400, message, data });

test('a response of the right shape is returned', () => {
	const body = { id: '7', more: 1 };
	expect(read(READ, { body })).toEqual({ response: body });
});

describe('a response of another shape', () => {
	test.each<[string, unknown, string]>([
		['data', { name: 'one' }, 'Survey A returned an unexpected response: {"name":"one"}'],
		['text', 'OK', 'Survey A returned an unexpected response'],
		['null', null, 'Survey A returned an unexpected response'],
		['a page', ' <html>', 'Survey A returned an unexpected response: a web page instead of data'],
		['NaN', '{"score":NaN}', 'Survey A returned an unexpected response'],
		['text with a tag', 'a <b>', 'Survey A returned an unexpected response'],
	])('may have been processed: %s', (_, body, message) => {
		const hint = 'Check the Base URL of the credential';
		expect(read(SEND, { body })).toMatchObject({ kind: 'lost', message, status: 200, hint });
	});

	test('is an unexpected response if parsing it throws an error', () => {
		const readBody = () => JSON.parse('{');
		const answer = { ...common, request: READ, status: 200, headers: {}, body: { id: '1' } };
		expect(readResponse(answer, readBody)).toMatchObject({
			kind: 'lost',
			message: 'Survey A returned an unexpected response: {"id":"1"}',
		});
	});
});

test.each([
	...['failed', 'Error', 'rejected', 'denied', 'declined', 'refused', 'invalid', 'unsent'],
	...['not sent', 'notFound', 'not_allowed', 'not eligible', 'not-valid', 'not queued'],
	...['bounced', 'blocked', 'cancelled', 'skipped'],
])('the status %j is a sign against success', (status) => {
	expect(isRefused({ id: 1, status })).toBe(true);
});

test.each([
	{ id: 1, deleted: false },
	{ detail: 'Deleted.' },
	{ detail: 'Feedback deleted successfully' },
	{ queued: true, sent: true },
	{ message: 'Feedback was deleted.' },
	{ name: 'late delivery' },
])('%j is no sign against success', (body) => {
	expect(isRefused(body)).toBe(false);
});

test.each([
	{ queued: false },
	{ sent: 'false' },
	{ detail: 'Not deleted: no permission' },
	...[
		...['Not deleted', 'Record cannot be removed', "Record can't be removed", 'Nothing deleted'],
		...['Feedback could not be deleted.', 'The survey was not ok.', 'No record was removed'],
		...['Unable to report it as removed', 'Failed to get it removed', 'It will be deleted'],
		...['0 contacts removed', 'Partially deleted', 'It was never deleted'],
	].map((detail) => ({ detail })),
	...['detail', 'message', 'error'].map((name) => ({ [name]: 'Contact has unsubscribed' })),
	{ contact: 'Contact has unsubscribed.' },
])('%j is a sign against success', (body) => {
	expect(isRefused(body)).toBe(true);
});

describe('a refusal', () => {
	test('of the API key fails the whole run', () => {
		expect(failed(READ, { status: 401, body: {} }).kind).toBe('run');
	});

	const LATER = 'Try again later';
	const REFUSED = 'Survey A refused the request';

	test.each<[number, string, string]>([
		[400, REFUSED, 'Check the values of this row'],
		[401, REFUSED, 'Check the API key of the credential'],
		[403, REFUSED, 'Check what the owner of the API key may do in the service'],
		[404, REFUSED, 'Check the ID, and the Base URL of the credential'],
		[405, REFUSED, 'The account or its API version may not support this operation'],
		[406, REFUSED, 'Check the Base URL of the credential'],
		[410, REFUSED, 'Remove the row. The resource may be gone for good'],
		[418, REFUSED, 'Ask the support of the service what HTTP 418 means here'],
		[422, REFUSED, 'Check the values of this row'],
		[500, 'Survey A failed', LATER],
		[504, 'Survey A failed', LATER],
		[599, 'Survey A failed', LATER],
	])('of code %i without a body has a message and a hint: %s', (status, message, hint) => {
		expect(failed(READ, { status })).toMatchObject({ message, hint });
	});

	test('of any code says what to do', () => {
		const codes = Array.from({ length: 200 }, (_, i) => 400 + i);
		expect(codes.filter((status) => !failed(READ, { status }).hint)).toEqual([]);
	});

	const NAMED = ofBody('Validation', [
		{ status: 'fail', email: 'ada@acme.example', reason: `Bad ${'x'.repeat(5000)}` },
	]);

	test.each([400, 413, 422])(
		'of code %i names rows with reasons that are not too long',
		(status) => {
			for (const request of [SEND, UPSERT]) {
				const { kind, refusedItems } = failed(request, { status, body: NAMED });
				expect(kind).toBe('refused');
				expect(refusedItems).toMatchObject([{ key: 'ada@acme.example' }]);
				expect(refusedItems?.[0]?.reason.length).toBeLessThan(1100);
			}
		},
	);

	test.each([200, 403, 409])(
		'of code %i names rows, and a survey to the others may be processed',
		(status) => {
			const received = { status, body: NAMED };
			expect(failed(SEND, received)).toMatchObject({ doubt: 'harmful', refusedItems: [{}] });
			expect(failed(UPSERT, received).doubt).not.toBe('harmful');
		},
	);

	test.each<[string, ApiRequest, Partial<Received>, string]>([
		['a 400', SEND, { status: 400, body: ofBody('Validation failed') }, 'refused'],
		[
			'a 400 about the campaign',
			SEND,
			{ status: 400, body: ofBody('Campaign 71 is not active.') },
			'group',
		],
		['a 404 in words', SEND, { status: 404, body: { message: 'Customer not found' } }, 'refused'],
		[
			'a 404 about the campaign',
			SEND,
			{ status: 404, body: ofBody('Campaign not found.') },
			'group',
		],
		['a 404 without words', SEND, { status: 404, body: {} }, 'failed'],
		['a 403', SEND, { status: 403, body: { message: 'Access denied' } }, 'run'],
		['a 403 without words', SEND, { status: 403, body: {} }, 'run'],
		['a 403 about something else', SEND, { status: 403, body: { message: 'No' } }, 'refused'],
		[
			'a 403 about the campaign',
			SEND,
			{ status: 403, body: ofBody('Campaign 71 is not active.') },
			'group',
		],
		['a 400 inside a 200', UPSERT, { body: ofBody('Validation failed') }, 'refused'],
		['a 400 inside a 200', SEND, { body: ofBody('Validation failed') }, 'unconfirmed'],
	])('decides about a single row, its group, or the run: %s', (_, request, received, kind) => {
		expect(failed(request, received).kind).toBe(kind);
	});
});

test.each([408, 500, 503])('a %i that asks to wait may have been processed', (status) => {
	const received = { status, headers: { 'retry-after': '2' }, body: {} };
	expect(failed(SEND, received)).toMatchObject({ kind: 'lost', pause: 2000, status });
});

describe('a redirect is not followed', () => {
	const redirected = (location: unknown, body: unknown = '') =>
		failed(READ, { status: 302, headers: { location }, body });

	test.each([
		['http://other.example/api/v2/things?page=2', 'http://other.example'],
		['https://survey.example.com/x/api/v2/things', 'https://survey.example.com/x'],
		['//www.example.com/api/v2/things', 'https://www.example.com'],
	])('a redirect to %s names the Base URL %s', (location, base) => {
		expect(redirected(location)).toMatchObject({
			kind: 'failed',
			message: `Survey A redirects to ${base}`,
			hint: `If this is Survey A, enter ${base} as the Base URL of the credential`,
		});
	});

	test('a redirect to another path names it without its query', () => {
		expect(redirected('/login?next=secret')).toMatchObject({
			message: 'Survey A redirects to https://survey.example.com/login',
			hint: 'Check the Base URL of the credential',
		});
	});

	test.each([undefined, '', 'http://'])(
		'a redirect to %j, which is no address, says so',
		(location) => {
			expect(redirected(location).message).toBe('Survey A redirects without saying where to');
			expect(redirected(location, ' Moved\n').message).toBe('Moved');
		},
	);

	test('a 300 with an error in its body is no refusal', () => {
		const received = { status: 300, headers: {}, body: { code: 404, message: 'No' } };
		expect(failed(READ, received)).toMatchObject({ status: 300, message: 'No' });
	});
});
