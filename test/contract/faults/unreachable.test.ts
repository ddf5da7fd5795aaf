import type { INodeParameters } from 'n8n-workflow';

import { onItsOwnClock } from '../../support/clock.mts';
import { failToConnect, withClosingProxy, withProxy } from '../../support/network.mts';
import { runOperation } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';

// Without a connection nothing was sent, so the client retries even a request that must not be repeated. The causes are in
// test/unit/shared/networkError.test.ts.

const sandbox = useSandbox();

beforeEach(() => {
	jest.restoreAllMocks();
});

const run = (name: string, parameters: INodeParameters, baseUrl: string) =>
	onItsOwnClock(() => runOperation(sandbox.b, name, parameters, { baseUrl }));

const reply = () => {
	const feedbackId = String(sandbox.b.state.feedback.at(-1)?.id);
	const parameters = { feedbackId, fromUser: 'agent@example.com', message: 'Thank you' };
	return run('feedback.reply', parameters, sandbox.b.url.replace('127.0.0.1', 'localhost'));
};

const CODES = ['ECONNREFUSED', 'ENOTFOUND', 'CERT_HAS_EXPIRED'];

test.each(CODES)('sends a reply once after two connections that failed with %s', async (code) => {
	failToConnect(code, 2);
	const { error } = await reply();
	expect(error).toBeUndefined();
	expect(sandbox.b.requests).toHaveLength(1);
});

test.each(CODES)('a reply was not sent if %s lasts, and the error says so', async (code) => {
	const lookup = failToConnect(code, 20);
	const { error } = await reply();
	expect(error?.message).toMatch(/Survey B could not be reached at http:\/\/localhost:\d+: \w/);
	expect(error?.message).not.toContain('may have been processed');
	expect(lookup).toHaveBeenCalledTimes(4);
	expect(sandbox.b.requests).toEqual([]);
});

test('a reply was not sent if a proxy closes the connection in place of connecting to the service', async () => {
	const parameters = { feedbackId: '1', fromUser: 'agent@example.com', message: 'Thank you' };
	const { error } = await withClosingProxy(() =>
		run('feedback.reply', parameters, 'https://survey.example.com'),
	);
	expect(error?.message).toContain('could not be reached at https://survey.example.com');
	expect(error?.message).not.toContain('may have been processed');
});

test.each([
	[
		'a server that speaks plain HTTP only',
		{ baseUrl: () => sandbox.b.url.replace('http:', 'https:') },
		/could not be reached at https:\S+: the server speaks plain HTTP there$/,
		/Base URL of the credential \(https:\/\/ or http:\/\//,
	],
	[
		'a proxy that is not there',
		{ baseUrl: () => sandbox.b.url, proxy: 'http://127.0.0.1:9' },
		/could not be reached at .*: connect ECONNREFUSED 127\.0\.0\.1:9/,
		/the proxy that n8n is set to use/,
	],
])(
	'names the cause when the service is unreachable: %s',
	async (_, { baseUrl, ...given }, message, description) => {
		const { error } = await withProxy('proxy' in given ? given.proxy : undefined, () =>
			run('contactList.getAll', {}, baseUrl()),
		);
		expect(error?.message).toMatch(message);
		expect(error?.description).toMatch(description);
	},
);
