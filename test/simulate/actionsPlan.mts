import fc from 'fast-check';
import type { INodeParameters, OnError } from 'n8n-workflow';

import { mapped } from '../support/columns';

// Random runs of an action: rows, options, and the behavior of the service for each request.

/** The messages about people who cannot be surveyed now. */
const NOT_ELIGIBLE = {
	a: 'Customer was already surveyed for this campaign',
	b: 'Contact is not eligible for survey.',
};

const operations = [
	'a.survey.send',
	'a.survey.sendLegacy',
	'a.customer.upsert',
	'a.customer.unsubscribe',
	'a.customer.delete',
	'b.survey.send',
	'b.contact.upsert',
	'b.contact.unsubscribe',
	'b.contact.delete',
] as const;

export type OperationName = (typeof operations)[number];

/** The service accepts `good` rows alone, and `bad` and `ineligible` rows never. */
export type Fate = 'good' | 'bad' | 'ineligible';

export interface Row {
	email: string;
	/** The fate of this row. In operations that send addresses only, the address decides. */
	firstName: Fate;
	/** The item number, by which the service identifies the row. */
	lastName: string;
	dryRun: boolean;
	ineligible: 'error' | 'skip';
}

/** Adjacent rows of one kind, as in sorted input. */
interface Segment {
	fate: Fate;
	length: number;
	/** True if the rows repeat the addresses from the start of the input. */
	repeats: boolean;
}

export interface Plan {
	operation: OperationName;
	segments: Segment[];
	onError: OnError;
	tries: 1 | 2 | 3;
	dryRun: boolean;
	/** True if Dry Run and Ineligible come from expressions; every second row has them. */
	byExpression: boolean;
	skipDuplicates: boolean;
	ineligible: 'error' | 'skip';
	/** Infinity to leave the option out. */
	sendAtMost: number;
	requestsPerMinute: number;
	/** A refusal names all bad rows, the first one, or none; or a success lists them. */
	naming: 'all' | 'first' | 'none' | 'inSuccess';
	badStatus: 400 | 404 | 422;
	ineligibleStatus: 400 | 403 | 422;
	answer: 'full' | 'partial' | 'emptyList' | 'noList';
	faults: Array<'none' | 'tooMany' | 'broken' | 'lostBefore' | 'lostAfter'>;
	/** The number of the request at which the run is cancelled; 0 for never. */
	cancelAt: number;
}

/** The most rows of a run, for operations with one row or many rows in a request. */
const MOST_ROWS = { each: 24, batched: 240 };

const segments = (most: number) =>
	fc.array(
		fc.record<Segment>({
			fate: fc.oneof(
				{ weight: 3, arbitrary: fc.constant<Fate>('good') },
				fc.constantFrom<Fate>('bad', 'ineligible'),
			),
			length: fc.oneof(
				{ weight: 2, arbitrary: fc.integer({ min: 1, max: 3 }) },
				fc.integer({ min: 1, max: Math.ceil(most / 3) }),
			),
			repeats: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
		}),
		{ minLength: 1, maxLength: 5 },
	);

const often = <Value,>(usual: Value, ...others: Value[]) =>
	fc.oneof({ weight: 3, arbitrary: fc.constant(usual) }, fc.constantFrom(...others));

const planOf = (operation: OperationName) =>
	fc.record<Plan>({
		operation: fc.constant(operation),
		segments: segments(isEach(operation) ? MOST_ROWS.each : MOST_ROWS.batched),
		onError: fc.constantFrom<OnError>(
			'continueRegularOutput',
			'continueErrorOutput',
			'stopWorkflow',
		),
		tries: often<Plan['tries']>(1, 2, 3),
		dryRun: often(false, true),
		byExpression: fc.boolean(),
		skipDuplicates: fc.boolean(),
		sendAtMost: often(Infinity, 1, 5, 100),
		ineligible: fc.constantFrom('error', 'skip'),
		requestsPerMinute: often(0, 600),
		naming: fc.constantFrom('all', 'first', 'none', 'inSuccess'),
		badStatus: fc.constantFrom(400, 404, 422),
		ineligibleStatus: fc.constantFrom(400, 403, 422),
		answer: often<Plan['answer']>('full', 'partial', 'emptyList', 'noList'),
		faults: fc.oneof(
			fc.constant<Plan['faults']>([]),
			fc.array(
				often<Plan['faults'][number]>('none', 'tooMany', 'broken', 'lostBefore', 'lostAfter'),
				{ maxLength: 12 },
			),
		),
		cancelAt: often(0, 1, 3),
	});

export const plans: fc.Arbitrary<Plan> = fc.constantFrom(...operations).chain(planOf);

export function isEach(operation: OperationName): boolean {
	return operation.startsWith('b.') && operation !== 'b.contact.unsubscribe';
}

export function isSend(operation: OperationName): boolean {
	return operation.includes('survey.');
}

/** Returns whether the requests of an operation contain only addresses. */
export function isAddressOnly(operation: OperationName): boolean {
	return /unsubscribe|delete/.test(operation);
}

export function fateOf(operation: OperationName, { email, firstName }: Row): Fate {
	if (!isAddressOnly(operation)) return firstName;
	return email.startsWith('good') ? 'good' : email.startsWith('bad') ? 'bad' : 'ineligible';
}

/** Returns the service's message about a row that it does not accept. */
export function reasonFor(operation: OperationName, row: Row): string {
	if (fateOf(operation, row) === 'bad') return 'Not a valid row';
	return operation.startsWith('a.') ? NOT_ELIGIBLE.a : NOT_ELIGIBLE.b;
}

export function rowsOf({ segments, byExpression, dryRun, ineligible }: Plan): Row[] {
	const rows: Row[] = [];
	for (const { fate, length, repeats } of segments) {
		const known = rows.length;
		for (let i = 0; i < length; i++) {
			const item = rows.length;
			const other = rows[i % Math.max(known, 1)];
			const email = repeats && other ? other.email : `${fate}${item}@example.com`;
			const hasOptions = !byExpression || item % 2 === 1;
			rows.push({
				...{ email, firstName: fate, lastName: String(item) },
				dryRun: dryRun && hasOptions,
				ineligible: hasOptions ? ineligible : 'error',
			});
		}
	}
	return rows;
}

/** Returns the node's parameters for a plan; values come from the row by expressions. */
export function parametersOf(plan: Plan): INodeParameters {
	const { operation, byExpression, dryRun, skipDuplicates, ineligible, sendAtMost } = plan;
	const [, resource = '', name = ''] = operation.split('.');
	const ofRow = byExpression
		? { dryRun: '={{ $json.dryRun }}', ineligible: '={{ $json.ineligible }}' }
		: { dryRun, ineligible };
	return {
		resource,
		operation: name,
		email: '={{ $json.email }}',
		campaign: '64a000000000000000000003',
		campaignId: '101',
		...mapped({
			email: '={{ $json.email }}',
			firstName: '={{ $json.firstName }}',
			lastName: '={{ $json.lastName }}',
		}),
		options: {
			...ofRow,
			skipDuplicates,
			...(Number.isFinite(sendAtMost) ? { sendAtMost } : {}),
		},
	};
}
