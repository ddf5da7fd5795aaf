import { ApplicationError, NodeApiError, UserError } from 'n8n-workflow';

import { networkError as failedBy } from '../../../nodes/shared/http/exchange';
import { nodeOf } from '../../support/engine';

const BASE = 'https://survey.example.com';

function networkError(thrown: unknown, baseUrl = BASE) {
	const failure = failedBy(thrown, 'Survey B', { baseUrl, redact: (text) => text });
	const { kind, message, hint } = failure;
	return { kind, message, hint };
}

const NODE = nodeOf('Survey', 'surveyB');

const withCode = (code: string, more: object = {}) =>
	Object.assign(new Error('x'), { code, ...more });

test.each([
	['ECONNREFUSED', 'neverConnected', /connection was refused/],
	['ENOTFOUND', 'neverConnected', /host name is not known. Check the host name/],
	['EAI_AGAIN', 'neverConnected', /host name could not be looked up. Check the host name/],
	['EHOSTUNREACH', 'neverConnected', /no route to its host. Check the Base URL/],
	['ENETUNREACH', 'neverConnected', /no route to its network/],
	['EADDRNOTAVAIL', 'neverConnected', /address cannot be used from here/],
	['SELF_SIGNED_CERT_IN_CHAIN', 'neverConnected', /authority of its own. Give n8n/],
	['CERT_HAS_EXPIRED', 'neverConnected', /certificate has expired. Check the Base URL/],
	[
		'DEPTH_ZERO_SELF_SIGNED_CERT',
		'neverConnected',
		/certificate is self-signed. Give n8n the certificate/,
	],
	[
		'ERR_TLS_CERT_ALTNAME_INVALID',
		'neverConnected',
		/certificate is for another host. Check.*renewed/,
	],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'neverConnected', /certificate is not trusted/],
	['CERT_REVOKED', 'neverConnected', /certificate is not trusted. Give n8n the certificate/],
	['ECONNRESET', 'lost', /closed before the response was complete/],
	['EPROTO', 'lost', /closed before the response was complete/],
	['HPE_INVALID_CHUNK_SIZE', 'lost', /closed before the response was complete/],
	['ERR_INVALID_URL', 'failed', /characters that cannot be sent/],
	['ERR_UNESCAPED_CHARACTERS', 'failed', /characters that cannot be sent/],
	['ERR_BAD_REQUEST', 'failed', /characters that cannot be sent/],
	['UND_ERR_INVALID_ARG', 'lost', /closed before the response was complete/],
	['ERR_BAD_REQUESTS', 'lost', /closed before the response was complete/],
	['ERR_BAD_RESPONSE', 'lost', /closed before the response was complete/],
])('%s is classified as %s', (code, kind, message) => {
	// The last one is n8n's own error without a cause, as an older n8n throws it.
	const ofOlderN8n = Object.assign(new Error('x'), { httpCode: code });
	for (const thrown of [
		withCode(code),
		new Error('outer', { cause: withCode(code) }),
		ofOlderN8n,
	]) {
		const failed = networkError(thrown);
		expect(failed.kind).toBe(kind);
		expect(`${failed.message}. ${failed.hint}`).toMatch(message);
	}
});

test("n8n's own refusals count as not sent", () => {
	const refusal = { kind: 'failed', message: 'Domain not allowed' };
	expect(networkError(new UserError('Domain not allowed'))).toMatchObject(refusal);
	expect(networkError(new ApplicationError('Domain not allowed'))).toMatchObject(refusal);
	const wrapped = new NodeApiError(NODE, Object(new UserError('Domain not allowed')));
	expect(networkError(wrapped).kind).toBe('failed');
	// Without a cause, as an older n8n throws it.
	expect(networkError(new NodeApiError(NODE, { message: 'x' })).kind).toBe('failed');
});

test('an unknown error counts as possibly sent', () => {
	for (const thrown of [new TypeError('x is not a function'), 'text', null, undefined]) {
		expect(networkError(thrown).kind).toBe('lost');
	}
	const wrapped = new NodeApiError(NODE, Object(new TypeError('x is not a function')));
	expect(networkError(wrapped).kind).toBe('lost');
});

test.each([
	['http://survey.example.com', 80, true],
	['http://survey.example.com', 443, false],
	['https://survey.example.com', 443, true],
	['https://survey.example.com:8443', 8443, true],
	['https://survey.example.com:8443', 443, false],
])(
	'for the base URL %s, a connection to port %i is to the service itself: %p',
	(baseUrl, port, isService) => {
		const cause = withCode('ECONNREFUSED', { address: '10.0.0.1', port });
		const refused = new Error('outer', { cause });
		const reason = isService
			? 'the connection was refused'
			: `the proxy at 10.0.0.1:${port} could not be reached`;
		expect(networkError(refused, baseUrl).message).toContain(`${baseUrl}: ${reason}`);
	},
);

test.each([{ address: '10.0.0.1' }, { port: 3128 }])('%j does not identify a proxy', (place) => {
	expect(networkError(withCode('ECONNREFUSED', place)).message).toMatch(/connection was refused$/);
});

test.each(['404', 404, 'econnrefused', '4XX', ''])('the code %j is ignored', (httpCode) => {
	const { kind, message } = networkError(Object.assign(new Error('x'), { httpCode }));
	expect([kind, message]).toEqual(['lost', 'Something unexpected happened in this node']);
});

test.each([
	[5, 'neverConnected'],
	[6, 'lost'],
])('a code nested in %i other errors is classified as %s', (depth, kind) => {
	let error: Error = withCode('ECONNREFUSED');
	for (let i = 0; i < depth; i++) error = new Error('outer', { cause: error });
	expect(networkError(error).kind).toBe(kind);
});

test("a server without TLS is recognized by the cause's message", () => {
	const cause = withCode('EPROTO', { message: 'ssl3_get_record:wrong version number' });
	const { message, hint } = networkError(new Error('outer', { cause }));
	expect(message).toMatch(/it does not use TLS$/);
	expect(hint).toContain('http:// instead of https://');
});
