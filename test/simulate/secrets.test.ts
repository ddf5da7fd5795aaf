import type { FaultKind } from '../../sandbox';
import { onItsOwnClock } from '../support/clock.mts';
import { mapped } from '../support/columns';
import { limitTo, restoreLimits } from '../support/limits';
import { runOperation } from '../support/runOperation';
import { runSample, samplesOf, serviceOf } from '../support/samples';
import { useSandbox } from '../support/sandbox';

afterEach(restoreLimits);

// No item, error or hint contains the key, even if the service repeats it.

const KEY_A = 'example-key-of-service-a';
const KEY_B = 'example-key-of-service-b';

const sandbox = useSandbox();

/** Returns all texts in a run's data, including error properties that JSON omits. */
function everythingIn(value: unknown, seen = new Set<unknown>()): string {
	if (typeof value !== 'object' || value === null) return String(value);
	if (seen.has(value)) return '';
	seen.add(value);
	const names = Object.getOwnPropertyNames(value);
	return names.map((name) => `${name}: ${everythingIn(Reflect.get(value, name), seen)}`).join('\n');
}

test.each([
	['send', 400],
	['send', 200],
	['sendLegacy', 200],
] as const)(
	'the API key appears in no message, item, hint or log line, even if the service returns it: the reason for one row of %s (HTTP %i) [no-key]',
	async (operation, status) => {
		const { a } = sandbox;
		a.reset();
		const email = 'a@example.com';
		const row = { email, status: 'fail', reason: `refused for api_key=${KEY_A}` };
		a.faults.add({ kind: { status, body: { code: status, message: 'ok', data: [row] } } });
		const parameters = { campaign: String(a.state.campaigns[0]?.id), ...mapped({ email }) };
		const onError = 'continueRegularOutput';
		const result = await runOperation(a, `survey.${operation}`, parameters, { onError });
		expect(everythingIn(result)).toContain('refused for api_key=***');
		expect(everythingIn(result)).not.toContain(KEY_A);
	},
);

const FAULTS: FaultKind[] = [
	{ status: 401, body: { code: 401, message: `Key ${KEY_A} or ${KEY_B} is unknown`, data: null } },
	{ status: 400, body: { detail: `Token ${KEY_A} ${KEY_B} is malformed` } },
	{ status: 500, body: `Traceback: ${KEY_A} ${KEY_B}` },
	{ status: 302, headers: { location: `/${KEY_A}/${KEY_B}/` } },
	{
		status: 429,
		headers: { 'retry-after': '99' },
		body: { message: `${KEY_A} ${KEY_B} is too fast` },
	},
	'reset-after',
	'half-json',
];

test.each(FAULTS.map((kind) => ({ kind })))(
	'no operation shows the key after $kind',
	async ({ kind }) => {
		sandbox.a.reset();
		sandbox.b.reset();
		limitTo({ maxWait: 0 });
		for (const [index, sample] of samplesOf(sandbox).entries()) {
			const service = serviceOf(sandbox, sample.node);
			service.faults.clear();
			service.faults.add({ kind });
			const onError = index % 2 ? 'stopWorkflow' : 'continueErrorOutput';
			const result = await onItsOwnClock(() => runSample(sandbox, sample, {}, { onError }));
			expect(everythingIn(result)).not.toContain(service.apiKey);
		}
	},
);
