import { ApplicationError, NodeApiError, UserError } from 'n8n-workflow';

import { networkError as failedBy } from '../../../nodes/shared/http/exchange';
import { nodeOf } from '../../support/engine';

const BASE = 'https://survey.example.com';

function networkError(thrown: unknown) {
	const failure = failedBy(thrown, 'Survey B', { baseUrl: BASE, redact: (text) => text });
	const { kind, message, hint } = failure;
	return { kind, message, hint };
}

const NODE = nodeOf('Survey', 'surveyB');

const withCode = (code: string, more: object = {}) =>
	Object.assign(new Error('x'), { code, ...more });

test.each([
	[
		'ECONNREFUSED',
		'neverConnected',
		/reached at https:\/\/survey.example.com: x\. Check the Base URL/,
	],
	['ENOTFOUND', 'neverConnected', /: x\. Check the Base URL.*the proxy.*is running/],
	['EAI_AGAIN', 'neverConnected', /: x\. Check the Base URL.*is running/],
	['EHOSTUNREACH', 'neverConnected', /: x\. Check the Base URL/],
	['ENETUNREACH', 'neverConnected', /: x\. Check the Base URL/],
	['EADDRNOTAVAIL', 'neverConnected', /: x\. Check the Base URL/],
	['SELF_SIGNED_CERT_IN_CHAIN', 'neverConnected', /: x\. .*certificates \(NODE_EXTRA_CA_CERTS\)/],
	['CERT_HAS_EXPIRED', 'neverConnected', /: x\. Check the Base URL.*certificate/],
	['DEPTH_ZERO_SELF_SIGNED_CERT', 'neverConnected', /certificates \(NODE_EXTRA_CA_CERTS\)/],
	['ERR_TLS_CERT_ALTNAME_INVALID', 'neverConnected', /certificates \(NODE_EXTRA_CA_CERTS\)/],
	['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'neverConnected', /certificates \(NODE_EXTRA_CA_CERTS\)/],
	['CERT_REVOKED', 'neverConnected', /certificates \(NODE_EXTRA_CA_CERTS\)/],
	['ECONNRESET', 'lost', /closed before the response was complete/],
	['EPROTO', 'lost', /closed before the response was complete/],
	['HPE_INVALID_CHUNK_SIZE', 'lost', /closed before the response was complete/],
	['UND_ERR_INVALID_ARG', 'lost', /closed before the response was complete/],
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

test('a connection that a proxy closes before there is TLS counts as not sent', () => {
	const message = 'Client network socket disconnected before secure TLS connection was established';
	const thrown = Object.assign(new Error(message), { code: 'ECONNRESET' });
	expect(networkError(thrown).kind).toBe('neverConnected');
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

test('a cause without a message, such as several refused addresses, is named by its code', () => {
	const refused = withCode('ECONNREFUSED', { message: '' });
	expect(networkError(refused).message).toMatch(/com: ECONNREFUSED$/);
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
	expect(message).toMatch(/the server speaks plain HTTP there$/);
	expect(hint).toContain('Check the Base URL of the credential (https:// or http://');
});
