import { CredentialTestContext } from 'n8n-core';
import type { INodeCredentialTestResult } from 'n8n-workflow';

import { SurveyA } from '../../nodes/SurveyA/SurveyA.node.ts';
import { SurveyATrigger } from '../../nodes/SurveyA/SurveyATrigger.node.ts';
import { SurveyB } from '../../nodes/SurveyB/SurveyB.node.ts';
import { SurveyBTrigger } from '../../nodes/SurveyB/SurveyBTrigger.node.ts';
import type { FaultKind, NamedFault } from '../../sandbox';
import { onItsOwnClock } from '../support/clock.mts';
import { additionalData } from '../support/engine';
import { useSandbox, useSandboxForEach } from '../support/sandbox';

// Runs the credential test in n8n's own context, against services on real sockets.

const sandbox = useSandbox();
const tests = {
	a: new SurveyA().methods.credentialTest.surveyAApiTest,
	b: new SurveyB().methods.credentialTest.surveyBApiTest,
};

type Letter = keyof typeof tests;

interface Given {
	baseUrl?: string;
	apiKey?: string;
	requestsPerMinute?: number;
}

async function result(of: Letter, given: Given = {}): Promise<INodeCredentialTestResult> {
	const { url, apiKey } = sandbox[of];
	const data = { baseUrl: url, apiKey, requestsPerMinute: 0, ...given };
	const context = new CredentialTestContext(additionalData(data));
	return await tests[of].call(context, { id: '1', name: 'Tested', type: 'tested', data });
}

test('all four nodes require their credential and offer its test', () => {
	for (const { description, methods } of [
		new SurveyA(),
		new SurveyATrigger(),
		new SurveyB(),
		new SurveyBTrigger(),
	]) {
		const [credential] = description.credentials ?? [];
		const testedBy = `${credential?.name}Test`;
		expect(credential).toEqual({ name: credential?.name, required: true, testedBy });
		expect(methods.credentialTest).toHaveProperty(testedBy);
	}
});

test('a key that Survey B refuses with 403 gets the hint to check the key', async () => {
	Object.assign(sandbox.b.settings, { wrongKeyStatus: 403, errors: 'contract' });
	const { message } = await result('b', { apiKey: 'example-wrong-key' });
	expect(message).toMatch(/HTTP 403\).*Check the API key/);
});

describe.each<Letter>(['a', 'b'])('the credential of service %s', (of) => {
	const path = of === 'a' ? '/api/v2/campaigns' : '/api/lists/';

	test.each([
		['that ends with /api/v2', '/api/v2'],
		['that ends with spaces', '  '],
	])('passes with a base URL %s', async (_, end) => {
		expect(await result(of, { baseUrl: `${sandbox[of].url}${end}` })).toEqual({
			status: 'OK',
			message: 'Connection successful',
		});
		expect(sandbox[of].requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
			`GET ${path}`,
		]);
	});

	test.each(['/settings/api', '/settings/keys', '/login/api/v2'])(
		'a base URL that ends with the path of a page, %s, is not that of the service',
		async (end) => {
			const { message } = await result(of, { baseUrl: `${sandbox[of].url}${end}` });
			expect(message).toMatch(/^This is not Survey [AB] \(HTTP 404\)\. Check the Base URL/);
		},
	);

	test.each<[string, Given & { kind?: FaultKind }, RegExp]>([
		['no scheme', { baseUrl: 'survey.example.com' }, /no URL that begins with https:\/\//],
		['a host that nobody knows', { baseUrl: 'http://no.such.host.invalid' }, /getaddrinfo/],
		['a port where nobody listens', { baseUrl: 'http://127.0.0.1:9' }, /connect ECONNREFUSED 127/],
		['a wrong key', { apiKey: 'example-wrong-key' }, /HTTP 40[13]\).*Check the API key/],
		['a web page', { kind: 'html' }, /^This is not Survey [AB] \(HTTP 200\)\. Check the Base URL/],
		['JSON of another shape', { kind: 'other-shape' }, /^This is not Survey [AB] .*Base URL/],
		[
			'errors beside empty lists',
			{
				kind: { status: 200, body: { errors: [{ message: 'no' }], campaigns: null, results: [] } },
			},
			/^This is not Survey [AB] |no/,
		],
		['400', { kind: { status: 400, body: {} } }, /^This is not Survey [AB] \(HTTP 400\)/],
		[
			'one row of something else',
			{ kind: { status: 200, body: [{ id: 1, name: 'One' }, { id: 2 }] } },
			/^This is not Survey [AB] /,
		],
		[
			'404',
			{ kind: { status: 404, body: 'No' } },
			/^This is not Survey [AB] \(HTTP 404\)\. Check the Base URL of the credential$/,
		],
		['403', { kind: { status: 403, body: {} } }, /403\).*what the owner of the API key may do/],
		['more than anybody reads', { kind: 'too-large' }, /more than 32 MB/],
	])('fails and explains %s', async (_, { kind, ...given }, message) => {
		sandbox[of].settings.errors = 'contract';
		if (kind) sandbox[of].faults.add({ kind, times: Infinity });
		expect(await result(of, given)).toMatchObject({
			status: 'Error',
			message: expect.stringMatching(message),
		});
	});

	test('fails without another request while a long pause of the service lasts', async () => {
		const given = { apiKey: `example-paused-${of}` };
		const kind = { status: 429, body: {}, headers: { 'retry-after': '100' } };
		sandbox[of].faults.add({ kind });
		for (const message of [
			/HTTP 429.*Try again in 100 s/,
			/not to be called for \d+ s.*Try again/,
		]) {
			expect(await result(of, given)).toMatchObject({
				status: 'Error',
				message: expect.stringMatching(message),
			});
		}
		expect(sandbox[of].requests).toHaveLength(1);
	});

	test.each([300, 301, 302, 303, 307, 308])(
		'never follows a redirect (%i) with the key',
		async (status) => {
			const other = sandbox[of === 'a' ? 'b' : 'a'];
			const location = `${other.url}/api/v2/campaigns?key=taken`;
			sandbox[of].faults.add({ kind: { status, headers: { location } }, times: Infinity });
			expect(await result(of)).toMatchObject({
				status: 'Error',
				message: expect.stringContaining(`redirects to ${other.url}`),
			});
			expect(other.requests).toEqual([]);
		},
	);
});

test('the credential test waits 15 s for a response that never ends', async () => {
	const kinds: NamedFault[] = ['hang', 'drip', 'drip-headers'];
	for (const kind of kinds) {
		sandbox.a.faults.add({ kind });
		sandbox.b.faults.add({ kind });
	}
	const letters: Letter[] = ['a', 'b'];
	await onItsOwnClock(async () => {
		const begun = Date.now();
		const waiting = letters.flatMap((of) => kinds.map(async () => await result(of)));
		for (const errorText of await Promise.all(waiting)) {
			expect(errorText.status).toBe('Error');
			expect(errorText.message).toMatch(/did not respond within 15 s/);
		}
		expect(Date.now() - begun).toBe(15_000);
	});
});

afterEach(() => {
	jest.restoreAllMocks();
});

describe.each<Letter>(['a', 'b'])('the credential test of service %s', (of) => {
	// These tests use a clock that runs ahead, and a pause on it would delay the other tests.
	const own = useSandboxForEach();
	const given = () => ({ baseUrl: own[of].url });

	test('waits out a short pause that the service asks for', async () => {
		own[of].faults.add({ kind: { status: 429, body: {}, headers: { 'retry-after': '3' } } });
		await onItsOwnClock(async () => {
			expect(await result(of, given())).toMatchObject({ status: 'OK' });
		});
		const [first = 0, second = 0] = own[of].requests.map(({ at }) => at);
		expect(second - first).toBe(3000);
	});

	test('waits for Requests per Minute, but five seconds at most', async () => {
		await onItsOwnClock(async () => {
			const paced = { ...given(), requestsPerMinute: 60 };
			const tests = Array.from({ length: 8 }, async () => await result(of, paced));
			const messages = (await Promise.all(tests)).map(({ message }) => message);
			const busy =
				/^'Requests per Minute' of the Survey [AB] credential allows no request now. Try again in 1 s$/;
			expect(messages).toEqual([
				...new Array(6).fill('Connection successful'),
				...new Array(2).fill(expect.stringMatching(busy)),
			]);
		});
		const [first = 0, ...others] = own[of].requests.map(({ at }) => at);
		expect(others.map((at) => at - first)).toEqual([1000, 2000, 3000, 4000, 5000]);
	});
});
