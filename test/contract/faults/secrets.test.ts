import { startSandbox } from '../../../sandbox';
import type { FaultKind, Sandbox, ServiceA, ServiceB } from '../../../sandbox';
import { onItsOwnClock } from '../../support/clock.mts';
import { runNode } from '../../support/engine';
import { samplesOf } from '../../support/samples';

// The key is in no item, error or hint, whatever goes wrong: also when the service repeats it.

const KEY_A = 'example-key-of-service-a';
const KEY_B = 'example-key-of-service-b';

let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox();
});

afterAll(async () => await sandbox.close());

/** Everything that n8n keeps of a run, with what JSON leaves out of errors. */
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
		parameters: { resource: 'survey', operation, campaign, email },
		credential: secretIn(a),
		onError: 'continueRegularOutput',
	});
	expect(everythingIn(result)).toContain('refused for api_key=***');
	expect(everythingIn(result)).not.toContain(KEY_A);
});

test('the keys are those that the faults repeat', () => {
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
