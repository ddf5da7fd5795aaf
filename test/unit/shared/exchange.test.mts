import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import { sleep } from 'n8n-workflow';

import { ApiClient, DEFAULT_TIME_LIMITS } from '../../../nodes/shared/http/client';
import { checkCredential } from '../../../nodes/shared/http/credential';
import { exchange } from '../../../nodes/shared/http/exchange';
import { get, post } from '../../../nodes/shared/http/request';
import type { ApiRequest } from '../../../nodes/shared/http/request';
import type { Transport } from '../../../nodes/shared/http/exchange';
import { surveyA } from '../../../nodes/SurveyA/service';
import { onItsOwnClock } from '../../support/clock.mts';

// One attempt of a request on the network: its response, or why there is none.

const BASE = 'https://survey.example.com/base';
const KEY = 'example-key-1234567890';
const credential = checkCredential(surveyA, { baseUrl: BASE, apiKey: KEY });

const READ = get('/api/v2/things', { page: 2 });
const SEND = post('notIdempotent', '/api/v2/things', { name: 'one' });

const responding =
	(body: string, headers: Record<string, string> = {}): Transport =>
	async () => ({ statusCode: 200, headers, body: Readable.from([Buffer.from(body)]) });

const failing =
	(error: unknown): Transport =>
	async () =>
		await Promise.reject(error);

/** Never responds; ends with the request. */
const silent: Transport = async (_, { signal }) =>
	await new Promise((__, reject) => {
		signal.addEventListener('abort', () => reject(codeError('ERR_CANCELED')));
	});

const codeError = (code: string) => Object.assign(new Error('Request failed'), { code });

async function send(transport: Transport, request: ApiRequest = SEND, timeout = 30_000) {
	const signals: AbortSignal[] = [];
	const watched: Transport = async (sent, limits) => {
		signals.push(limits.signal);
		return await transport(sent, limits);
	};
	const connection = { transport: watched, credential };
	const result = await exchange(connection, request, 'Survey A', timeout);
	return { result, isAborted: signals.some(({ aborted }) => aborted) };
}

test('a response is returned with its body parsed, and without the key', async () => {
	const transport = jest.fn(responding(`{"key":"${KEY}"}`, { location: `/${KEY}` }));
	const { result, isAborted } = await send(transport, READ, 1234);
	expect(result).toEqual({
		status: 200,
		headers: { location: '/***' },
		body: { key: '***' },
	});
	expect(isAborted).toBe(false);
	expect(transport.mock.calls).toEqual([
		[
			{ method: 'GET', url: `${BASE}/api/v2/things`, qs: { page: 2 }, body: undefined },
			{ timeout: 1234, signal: expect.any(AbortSignal) as AbortSignal },
		],
	]);
});

test('after an error, the attempt may have been processed, and ends its connection', async () => {
	const { result, isAborted } = await send(failing(new Error(`Odd ${KEY}`)));
	const message = 'Something unexpected happened in this node';
	expect(result).toMatchObject({ kind: 'lost', message });
	expect(JSON.stringify(result)).not.toContain(KEY);
	expect(isAborted).toBe(true);
});

test.each([1, 20])('a request ends after its time limit of %d s', async (seconds) => {
	const { result } = await onItsOwnClock(async () => await send(silent, SEND, seconds * 1000));
	expect(result).toMatchObject({
		kind: 'lost',
		message: `Survey A did not respond within ${seconds} s`,
		hint: 'Try again later',
	});
});

test.each([
	['a read', READ],
	['a write', SEND],
])('a response that is too large ends the connection of %s', async (_, request) => {
	const large = responding(' '.repeat(32 * 1024 * 1024 + 1));
	const { result, isAborted } = await send(large, request);
	expect(result).toMatchObject({
		kind: 'tooLarge',
		message: 'Survey A returned more than 32 MB',
		hint: 'Check the Base URL of the credential, or narrow the list by a filter',
	});
	expect(isAborted).toBe(true);
});

describe('a run with many requests in flight', () => {
	const clientOf = (transport: Transport, signal: AbortSignal) =>
		new ApiClient(async () => ({ transport, credential }), surveyA, DEFAULT_TIME_LIMITS, signal);

	test('adds no listener to its signal: Node warns of more than ten', async () => {
		const { signal } = new AbortController();
		const counts = new Set<number>();
		const counting: Transport = async (...given) => {
			await sleep(1);
			counts.add(getEventListeners(signal, 'abort').length);
			return await responding('{}')(...given);
		};
		const client = clientOf(counting, signal);
		await Promise.all(Array.from({ length: 20 }, async () => await client.send(READ, () => ({}))));
		expect([...counts]).toEqual([0]);
	});

	test('sends nothing more after it was cancelled', async () => {
		const transport = jest.fn();
		const sending = clientOf(transport, AbortSignal.abort()).send(READ, () => ({}));
		await expect(sending).rejects.toThrow('The run was cancelled');
		expect(transport).not.toHaveBeenCalled();
	});

	test('does not repeat a read that was in flight when it was cancelled', async () => {
		const cancel = new AbortController();
		const transport = jest.fn(silent);
		setImmediate(() => cancel.abort());
		const sending = clientOf(transport, cancel.signal).send(READ, () => ({}));
		await expect(sending).rejects.toThrow('The run was cancelled');
		expect(transport).toHaveBeenCalledTimes(1);
	});
});
