import fc from 'fast-check';
import type { OnError } from 'n8n-workflow';

import type { FaultKind, RecordedRequest } from '../../sandbox';
import { onItsOwnClock } from '../support/clock.mts';
import { automatic } from '../support/columns';
import type { NodeResult } from '../support/engine';
import { SEED } from '../support/random.mts';
import { runOperation } from '../support/runOperation';
import { errorOf, serviceOf } from '../support/samples';
import { useSandbox } from '../support/sandbox';

// Sends random rows to services that misbehave at random, and compares what the services did with what the rows ask for. SIMULATE_RUNS=10000 npx jest test/simulate/sends runs more cases; SURVEYS_SEED=7 runs others.

const RUNS = Number(process.env.SIMULATE_RUNS ?? 150);

/** `bad` rows are refused, with all rows of their request. */
type Fate = 'good' | 'bad';

interface SentRow {
	email: string;
	campaign: string;
	fate: Fate;
	/** The number of the input item, by which the service identifies the row. */
	item: string;
}

/** The fault of a request that writes; `lostAfter` loses the response only. */
type Fault = 'none' | keyof typeof FAULTS;

const not = (status: number): FaultKind => ({ status, body: { message: 'Not now' } });

const FAULTS = {
	401: not(401),
	403: not(403),
	429: { status: 429, headers: { 'retry-after': '3' } },
	500: not(500),
	lostBefore: 'reset-before',
	lostAfter: 'reset-after',
} satisfies Record<string, FaultKind>;

interface Plan {
	node: 'surveyA' | 'surveyB';
	/** Rows of a few people, with rows of others between them: enough for several batches. */
	rows: Array<{ person: number; campaign: string; fate: Fate; others: number }>;
	onError: OnError;
	tries: 1 | 2 | 3;
	/** Infinity to leave the option out. */
	sendAtMost: number;
	/** True if a refusal of Survey A names its bad rows. */
	refusal: 'named' | 'unnamed';
	faults: Fault[];
}

const CAMPAIGNS = {
	surveyA: ['64a000000000000000000003', '64a000000000000000000004'],
	surveyB: ['101', '102'],
};

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
					campaign: fc.constantFrom(...CAMPAIGNS[node]),
					fate: often<Fate>('good', 'bad'),
					others: node === 'surveyA' ? often(0, 30, 99) : often(0, 1, 5),
				}),
				{ minLength: 1, maxLength: 7 },
			),
			onError: fc.constantFrom<OnError>('continueRegularOutput', 'stopWorkflow'),
			tries: often<Plan['tries']>(1, 2, 3),
			sendAtMost: often(Infinity, 2, 40, 150),
			refusal: fc.constantFrom('named' as const, 'unnamed' as const),
			faults: fc.array(often<Fault>('none', 401, 403, 429, 500, 'lostBefore', 'lostAfter'), {
				maxLength: 6,
			}),
		}),
	);

/** Many rows that are sent in several tries, since the second request is refused once. */
const retried = (more: Pick<Plan, 'sendAtMost'> & { persons: number[] }): Plan => ({
	node: 'surveyA',
	rows: more.persons.map((person) => {
		return { person, campaign: CAMPAIGNS.surveyA[0] ?? '', fate: 'good', others: 99 };
	}),
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

const sandbox = useSandbox();

const isBad = ({ rawBody }: RecordedRequest) => rawBody.includes('"bad"');

/** Returns the rows of a request. */
function rowsIn({ body }: RecordedRequest): SentRow[] {
	const { campaign, campaign_id, contact, subscribers = [contact] } = Object(body);
	return [subscribers].flat().map(({ email, properties = [], attributes }) => {
		const labeled = [properties].flat().map(({ label, value }) => [label, value]);
		const { fate, item } = attributes ?? Object.fromEntries(labeled);
		return { email, campaign: String(campaign ?? campaign_id), fate, item };
	});
}

/** Makes a service refuse bad rows, and gives its next requests the faults of a plan. */
function misbehave({ node, refusal, faults }: Plan): void {
	const service = serviceOf(sandbox, node);
	const method = 'POST';
	faults.forEach((fault, i) => {
		const skip = faults.slice(0, i).filter((one) => one === 'none').length;
		if (fault !== 'none') service.faults.add({ method, skip, kind: FAULTS[fault] });
	});
	let refused: SentRow[] = [];
	service.faults.add({
		method,
		times: Infinity,
		when: (request) => {
			refused = rowsIn(request).filter(({ fate }) => fate === 'bad');
			return refused.length > 0;
		},
		get kind() {
			if (node === 'surveyB') return { status: 400, body: { contact: { email: ['Bad row'] } } };
			const rows = refused.map(({ email }) => ({ status: 'fail', email, reason: 'Bad row' }));
			const data = refusal === 'named' ? rows : null;
			return { status: 400, body: { code: 400, message: 'Validation Error', data } };
		},
	});
}

let runNumber = 0;

async function send(plan: Plan, rows: SentRow[]): Promise<NodeResult> {
	const service = serviceOf(sandbox, plan.node);
	service.reset();
	// A new key, so that no run waits for a pause of the last one.
	service.apiKey = `simulated-key-${runNumber++}`;
	misbehave(plan);
	const { sendAtMost, onError, tries } = plan;
	const parameters = {
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
	};
	const input = rows.map((row) => ({ ...row }));
	const settings = { input, onError, maxTries: tries > 1 ? tries : undefined };
	return await onItsOwnClock(
		async () => await runOperation(service, 'survey.send', parameters, settings),
	);
}

/** Returns what the service did: its surveys in order, and the items whose requests failed or had an unknown end. */
function resultOf({ node }: Plan) {
	const requests = serviceOf(sandbox, node).requests.filter(({ method }) => method === 'POST');
	const itemsOf = (some: RecordedRequest[]) => some.flatMap(rowsIn).map(({ item }) => item);
	const isLost = ({ status = 500 }: RecordedRequest) => status === 500;
	const isRefused = ({ status }: RecordedRequest) => status === 401 || status === 403;
	const isIneligible = (request: RecordedRequest) => request.status === 400 && !isBad(request);
	return {
		surveys: requests.filter(({ carriedOut }) => carriedOut).flatMap(rowsIn),
		mayHaveSurveyed: new Set(itemsOf(requests.filter(isLost))),
		failed: new Set(
			itemsOf(requests.filter((one) => isLost(one) || isRefused(one) || isIneligible(one))),
		),
		hasRefusedAccount: requests.some(isRefused),
	};
}

/** Checks a run. @throws an error whose message is the broken rule */
function check(plan: Plan, rows: SentRow[], { output, error }: NodeResult): void {
	const { surveys, mayHaveSurveyed, failed, hasRefusedAccount } = resultOf(plan);
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
		} else if (rows[item]?.fate === 'good' && !failed.has(String(item)) && !hasRefusedAccount) {
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
