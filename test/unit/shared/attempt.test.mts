import { UserError } from 'n8n-workflow';
import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';
import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { z } from 'zod/v4';

import { attempt } from '../../../nodes/shared/http/attempt';
import type { Caller } from '../../../nodes/shared/http/attempt';
import { Failure } from '../../../nodes/shared/base/failure';
import { get, post } from '../../../nodes/shared/http/request';
import type { ApiRequest } from '../../../nodes/shared/http/request';
import type { Transport } from '../../../nodes/shared/http/transport';
import { surveyA } from '../../../nodes/SurveyA/service';

// The result of one request, by its response or failure and by the effect of a repetition.

const BASE = 'https://survey.example.com/base';
const KEY = 'example-key-1234567890';

const READ = get('/api/v2/things', { page: 2 });
const UPSERT = post('idempotent', '/api/v2/things', { name: 'one' });
const SEND = post('notIdempotent', '/api/v2/things', { name: 'one' });

const thing = z.object({ id: z.string() });

interface Answer {
	status?: number;
	headers?: IDataObject;
	body?: unknown;
}

const replyOf = ({ status = 200, headers = {}, body }: Answer): IN8nHttpFullResponse => ({
	statusCode: status,
	headers,
	body: Readable.from([Buffer.from(typeof body === 'string' ? body : JSON.stringify(body ?? ''))]),
});

const callerOf = (transport: Transport, more: Partial<Caller> = {}): Caller => ({
	transport,
	service: surveyA,
	credential: { baseUrl: BASE, apiKey: KEY },
	timeout: 30,
	...more,
});

const detailsOf = ({ kind, message, status, hint, refusedRows }: Failure) => ({
	...{ kind, message, status, hint, refusedRows },
});

/** Returns the failure of a request with this response. */
async function failedBy(request: ApiRequest, answer: Answer) {
	const result = await attempt(
		callerOf(async () => replyOf(answer)),
		request,
		thing,
	);
	if (!('failure' in result)) throw new RangeError('It did not fail');
	const { failure, ...rest } = result;
	return { ...rest, details: detailsOf(failure) };
}

/** Returns the failure of a request that ends with this error. */
async function failedWith(request: ApiRequest, error: unknown) {
	const result = await attempt(
		callerOf(async () => await Promise.reject(error)),
		request,
		thing,
	);
	if (!('failure' in result)) throw new RangeError('It did not fail');
	return { kind: result.kind, pause: result.pause, details: detailsOf(result.failure) };
}

const codeError = (code: string, more: object = {}) =>
	Object.assign(new Error('Request failed'), { code, ...more });

const ofBody = (message: string, data: unknown = null) => ({ code: 400, message, data });

test('a response of the right shape is returned', async () => {
	const transport = jest.fn<ReturnType<Transport>, Parameters<Transport>>(async () =>
		replyOf({ body: { id: '7', more: 1 } }),
	);
	const result = await attempt(callerOf(transport, { timeout: 1.2345 }), READ, thing);
	expect(result).toEqual({ kind: 'response', response: { id: '7' }, isRedacted: false });
	const [[request, limits] = []] = transport.mock.calls;
	expect(request).toEqual({
		method: 'GET',
		url: `${BASE}/api/v2/things`,
		qs: { page: 2 },
		body: undefined,
	});
	expect(limits).toEqual({ timeoutMs: 1235, signal: expect.any(AbortSignal) as AbortSignal });
	expect(limits?.signal.aborted).toBe(false);
});

describe('a response of another shape', () => {
	const ADVICE = 'Check the Base URL of the credential';

	test.each<[string, unknown, string]>([
		['data', { name: 'one' }, 'Survey A returned an unexpected response'],
		['text', 'OK', 'Survey A returned an unexpected response'],
		['a page', ' <html>', 'Survey A returned an unexpected response: a web page instead of data'],
		['text with a tag', 'a <b>', 'Survey A returned an unexpected response'],
	])('is worth a retry if repeating is harmless: %s', async (_, body, words) => {
		const details = { message: words, status: 200, hint: ADVICE };
		expect(await failedBy(READ, { body })).toEqual({
			kind: 'retryable',
			details: { kind: 'failed', ...details },
		});
		expect(await failedBy(SEND, { body })).toEqual({
			kind: 'final',
			details: { ...details, kind: 'uncertain' },
		});
	});

	test('is an unexpected response if parsing it throws an error', async () => {
		const schema = { safeParse: () => JSON.parse('{') };
		const caller = callerOf(async () => replyOf({ body: { id: '1' } }));
		const result = await attempt(caller, READ, schema);
		expect(result).toMatchObject({
			kind: 'retryable',
			failure: { message: 'Survey A returned an unexpected response' },
		});
	});

	test('that contains a failure is that failure, without the key', async () => {
		const schema = {
			safeParse: () => {
				throw new Failure('failed', `No ${KEY}`, { hint: 'None' });
			},
		};
		const caller = callerOf(async () => replyOf({ body: { id: '1' } }));
		const result = await attempt(caller, READ, schema);
		expect(result.kind).toBe('final');
		expect(JSON.stringify(result)).not.toContain(KEY);
		expect(result).toMatchObject({ failure: { hint: 'None' } });
	});
});

describe('a refusal', () => {
	test('is final, with the message of the service and a hint', async () => {
		expect(await failedBy(READ, { status: 403, body: { message: 'No access' } })).toEqual({
			kind: 'final',
			details: {
				message: 'No access',
				status: 403,
				hint: 'Check what the owner of the API key may do in the service',
				refusedRows: [],
				kind: 'failed',
			},
		});
	});

	test('a refusal without a message has the message of its code', async () => {
		const { details } = await failedBy(READ, { status: 401, body: {} });
		expect(details.message).toBe('The API key was not accepted');
	});

	test('inside a 200 counts as a refusal', async () => {
		const { kind, details } = await failedBy(READ, {
			body: { code: 404, message: 'Customer not found' },
		});
		expect(kind).toBe('final');
		expect(details).toMatchObject({ message: 'Customer not found', status: 404 });
	});

	test('inside a 300 does not count: the HTTP code counts', async () => {
		const { details } = await failedBy(READ, { status: 300, body: { code: 404, message: 'No' } });
		expect(details).toMatchObject({ status: 300, message: 'No' });
	});

	test('does not contain the key', async () => {
		const failed = await failedBy(READ, { status: 400, body: { message: `Bad key ${KEY}` } });
		expect(JSON.stringify(failed)).not.toContain(KEY);
		expect(failed.details.message).toMatch(/^Bad key/);
	});

	const NAMED = ofBody('Validation', [
		{ status: 'fail', email: 'ada@acme.example', reason: `Bad ${'x'.repeat(5000)}` },
	]);

	test.each([400, 413, 422])(
		'of code %i names rows with reasons that are not too long',
		async (status) => {
			for (const request of [SEND, UPSERT]) {
				const { details } = await failedBy(request, { status, body: NAMED });
				expect(details).toMatchObject({ kind: 'refused', status });
				expect(details.refusedRows).toMatchObject([{ key: 'ada@acme.example' }]);
				expect(details.refusedRows?.[0]?.reason.length).toBeLessThan(1100);
			}
		},
	);

	test('a refusal with another code may be about the named rows only', async () => {
		const { kind, details } = await failedBy(SEND, { status: 403, body: NAMED });
		expect(kind).toBe('final');
		expect(details.kind).toBe('uncertain');
		expect(details.refusedRows).toBeUndefined();
		const { details: harmless } = await failedBy(UPSERT, { status: 403, body: NAMED });
		expect(harmless.kind).toBe('failed');
		expect(harmless.refusedRows).toHaveLength(1);
	});

	test('a refusal with another code and without rows had no effect', async () => {
		const { details } = await failedBy(SEND, { status: 403, body: { message: 'No' } });
		expect(details.kind).toBe('failed');
		expect(details.refusedRows).toEqual([]);
	});

	test.each<[string, ApiRequest, Answer, boolean]>([
		['a 400', SEND, { status: 400, body: ofBody('Validation failed') }, true],
		[
			'a 400 about the campaign',
			SEND,
			{ status: 400, body: ofBody('Campaign 7 is not active.') },
			false,
		],
		['a 404 in words', SEND, { status: 404, body: { message: 'Customer not found' } }, true],
		['a 404 without words', SEND, { status: 404, body: {} }, false],
		['a 403', SEND, { status: 403, body: { message: 'No' } }, false],
		['a 400 inside a 200', UPSERT, { status: 200, body: ofBody('Validation failed') }, true],
		['a 400 inside a 200', SEND, { status: 200, body: ofBody('Validation failed') }, false],
	])('may be about a single row: %s', async (_, request, answer, expected) => {
		expect((await failedBy(request, answer)).details.kind === 'refused').toBe(expected);
	});
});

describe('a response that asks to wait', () => {
	test('a 429 has the time to wait', async () => {
		const answer = { status: 429, headers: { 'retry-after': '7' }, body: { message: 'Slow' } };
		for (const request of [READ, SEND]) {
			expect(await failedBy(request, answer)).toEqual({
				kind: 'rateLimited',
				pause: 7000,
				details: { kind: 'failed', message: 'Slow', status: 429 },
			});
		}
	});

	test('a 503 says that the service is down, and whether the request may have been processed', async () => {
		const answer = { status: 503, headers: { 'retry-after': '2' }, body: {} };
		const details = {
			message: 'The service is down for maintenance',
			status: 503,
			hint: 'Try again later',
		};
		expect(await failedBy(READ, answer)).toEqual({
			kind: 'retryable',
			pause: 2000,
			details: { kind: 'failed', ...details },
		});
		expect(await failedBy(SEND, answer)).toEqual({
			kind: 'final',
			pause: 2000,
			details: { ...details, kind: 'uncertain' },
		});
	});
});

describe('a redirect', () => {
	const redirected = async (location: string, left?: number) =>
		await attempt(
			callerOf(async () => replyOf({ status: 302, headers: { location }, body: '' })),
			READ,
			thing,
			left,
		);

	test('a redirect of a read below the base URL is returned as a redirect', async () => {
		expect(await redirected(`${BASE}/there?x=1`)).toEqual({
			kind: 'redirect',
			to: { path: '/there', query: { x: '1' } },
		});
	});

	test('beyond the allowed number is a failure', async () => {
		expect((await redirected(`${BASE}/3`, 1)).kind).toBe('redirect');
		expect(await redirected(`${BASE}/3`, 0)).toMatchObject({
			kind: 'final',
			failure: { message: `Survey A redirects more than 3 times, last to ${BASE}/3` },
		});
	});

	test('to another origin is a failure', async () => {
		expect(await redirected('https://other.example.com/x')).toMatchObject({
			failure: {
				message: 'Survey A redirects to https://other.example.com/x, where the key is not sent',
				status: 302,
			},
		});
	});

	test('a redirect with a message of the service has that message', async () => {
		const answer = { status: 302, headers: { location: 'https://x.example' }, body: ' Moved\n' };
		expect((await failedBy(READ, answer)).details.message).toBe('Moved');
	});
});

describe('a request without a response', () => {
	test.each<[string, unknown, string, string]>([
		[
			'that found nobody',
			codeError('ECONNREFUSED'),
			`Survey A could not be reached at ${BASE}: the connection was refused`,
			'Check the Base URL of the credential, and whether the service is running',
		],
		[
			'to a host that nobody knows',
			codeError('ENOTFOUND'),
			`Survey A could not be reached at ${BASE}: its host name is not known`,
			'Check the host name in the Base URL of the credential',
		],
	])('may be repeated whatever its effect: %s', async (_, error, words, advice) => {
		for (const request of [READ, SEND]) {
			expect(await failedWith(request, error)).toEqual({
				kind: 'retryable',
				pause: undefined,
				details: { kind: 'failed', message: words, hint: advice },
			});
		}
	});

	test('a request whose connection broke may have been processed', async () => {
		const details = {
			message: 'The connection to Survey A closed before the response was complete',
			hint: 'Try again later',
		};
		const error = codeError('ECONNRESET');
		expect(await failedWith(READ, error)).toMatchObject({
			kind: 'retryable',
			details: { kind: 'failed', ...details },
		});
		expect(await failedWith(SEND, error)).toMatchObject({
			kind: 'final',
			details: { ...details, kind: 'uncertain' },
		});
	});

	test('that failed for an unknown reason may have been processed', async () => {
		const error = new Error(`Odd ${KEY}`);
		const read = await failedWith(READ, error);
		expect(read).toMatchObject({ kind: 'retryable', details: { kind: 'failed' } });
		expect(read.details.message).toBe('Something unexpected happened in this node');
		expect(JSON.stringify(read)).not.toContain(KEY);
		expect(await failedWith(SEND, error)).toMatchObject({
			kind: 'final',
			details: { kind: 'uncertain' },
		});
	});

	test('that could not be sent was not processed', async () => {
		for (const request of [READ, SEND]) {
			expect(await failedWith(request, codeError('ERR_INVALID_CHAR'))).toEqual({
				kind: 'final',
				pause: undefined,
				details: {
					kind: 'failed',
					message:
						'Nothing was sent to Survey A: the request contains characters that cannot be sent',
					hint: 'Check the Base URL and the API key of the credential for stray characters',
				},
			});
		}
	});

	test('that n8n refuses has its message', async () => {
		const { kind, details } = await failedWith(READ, new UserError('Domain not allowed'));
		expect([kind, details.message]).toEqual(['final', 'Domain not allowed']);
	});

	test.each([['things'], ['/things?x=1'], ['/../things'], ['/things#x'], ['/a b']])(
		'with the path %s is not sent',
		async (path) => {
			const transport = jest.fn();
			const result = await attempt(callerOf(transport), { ...SEND, path }, thing);
			expect(transport).not.toHaveBeenCalled();
			expect(result).toEqual({
				kind: 'final',
				failure: expect.objectContaining({
					message: `The path '${path}' cannot be requested`,
					hint: 'Enter a path that begins with a slash and has no query',
				}) as Failure,
			});
		},
	);

	/** Never responds; ends with the request. */
	const silent: Transport = async (_, { signal }) =>
		await new Promise((__, reject) => {
			signal.addEventListener('abort', () => reject(codeError('ERR_CANCELED')));
		});

	test('within its time limit fails as too slow', async () => {
		const result = await attempt(callerOf(silent, { timeout: 0.02 }), SEND, thing);
		expect(result).toMatchObject({
			kind: 'final',
			failure: {
				message: 'Survey A did not respond within 0.02 s',
				hint: "Try again later, or increase 'Timeout'",
				kind: 'uncertain',
			},
		});
		const read = await attempt(callerOf(silent, { timeout: 0.02 }), READ, thing);
		expect(read).toMatchObject({ kind: 'retryable', failure: { kind: 'failed' } });
	});

	test('a request of a cancelled run says that the run was cancelled', async () => {
		const run = new AbortController();
		const sending = attempt(callerOf(silent, { signal: run.signal }), SEND, thing);
		run.abort();
		expect(await sending).toMatchObject({
			kind: 'final',
			failure: { message: 'The run was cancelled' },
		});
	});

	test('leaves no listener on the signal of its run', async () => {
		const { signal } = new AbortController();
		await attempt(
			callerOf(async () => replyOf({ body: { id: '1' } }), { signal }),
			READ,
			thing,
		);
		expect(getEventListeners(signal, 'abort')).toEqual([]);
	});

	test('aborts its connection', async () => {
		const signals: AbortSignal[] = [];
		const failing: Transport = async (_, { signal }) => {
			signals.push(signal);
			throw codeError('ECONNRESET');
		};
		await attempt(callerOf(failing), READ, thing);
		expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
	});
});

test('a request whose response is too large is final and may have been processed', async () => {
	const body = Readable.from([Buffer.from('[]')]);
	const headers = { 'content-length': String(2 ** 26) };
	const signals: AbortSignal[] = [];
	const transport: Transport = async (_, { signal }) => {
		signals.push(signal);
		return { statusCode: 200, headers, body };
	};
	const details = {
		message: 'Survey A returned more than 32 MB',
		hint: 'Check the Base URL of the credential, or narrow the list by a filter',
	};
	expect(await attempt(callerOf(transport), READ, thing)).toMatchObject({
		kind: 'final',
		failure: { ...details, kind: 'tooLarge' },
	});
	expect(await attempt(callerOf(transport), SEND, thing)).toMatchObject({
		kind: 'final',
		failure: { ...details, kind: 'uncertain' },
	});
	expect(signals.map(({ aborted }) => aborted)).toEqual([true, true]);
});
