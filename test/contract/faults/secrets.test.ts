import type { INodeParameters } from 'n8n-workflow';

import { startSandbox } from '../../../sandbox';
import type { FaultKind, Sandbox, ServiceA, ServiceB } from '../../../sandbox';
import { onItsOwnClock } from '../../support/clock.mts';
import { automatic, mapped } from '../../support/columns';
import { runNode } from '../../support/engine';
import { samplesOf } from '../../support/samples';

// No item, error or hint contains the key, even if the service repeats it.

const KEY_A = 'example-key-of-service-a';
const KEY_B = 'example-key-of-service-b';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

afterAll(async () => await sandbox.close());

/** Returns all texts in a run's data, including error properties that JSON omits. */
function everythingIn(value: unknown, seen = new Set<unknown>()): string {
	if (typeof value !== 'object' || value === null) return String(value);
	if (seen.has(value)) return '';
	seen.add(value);
	const names = Object.getOwnPropertyNames(value);
	return names.map((name) => `${name}: ${everythingIn(Reflect.get(value, name), seen)}`).join('\n');
}

const faults: FaultKind[] = [
	{ status: 401, body: { code: 401, message: `Key ${KEY_A} or ${KEY_B} is unknown`, data: null } },
	{ status: 400, body: { detail: `Token ${KEY_A} ${KEY_B} is malformed` } },
	{ status: 500, body: `Traceback: ${KEY_A} ${KEY_B}` },
	{
		status: 429,
		headers: { 'retry-after': '99' },
		body: { message: `${KEY_A} ${KEY_B} is too fast` },
	},
	'reset-after',
	'half-json',
];

const secretIn = (service: ServiceA | ServiceB) => ({
	baseUrl: service.url,
	apiKey: service.apiKey,
});

test.each([
	['send', 400],
	['send', 200],
	['sendLegacy', 200],
] as const)('nor in what %s, answered %i, says of single rows', async (operation, status) => {
	const { a } = sandbox;
	a.reset();
	const email = 'a@example.com';
	const row = { email, status: 'fail', reason: `refused for api_key=${KEY_A}` };
	a.faults.add({ kind: { status, body: { code: status, message: 'ok', data: [row] } } });
	const campaign = String(a.state.campaigns[0]?.id);
	const result = await runNode({
		node: 'surveyA',
		parameters: {
			resource: 'survey',
			operation,
			campaign,
			...mapped({ email }),
		},
		credential: secretIn(a),
		onError: 'continueRegularOutput',
	});
	expect(everythingIn(result)).toContain('refused for api_key=***');
	expect(everythingIn(result)).not.toContain(KEY_A);
});

const name = (value: string) => ({ __rl: true, mode: 'name', value });

describe('a key in a value of a row', () => {
	const A_LINE = `see ${KEY_B} in here`;
	/** A message truncates this value in the middle of the key. */
	const LONG = `${'x'.repeat(85)}${KEY_B}`;

	test.each<[string, INodeParameters]>([
		['a value that cannot be read', { score: A_LINE }],
		['a long value', { score: LONG }],
		['a value inside JSON', { score: '={{ { a: [$json.key], b: $json.key } }}' }],
		['the name of the row', { email: A_LINE, score: 'x' }],
		['a long name', { email: LONG, score: 'x' }],
		['a campaign that is not there', { campaignId: name(A_LINE) }],
		['an expression', { score: '={{ $json.key }}' }],
		['a path', { options: { path: `/${KEY_B}?x` } }],
	])('is replaced in the error about %s', async (_, parameters) => {
		const { b } = sandbox;
		for (const onError of ['stopWorkflow', 'continueRegularOutput'] as const) {
			b.reset();
			const result = await runNode({
				node: 'surveyB',
				parameters: {
					...{
						resource: 'feedback',
						operation: 'create',
						campaignId: '101',
						email: 'a@example.com',
					},
					...{ score: 5, ...parameters },
				},
				input: [{ key: KEY_B }],
				credential: secretIn(b),
				onError,
			});
			// n8n stores the node and its parameters with an error. The user entered them.
			const { message, description } = result.error ?? {};
			const text = [message, description, everythingIn(result.output)].join('\n');
			expect(text).toMatch(onError === 'stopWorkflow' ? / \[item 0\]/ : /error: /);
			expect(text).not.toContain(KEY_B.slice(0, 12));
		}
	});

	test('is replaced in a hint that names a column', async () => {
		const { a } = sandbox;
		a.reset();
		const { hints } = await runNode({
			node: 'surveyA',
			parameters: { resource: 'customer', operation: 'upsert', ...automatic() },
			input: [{ email: 'a@example.com', [`of ${KEY_A}`]: { nested: 1 } }],
			credential: secretIn(a),
		});
		expect(hints.map(({ message }) => message)).toEqual([expect.stringContaining('of ***')]);
	});

	test('is replaced if JSON or URLs escape its characters', async () => {
		const apiKey = 'a "key" / with \\ & more';
		const { output } = await runNode({
			node: 'surveyB',
			parameters: { resource: 'feedback', operation: 'get', feedbackId: '={{ [$json.key] }}' },
			input: [{ key: apiKey }],
			credential: { baseUrl: sandbox.b.url, apiKey },
			onError: 'continueRegularOutput',
		});
		expect(everythingIn(output)).toContain('***');
		expect(everythingIn(output)).not.toMatch(/with \\/);
	});
});

describe('a key that the service repeats in its data', () => {
	const ECHO = {
		id: 7,
		nps: 5,
		headers: { authorization: `Token ${KEY_B}`, [KEY_B]: [KEY_B] },
	};

	test.each<[string, INodeParameters]>([
		[
			'a path of the author',
			{
				...{ resource: 'feedback', operation: 'create', campaignId: '101', email: 'a@example.com' },
				...{ score: 5, simplify: false, options: { path: '/echo' } },
			},
		],
		[
			'another one',
			{
				...{ resource: 'metric', operation: 'get', campaignId: '101', simplify: false },
				options: { path: '/echo/{campaign_id}' },
			},
		],
		['a record', { resource: 'feedback', operation: 'get', feedbackId: '7', simplify: false }],
	])('is replaced by asterisks in the item of %s', async (_, parameters) => {
		const { b } = sandbox;
		b.reset();
		b.faults.add({ kind: { status: 200, body: ECHO } });
		const result = await runNode({ node: 'surveyB', parameters, credential: secretIn(b) });
		expect(result.output[0]?.[0]?.json).toMatchObject({
			headers: { authorization: 'Token ***', '***': ['***'] },
		});
		expect(everythingIn(result)).not.toContain(KEY_B);
	});

	const feedback = async (apiKey: string, body: string) => {
		const { b } = sandbox;
		b.reset();
		b.faults.add({ kind: { status: 200, body } });
		const result = await runNode({
			node: 'surveyB',
			parameters: { resource: 'feedback', operation: 'get', feedbackId: '7', simplify: false },
			credential: { baseUrl: b.url, apiKey },
		});
		return {
			json: result.output[0]?.[0]?.json,
			hints: result.hints.map(({ message }) => message),
		};
	};

	test.each<[string, string, string]>([
		['with escaped slashes', 'example/12345', '"example\\/12345"'],
		['with an escaped hyphen', 'example-12345', '"example\\u002d12345"'],
		['as a number', '1234567890', '1234567890'],
		['as a number that JavaScript cannot hold', '12345678901234567890', '12345678901234567890'],
		['with eight characters', 'example1', '"example1"'],
	])('is replaced by asterisks, and a hint says so: %s', async (_, apiKey, written) => {
		expect(await feedback(apiKey, `{"id":7,"comment":"good","key":${written}}`)).toEqual({
			json: { id: 7, comment: 'good', key: '***' },
			hints: ['Survey B returned the API key. It was replaced by ***'],
		});
	});

	test.each([
		['example', 'a good example'],
		['12345678', 'My order 123456789 is late'],
	])(
		'is not replaced in a comment that contains the characters of the key %j by chance',
		async (apiKey, comment) => {
			const body = { id: 7, comment, score: 1 };
			expect(await feedback(apiKey, JSON.stringify(body))).toEqual({ json: body, hints: [] });
		},
	);
});

test('the keys of these tests are those that the faults repeat', () => {
	expect([sandbox.a.apiKey, sandbox.b.apiKey]).toEqual([KEY_A, KEY_B]);
});

describe.each(['stopWorkflow', 'continueRegularOutput', 'continueErrorOutput'] as const)(
	'with On Error = %s',
	(onError) => {
		test.each(faults.map((kind) => ({ kind })))('$kind', async ({ kind }) => {
			sandbox.a.reset();
			sandbox.b.reset();
			for (const { node, parameters } of samplesOf(sandbox)) {
				const service = node === 'surveyA' ? sandbox.a : sandbox.b;
				service.faults.clear();
				service.faults.add({ kind });
				const result = await onItsOwnClock(
					async () =>
						await runNode({
							node,
							parameters: { ...parameters, options: { maxWait: 0 } },
							credential: secretIn(service),
							onError,
						}),
				);
				expect(everythingIn(result)).not.toContain(service.apiKey);
			}
		});
	},
);
