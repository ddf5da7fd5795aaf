import fc from 'fast-check';
import type { OnError } from 'n8n-workflow';

import { onItsOwnClock } from '../support/clock.mts';
import { automatic } from '../support/columns';
import { runNode } from '../support/engine';
import type { NodeResult } from '../support/engine';
import { SEED } from '../support/random.mts';
import { errorOf } from '../support/samples';
import { SimulatedSurveys } from './simulatedSurveys.mts';
import type { Fault, Fate, Refusal, SentRow } from './simulatedSurveys.mts';

// Sends random rows to services that follow the contract and misbehave at random, and compares what the services did with
// what the rows ask for. SIMULATE_RUNS=10000 npx jest test/simulate/sends runs more cases; SURVEYS_SEED=7 runs others.

const RUNS = Number(process.env.SIMULATE_RUNS ?? 150);

interface Plan {
	node: 'surveyA' | 'surveyB';
	/** Rows of a few people, with rows of others between them: enough for several batches. */
	rows: Array<{ person: number; campaign: string; fate: Fate; others: number }>;
	onError: OnError;
	tries: 1 | 2 | 3;
	/** Infinity to leave the option out. */
	sendAtMost: number;
	refusal: Refusal;
	faults: Fault[];
}

const often = <Value,>(usual: Value, ...others: Value[]) =>
	fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));

const plans: fc.Arbitrary<Plan> = fc
	.constantFrom('surveyA' as const, 'surveyB' as const)
	.chain((node) =>
		fc.record<Plan>({
			node: fc.constant(node),
			rows: fc.array(
				fc.record({
					person: fc.nat(3),
					campaign: fc.constantFrom('101', '102'),
					fate: often<Fate>('good', 'bad'),
					others: node === 'surveyA' ? often(0, 30, 99) : often(0, 1, 5),
				}),
				{ minLength: 1, maxLength: 7 },
			),
			onError: fc.constantFrom<OnError>('continueRegularOutput', 'stopWorkflow'),
			tries: often<Plan['tries']>(1, 2, 3),
			sendAtMost: often(Infinity, 2, 40, 150),
			refusal: fc.constantFrom<Refusal>('named', 'unnamed'),
			faults: fc.array(often<Fault>('none', 401, 403, 429, 500, 'lostBefore', 'lostAfter'), {
				maxLength: 6,
			}),
		}),
	);

/** Many rows that are sent in several tries, since the second request is refused once. */
const retried = (more: Pick<Plan, 'sendAtMost'> & { persons: number[] }): Plan => ({
	node: 'surveyA',
	rows: more.persons.map((person) => ({ person, campaign: '101', fate: 'good', others: 99 })),
	onError: 'stopWorkflow',
	tries: 3,
	sendAtMost: more.sendAtMost,
	refusal: 'named',
	faults: ['none', 401],
});

/** Plans that are too large to be found by chance. */
const LARGE: Plan[] = [
	retried({ persons: [0, 1, 2, 3, 4, 5, 6, 7, 8, 0], sendAtMost: Infinity }),
	retried({ persons: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9], sendAtMost: 600 }),
];

function recordsOf({ rows }: Plan): SentRow[] {
	const sent: Array<Omit<SentRow, 'item'>> = [];
	rows.forEach(({ person, campaign, fate, others }, index) => {
		sent.push({ email: `p${person}@example.com`, campaign, fate });
		for (let other = 0; other < others; other++) {
			sent.push({ email: `other${index}-${other}@example.com`, campaign, fate: 'good' });
		}
	});
	return sent.map((row, item) => ({ ...row, item: String(item) }));
}

const simulation = new SimulatedSurveys();

beforeAll(async () => await simulation.start());
afterAll(async () => await simulation.close());

let runNumber = 0;

async function send(plan: Plan, rows: SentRow[]): Promise<NodeResult> {
	simulation.begin(plan.refusal, plan.faults);
	const { sendAtMost } = plan;
	return await onItsOwnClock(
		async () =>
			await runNode({
				node: plan.node,
				parameters: {
					resource: 'survey',
					operation: 'send',
					campaign: '={{ $json.campaign }}',
					campaignId: '={{ $json.campaign }}',
					...automatic(
						['fate', 'item'].flatMap((name) =>
							['property', 'attribute'].map((kind) => ({ id: `${kind}:${name}`, type: 'string' })),
						),
					),
					options: {
						ignoredColumns: 'campaign',
						...(Number.isFinite(sendAtMost) ? { sendAtMost } : {}),
					},
				},
				input: rows.map((row) => ({ ...row })),
				// A new key, so that no run waits for a pause of the last one.
				credential: { baseUrl: simulation.url, apiKey: `simulated-key-${runNumber++}` },
				onError: plan.onError,
				maxTries: plan.tries > 1 ? plan.tries : undefined,
			}),
	);
}

/** Checks a run. @throws an error whose message is the broken rule */
function check(plan: Plan, rows: SentRow[], { output, error }: NodeResult): void {
	const { surveys, mayHaveSurveyed } = simulation;
	const keyOf = ({ campaign, email }: SentRow) => `${campaign} ${email}`;
	const keys = surveys.map((row) => keyOf(row));
	if (new Set(keys).size < keys.length) throw new Error('a person was surveyed twice');
	if (surveys.length > plan.sendAtMost) throw new Error('more surveys than Send at Most');
	const last = new Map<string, number>();
	for (const { email, item } of surveys) {
		if ((last.get(email) ?? -1) > Number(item)) throw new Error('old values replaced newer ones');
		last.set(email, Number(item));
	}
	if (error) return;
	const surveyed = new Set(surveys.map(({ item }) => item));
	const items = output.flat();
	if (items.length !== rows.length)
		throw new Error(`${items.length} items for ${rows.length} rows`);
	items.forEach(({ json }, item) => {
		const text = errorOf(json);
		const isSent = surveyed.has(String(item));
		const isOpen = mayHaveSurveyed.has(String(item));
		if (json.status === 'skipped') {
			if (isSent) throw new Error('a row that was sent came out as skipped');
			const first = json.duplicateOfItem;
			if (first === undefined) return;
			const went = surveyed.has(String(first)) || mayHaveSurveyed.has(String(first));
			if (!went) throw new Error('a duplicate was skipped although its first row was not sent');
		} else if (text === undefined) {
			if (!isSent) throw new Error('a row that was not sent came out as a success');
		} else if (isSent && !isOpen) {
			throw new Error(`a row that was sent came out as an error: ${text}`);
		} else if (
			rows[item]?.fate === 'good' &&
			!simulation.failed.has(String(item)) &&
			!simulation.hasRefusedAccount
		) {
			throw new Error(`a good row failed: ${text}`);
		}
	});
}

test('random sends survey each person once, with the newest values, and say what happened', async () => {
	const property = fc.asyncProperty(plans, async (plan) => {
		const rows = recordsOf(plan);
		check(plan, rows, await send(plan, rows));
	});
	await fc.assert(property, {
		numRuns: RUNS,
		seed: SEED,
		examples: LARGE.map((plan): [Plan] => [plan]),
	});
}, 86_400_000);
