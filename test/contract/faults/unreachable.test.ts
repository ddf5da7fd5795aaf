import { startSandbox } from '../../../sandbox';
import type { Sandbox } from '../../../sandbox';
import { onItsOwnClock } from '../../support/clock.mts';
import { mapped } from '../../support/columns';
import { runNode } from '../../support/engine';
import { failToConnect, withProxy } from '../../support/network.mts';

// Without a connection nothing was sent, so the client retries even a survey.

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

beforeEach(() => {
	jest.restoreAllMocks();
	sandbox.b.reset();
});

afterAll(async () => await sandbox.close());

const send = async () =>
	await onItsOwnClock(
		async () =>
			await runNode({
				node: 'surveyB',
				parameters: {
					resource: 'survey',
					operation: 'send',
					campaignId: '101',
					...mapped({ email: 'nathan@example.com' }),
				},
				credential: {
					baseUrl: sandbox.b.url.replace('127.0.0.1', 'localhost'),
					apiKey: sandbox.b.apiKey,
				},
			}),
	);

const CODES = [
	'ECONNREFUSED',
	'ENOTFOUND',
	'EAI_AGAIN',
	'EHOSTUNREACH',
	'ENETUNREACH',
	'EADDRNOTAVAIL',
	'CERT_HAS_EXPIRED',
	'DEPTH_ZERO_SELF_SIGNED_CERT',
	'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

test.each(CODES)('sends a survey once after two connections that failed with %s', async (code) => {
	failToConnect(code, 2);
	const { error, hints } = await send();
	expect(error).toBeUndefined();
	expect(sandbox.b.state.sent).toHaveLength(1);
	expect(hints.map(({ message }) => message)).toEqual([
		'Requests to Survey B that were retried: 2',
	]);
});

test.each(CODES)(
	'fails without saying that the survey may have been sent if %s lasts',
	async (code) => {
		const lookup = failToConnect(code, 20);
		const { error } = await send();
		expect(error?.message).toMatch(
			/^nathan@example\.com: Survey B could not be reached at http:\/\/localhost:\d+: \w.+ \[item 0\]$/,
		);
		expect(error?.message).not.toContain('may have been processed');
		expect(lookup).toHaveBeenCalledTimes(4);
		expect(sandbox.b.requests).toEqual([]);
	},
);

test.each(['ECONNRESET', 'ETIMEDOUT', 'EPIPE'])(
	'does not retry a survey after %s, which may have broken a sent request',
	async (code) => {
		const lookup = failToConnect(code, 20);
		const { error } = await send();
		expect(error?.message).toContain('The request may have been processed');
		expect(lookup).toHaveBeenCalledTimes(1);
	},
);

test.each([
	[
		'a server that speaks plain HTTP only',
		{ baseUrl: () => sandbox.b.url.replace('http:', 'https:') },
		/could not be reached at https.*: it does not use TLS/,
		/http:\/\/ instead of https:\/\//,
	],
	[
		'a proxy that is not there',
		{ baseUrl: () => sandbox.b.url, proxy: 'http://127.0.0.1:9' },
		/could not be reached at .*: the proxy at 127\.0\.0\.1:9 could not be reached/,
		/HTTP_PROXY/,
	],
])(
	'names the cause when the service is unreachable: %s',
	async (_, { baseUrl, ...given }, message, description) => {
		const proxy = 'proxy' in given ? given.proxy : undefined;
		const { error } = await withProxy(
			proxy,
			async () =>
				await onItsOwnClock(
					async () =>
						await runNode({
							node: 'surveyB',
							parameters: { resource: 'contactList', operation: 'getAll' },
							credential: { baseUrl: baseUrl(), apiKey: sandbox.b.apiKey },
						}),
				),
		);
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(description);
	},
);
