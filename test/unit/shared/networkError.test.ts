import { ApplicationError, NodeApiError, UserError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import { networkError } from '../../../nodes/shared/http/networkError';

const BASE = 'https://survey.example.com';

const NODE: INode = {
	id: 'node',
	name: 'Survey',
	type: 'surveyB',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const withCode = (code: string, more: object = {}) =>
	Object.assign(new Error('x'), { code, ...more });

test.each([
	['ECONNREFUSED', 'never connected', /connection was refused/],
	['ENOTFOUND', 'never connected', /host name is not known/],
	['EAI_AGAIN', 'never connected', /host name could not be looked up/],
	['EHOSTUNREACH', 'never connected', /no route to its host/],
	['ENETUNREACH', 'never connected', /no route to its network/],
	['EADDRNOTAVAIL', 'never connected', /address cannot be used from here/],
	['SELF_SIGNED_CERT_IN_CHAIN', 'never connected', /authority of its own/],
	['CERT_HAS_EXPIRED', 'never connected', /certificate has expired/],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'never connected', /certificate is self-signed/],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'never connected', /certificate is for another host/],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'never connected', /certificate is not trusted/],
	['CERT_REVOKED', 'never connected', /certificate is not trusted/],
	['ECONNRESET', 'broken', undefined],
	['EPROTO', 'broken', undefined],
	['HPE_INVALID_CHUNK_SIZE', 'broken', undefined],
	['ERR_INVALID_URL', 'refused by n8n', /characters that cannot be sent/],
])('%s is classified as %s', (code, kind, reason) => {
	// The last one is n8n's own error without a cause, as an older n8n throws it.
	const ofOlderN8n = Object.assign(new Error('x'), { httpCode: code });
	for (const thrown of [
		withCode(code),
		new Error('outer', { cause: withCode(code) }),
		ofOlderN8n,
	]) {
		const errorText = networkError(thrown, BASE);
		expect(errorText.kind).toBe(kind);
		if (reason) expect(errorText.reason).toMatch(reason);
		else expect(errorText.reason).toBeUndefined();
	}
});

test("n8n's own refusals count as not sent", () => {
	const refusal = { kind: 'refused by n8n' };
	expect(networkError(new UserError('Domain not allowed'), BASE)).toEqual(refusal);
	expect(networkError(new ApplicationError('Domain not allowed'), BASE)).toEqual(refusal);
	const wrapped = new NodeApiError(NODE, Object(new UserError('Domain not allowed')));
	expect(networkError(wrapped, BASE)).toEqual(refusal);
	// Without a cause, as an older n8n throws it.
	expect(networkError(new NodeApiError(NODE, { message: 'x' }), BASE)).toEqual(refusal);
});

test('an unknown error counts as possibly sent', () => {
	for (const thrown of [new TypeError('x is not a function'), 'text', null, undefined]) {
		expect(networkError(thrown, BASE)).toEqual({ kind: 'unknown' });
	}
	const wrapped = new NodeApiError(NODE, Object(new TypeError('x is not a function')));
	expect(networkError(wrapped, BASE)).toEqual({ kind: 'unknown' });
});

test('TLS errors that mean that the server speaks plain HTTP are explained', () => {
	const message = 'write EPROTO 80EC:error:0A00010B:SSL routines::wrong version number:ssl3.c:350:';
	const error = Object.assign(new Error(message), { code: 'EPROTO' });
	expect(networkError(new Error('outer', { cause: error }), BASE)).toMatchObject({
		kind: 'never connected',
		reason: 'it does not use TLS',
		hint: expect.stringContaining('http://') as string,
	});
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
		const refused = withCode('ECONNREFUSED', { address: '10.0.0.1', port });
		const { reason } = networkError(refused, baseUrl);
		expect(reason).toBe(
			isService
				? 'the connection was refused'
				: `the proxy at 10.0.0.1:${port} could not be reached`,
		);
	},
);

test.each([{ address: '10.0.0.1' }, { port: 3128 }])('%j does not identify a proxy', (place) => {
	expect(networkError(withCode('ECONNREFUSED', place), BASE).reason).toBe(
		'the connection was refused',
	);
});

test.each(['404', 404, 'econnrefused', '4XX', ''])('the code %j is ignored', (httpCode) => {
	expect(networkError(Object.assign(new Error('x'), { httpCode }), BASE).kind).toBe('unknown');
});

test.each([
	[5, 'never connected'],
	[6, 'unknown'],
])('a code nested in %i other errors is classified as %s', (depth, kind) => {
	let error: Error = withCode('ECONNREFUSED');
	for (let i = 0; i < depth; i++) error = new Error('outer', { cause: error });
	expect(networkError(error, BASE).kind).toBe(kind);
});

test('an unknown host has a hint', () => {
	const advice = 'Check the host name in the Base URL of the credential';
	for (const code of ['ENOTFOUND', 'EAI_AGAIN']) {
		expect(networkError(withCode(code), BASE).hint).toBe(advice);
	}
});
