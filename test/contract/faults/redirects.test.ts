import type { INodeParameters } from 'n8n-workflow';

import { startSandbox } from '../../../sandbox';
import type { Sandbox } from '../../../sandbox';
import { mapped } from '../../support/columns';
import { runNode } from '../../support/engine';

// The client follows redirects of reads below the base URL. The key goes nowhere else, and no write is repeated.

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

beforeEach(() => {
	sandbox.a.reset();
	sandbox.b.reset();
});

afterAll(async () => await sandbox.close());

const LIST = '/api/lists/';
const MOVED = [301, 302, 307, 308];

const run = (parameters: INodeParameters, baseUrl = sandbox.b.url) =>
	runNode({
		node: 'surveyB',
		parameters,
		credential: { baseUrl, apiKey: sandbox.b.apiKey },
	});

const readLists = async (baseUrl?: string) =>
	await run({ resource: 'contactList', operation: 'getAll', returnAll: true }, baseUrl);

const lines = () => sandbox.b.requests.map(({ method, url }) => `${method} ${url}`);

/** Redirects requests of `path` to `location`. */
const moves = (path: string, location: string, status = 302, times = 1) =>
	sandbox.b.faults.add({
		when: (request) => request.url === path,
		times,
		kind: { status, headers: { location } },
	});

describe.each(MOVED)('a read that is redirected with HTTP %i', (status) => {
	test.each([
		['a path', () => `${LIST}?moved=1`],
		['a whole URL', () => `${sandbox.b.url}${LIST}?moved=1`],
		['a path relative to the base URL', () => 'api/lists/?moved=1'],
	])('follows %s with the key', async (_, location) => {
		moves(LIST, location(), status);
		const { output, error } = await readLists();
		expect(error).toBeUndefined();
		expect(output[0]).toHaveLength(sandbox.b.state.lists.length);
		expect(lines()).toEqual([`GET ${LIST}`, `GET ${LIST}?moved=1`]);
		for (const { headers } of sandbox.b.requests) {
			expect(headers.authorization).toBe(`Token ${sandbox.b.apiKey}`);
		}
	});
});

const ELSEWHERE =
	/^Survey B redirects to http\S+, where the key is not sent \(HTTP 30\d\) \[item 0\]$/;
const TOO_OFTEN = /^Survey B redirects more than 3 times, last to http\S+ \(HTTP 302\) \[item 0\]$/;
const NOWHERE = /^Survey B returned a redirect that does not say where to \(HTTP 302\) \[item 0\]$/;
const OF_A_WRITE =
	/^\S+: Survey B redirects to http\S+\. Only requests that read are redirected \(HTTP 30\d\) \[item 0\]$/;

test('follows three redirects in a row, but not a fourth', async () => {
	const stops = [LIST, ...[1, 2, 3, 4].map((stop) => `${LIST}?stop=${stop}`)];
	stops.slice(1).forEach((stop, i) => moves(stops[i] ?? '', stop, 302, Infinity));
	const { error } = await readLists();
	expect(error?.message).toMatch(TOO_OFTEN);
	expect(lines()).toEqual(stops.slice(0, 4).map((stop) => `GET ${stop}`));

	sandbox.b.reset();
	stops.slice(1, 4).forEach((stop, i) => moves(stops[i] ?? '', stop, 302, Infinity));
	expect((await readLists()).error).toBeUndefined();
});

test('stops following redirects that form a loop', async () => {
	moves(LIST, LIST, 302, Infinity);
	expect((await readLists()).error?.message).toMatch(TOO_OFTEN);
	expect(lines()).toHaveLength(4);
});

describe('does not follow a redirect', () => {
	test.each([
		['another origin', () => `${sandbox.a.url}${LIST}`],
		[
			'another origin, as a URL that starts with two slashes',
			() => sandbox.a.url.replace('http:', '') + LIST,
		],
		['another host name', () => `${sandbox.b.url.replace('127.0.0.1', 'localhost')}${LIST}`],
		['a host that begins alike', () => `${sandbox.b.url.replace(/:(\d+)$/, '.example:$1')}${LIST}`],
		['another protocol', () => `${sandbox.b.url.replace('http:', 'https:')}${LIST}`],
	])('to %s', async (_, location) => {
		moves(LIST, location());
		const { error } = await readLists();
		expect(error?.message).toMatch(ELSEWHERE);
		expect(error?.description).toBe('Check the Base URL of the credential');
		expect(sandbox.a.requests).toEqual([]);
		expect(lines()).toEqual([`GET ${LIST}`]);
	});

	test.each(['', '/proxy2', '/prox', '/Proxy', '/proxy/..'])(
		'to %p, outside the path of the base URL',
		async (prefix) => {
			moves(`/proxy${LIST}`, prefix + LIST);
			const { error } = await readLists(`${sandbox.b.url}/proxy`);
			expect(error?.message).toMatch(ELSEWHERE);
			expect(lines()).toEqual([`GET /proxy${LIST}`]);
		},
	);

	test.each<Record<string, string>>([{}, { location: 'http://' }])(
		'without a usable location: %j',
		async (headers) => {
			sandbox.b.faults.add({ kind: { status: 302, headers } });
			expect((await readLists()).error?.message).toMatch(NOWHERE);
			expect(lines()).toHaveLength(1);
		},
	);

	test('a send is not redirected to another origin', async () => {
		const location = `${sandbox.a.url}/api/v2/survey/`;
		sandbox.b.faults.add({ kind: { status: 307, headers: { location } } });
		const { error } = await run({
			resource: 'survey',
			operation: 'send',
			campaignId: '101',
			...mapped({ email: 'ada@acme.example' }),
		});
		expect(error?.message).toMatch(OF_A_WRITE);
		expect(sandbox.a.requests).toEqual([]);
	});

	test.each(MOVED)('a send is not redirected below the base URL (HTTP %i)', async (status) => {
		sandbox.b.faults.add({ kind: { status, headers: { location: '/api/v2/survey/' } } });
		const { error } = await run({
			resource: 'survey',
			operation: 'send',
			campaignId: '101',
			...mapped({ email: 'ada@acme.example' }),
		});
		expect(error?.message).toMatch(OF_A_WRITE);
		expect(lines()).toHaveLength(1);
		expect(sandbox.b.state.sent).toEqual([]);
	});

	test.each(MOVED)('a delete is not redirected below the base URL (HTTP %i)', async (status) => {
		const [contact] = [...sandbox.b.state.contacts.values()];
		sandbox.b.faults.add({ kind: { status, headers: { location: '/api/v2/contacts/' } } });
		const { error } = await run({
			resource: 'contact',
			operation: 'delete',
			email: String(contact?.email),
		});
		expect(error?.message).toMatch(OF_A_WRITE);
		expect(lines()).toHaveLength(1);
	});
});
