import type { Code } from './codes';
import { isBlank, quote, sentences, truncate } from './text';

/** How an attempt to send a request ended. http/outcome.ts says what each end means, and what follows from it. */
export type AttemptEnd =
	| 'neverConnected'
	| 'rateLimited'
	| 'lost'
	| 'unconfirmed'
	| 'tooLarge'
	| 'refused'
	| 'group'
	| 'run'
	| 'failed';

/**
 * How an attempt ended, or one of these. `run` also means that an option of the whole run cannot be used.
 *
 * - `value`: a value or a setting cannot be used. Nothing was sent.
 * - `unsent`: the run ended before the request went out.
 */
export type FailureKind = AttemptEnd | 'value' | 'unsent';

/**
 * Says that a request may have been processed although it failed. http/outcome.ts decides it:
 *
 * - `earlier`: an attempt before the last one may have been processed.
 * - `last`: the last attempt may have been processed.
 * - `harmful`: it may have been processed, and sending it again would do harm.
 */
type Doubt = 'earlier' | 'last' | 'harmful';

interface RefusedItem {
	/** The item's key as the service wrote it: an email address, or its position in the request. */
	key: string | number;
	reason: string;
}

/** The message and the hint for an error that no code expects. A colon and the library's reason follow the hint. */
export interface FallbackMessage {
	message: string;
	hint: string;
}

const UNEXPECTED_ERROR: FallbackMessage = {
	message: 'Something unexpected happened in this node',
	hint: 'Report it at https://github.com/n8n-nodes-surveys/n8n-nodes-surveys/issues with these words',
};

const DOUBTS: Record<Doubt, string | undefined> = {
	earlier: 'An earlier attempt may have been processed',
	// No text: the message says how it ended.
	last: undefined,
	harmful: 'The request may have been processed',
};

const MAX_REASON_LENGTH = 200;

type FailureDetails = Partial<
	Pick<
		Failure,
		'hint' | 'code' | 'status' | 'field' | 'value' | 'pause' | 'reason' | 'doubt' | 'refusedItems'
	>
>;

/**
 * Everything that can go wrong, from a value that cannot be read to a service that is down. It is data: it travels from
 * where it happened to the item it belongs to, and knows no node and no item. Only the edge of a node makes n8n's errors
 * of it (`toNodeError`).
 *
 * A reader of values throws `Failure.value('must be a number')`; `Failure.at` names the field, and `Failure.all` joins the
 * failures of an item. Code that catches begins with `Failure.from(error)` and decides by `kind` or `status`.
 */
export class Failure extends Error {
	/** Tells the user what to do: one line. */
	readonly hint?: string;
	/** The reason, where it is more than what `kind` says; http/outcome.ts has the codes of kinds. */
	readonly code?: Code;
	readonly status?: number;
	/** The label of the field or the name of the column that it is about, and the value. */
	readonly field?: string;
	readonly value?: unknown;
	/** The pause that the service asks for, in ms. */
	readonly pause?: number;
	/** The service's own text, without anything that this package adds. */
	readonly reason?: string;
	/** Absent if the request was certainly not processed. */
	readonly doubt?: Doubt;
	/** Items that the service named when it refused a whole batch. */
	readonly refusedItems?: RefusedItem[];

	constructor(
		readonly kind: FailureKind,
		message: string,
		details: FailureDetails = {},
	) {
		super(message);
		Object.assign(this, details);
	}

	/** @param message the end of a sentence that begins with the field's label */
	static value(message: string, hint?: string, code: Code = 'invalidValue'): Failure {
		return new Failure('value', message, { hint, code });
	}

	static missing(hint?: string, code: Code = 'missingValue'): Failure {
		return Failure.value('is missing', hint, code);
	}

	/** Turns anything that was thrown into a failure. n8n's own errors keep their message; users cannot act on a library's. */
	static from(thrown: unknown, fallback: FallbackMessage = UNEXPECTED_ERROR): Failure {
		if (thrown instanceof Failure) return thrown;
		if (isN8nError(thrown)) {
			const { message, description } = thrown;
			const hint = typeof description === 'string' ? description : undefined;
			return new Failure('failed', message, { hint });
		}
		const { message, hint } = fallback;
		const reason = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
		return new Failure('failed', message, {
			hint: `${hint}: ${reason.slice(0, MAX_REASON_LENGTH)}`,
		});
	}

	/** Names the field in what a reader threw: `'Score' must be a number: "ten"`. One that names a field already stays as it is. */
	static at(field: string, value: unknown, thrown: unknown, isColumn = false): Failure {
		const failure = thrown instanceof Failure ? thrown : Failure.value('cannot be used');
		if (failure.kind !== 'value' || failure.field !== undefined) return failure;
		const name = `${isColumn ? 'Column ' : ''}'${field}'`;
		const message = `${name} ${failure.message}${isBlank(value) ? '' : `: ${quote(value)}`}`;
		const { hint = 'Correct the value, or the expression that returns it' } = failure;
		return failure.with({ message, hint, field, value });
	}

	static all(failures: readonly Failure[]): Failure {
		const [first] = failures;
		if (first !== undefined && failures.length === 1) return first;
		const hints = new Set(failures.map(({ hint }) => hint).filter(Boolean));
		return new Failure('value', sentences(failures.map(({ message }) => message)), {
			hint: sentences([...hints]),
			code: first?.code,
			field: first?.field,
			value: first?.value,
		});
	}

	with(changes: FailureDetails & { kind?: FailureKind; message?: string }): Failure {
		return Object.assign(new Failure(this.kind, this.message, this), changes);
	}

	/** `Campaign 7 could not be found (HTTP 404)` */
	get headline(): string {
		const { message, status, doubt } = this;
		const text = truncate(message);
		const withStatus = status === undefined ? text : `${text.replace(/\.$/, '')} (HTTP ${status})`;
		return sentences([withStatus, doubt && DOUBTS[doubt]]);
	}

	/** True if it may have been processed, and must not be sent again. */
	get isUncertain(): boolean {
		return this.doubt === 'harmful';
	}

	/** Undefined if the headline is enough. */
	get advice(): string | undefined {
		return truncate(this.hint) || undefined;
	}

	messageWithAdvice(headline = this.headline): string {
		return sentences([headline, this.advice]);
	}
}

/** Only n8n's own errors say how to report them. */
export function isN8nError(thrown: unknown): thrown is Error & { description?: unknown } {
	return thrown instanceof Error && 'level' in thrown && 'tags' in thrown;
}
