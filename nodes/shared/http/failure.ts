import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import { brief } from './brief';

export interface FailureDetails {
	/** What happened, in the service's own words if it gave any. */
	words: string;
	/** The HTTP status of the response; absent if there was none. */
	status?: number;
	/** What the user can do about it: one line. */
	advice?: string;
	/** The label of the field that it is about. */
	field?: string;
	/** The value of that field. */
	value?: unknown;
	/** True if the service may have processed the request although it failed. */
	uncertain?: boolean;
	/** True if it is about the account, or about an option of the whole run, and not about a row. */
	isOfRun?: boolean;
	/** True if the run ended before the request went out. */
	isUnsent?: boolean;
	/** True if the response was larger than is read; a smaller page may fit. */
	isTooLarge?: boolean;
	/** True if a refused batch may be about one of its rows, which the service does not name. */
	mayBeOneRow?: boolean;
	/** Rows that the service named when it refused a whole batch. A refused batch has no effect. */
	refused?: RefusedRow[];
}

export interface RefusedRow {
	/** The row's key as the service wrote it: an email address, or its position in the request. */
	key: string | number;
	reason: string;
}

const UNCERTAIN = 'The request may have been processed';
const CHECK_FIRST = 'Check in the service before you send it again';

/** The message for an error that no code expects; the reason that a library gives follows. */
export interface Unexpected {
	words: string;
	/** What to do about it. A colon and the reason follow. */
	todo: string;
}

const UNEXPECTED: Unexpected = {
	words: 'Something unexpected happened in this node',
	todo: 'Report it at https://github.com/n8n-nodes-surveys/n8n-nodes-surveys/issues with these words',
};

const LONGEST_REASON = 200;

/** Returns whether n8n threw it: only its errors say how they are to be reported. */
export function isOfN8n(thrown: unknown): thrown is Error {
	return thrown instanceof Error && 'level' in thrown && 'tags' in thrown;
}

/** A request or a row that failed. It knows no node and no item: the run adds those. */
export class Failure extends Error {
	constructor(readonly details: FailureDetails) {
		super(details.words);
	}

	/**
	 * Turns anything that was thrown into a failure. n8n words its own errors for users; users cannot act on
	 * what a library throws.
	 *
	 * @param unexpected the message for anything else
	 */
	static from(thrown: unknown, unexpected: Unexpected = UNEXPECTED): Failure {
		if (thrown instanceof Failure) return thrown;
		if (isOfN8n(thrown)) {
			const advice = 'description' in thrown ? thrown.description : undefined;
			return new Failure({
				words: thrown.message,
				advice: typeof advice === 'string' && advice !== '' ? advice : undefined,
			});
		}
		const { words, todo } = unexpected;
		const reason = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
		return new Failure({ words, advice: `${todo}: ${reason.slice(0, LONGEST_REASON)}` });
	}

	/** Returns the same failure, with other details. */
	with(details: Partial<FailureDetails>): Failure {
		return new Failure({ ...this.details, ...details });
	}

	/** What happened, with the HTTP status: `Campaign 7 could not be found. (HTTP 404)`. */
	get headline(): string {
		const { status, uncertain } = this.details;
		const words = brief(this.details.words);
		const message = status === undefined ? words : `${words} (HTTP ${status})`;
		return uncertain ? `${message}. ${UNCERTAIN}` : message;
	}

	/**
	 * Returns what happened and what to do, for a place that shows nothing else.
	 *
	 * @param headline what happened, if there is more around it
	 */
	wholeMessage(headline = this.headline): string {
		return [headline, this.advice].filter((part) => part !== undefined).join('. ');
	}

	/** What to do about it, or undefined if the headline is enough. */
	get advice(): string | undefined {
		const { advice, uncertain } = this.details;
		const check = uncertain ? CHECK_FIRST : undefined;
		const lines = [check, advice].filter((line) => line !== undefined);
		return lines.length === 0 ? undefined : brief(lines.join('. '));
	}
}

/**
 * Returns the n8n error of a failure, as the editor and the error output show it.
 *
 * @param message the error's message: `failure.headline`, or more around it
 * @param itemIndex the input item that it belongs to
 */
export function toNodeError(
	node: INode,
	failure: Failure,
	message: string,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	const { status, words } = failure.details;
	const options = { message, description: failure.advice, itemIndex };
	const error =
		status === undefined
			? new NodeOperationError(node, words, options)
			: new NodeApiError(node, { message: words }, { ...options, httpCode: String(status) });
	// n8n rewrites a message in which it finds the letters of a system error code, for example in an email
	// address. The service's words must stay.
	error.message = message;
	return error;
}
