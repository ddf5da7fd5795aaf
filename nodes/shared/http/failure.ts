import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import { brief } from './brief';

export interface FailureDetails {
	/** What happened, in the service's own words where it gave any. */
	words: string;
	/** The HTTP code of the answer; absent when nothing was answered or nothing was asked. */
	status?: number;
	/** What the user can do about it: one line. */
	advice?: string;
	/** The field that it is about, as the editor names it. */
	field?: string;
	/** What that field held. */
	value?: unknown;
	/** True for a response that is too large to hold: a smaller page may help. */
	isTooLarge?: boolean;
	/** True when the service may have carried the request out although it failed. */
	uncertain?: boolean;
	/** True for a refusal of a batch that may be about one of its rows, which it does not name. */
	mayBeOneRow?: boolean;
	/** Rows that the service named when it refused a whole batch. A refusal carries nothing out. */
	refused?: RefusedRow[];
}

export interface RefusedRow {
	/** The row's key as the service wrote it, an e-mail address, or its place in the request. */
	key: string | number;
	reason: string;
}

const UNCERTAIN = 'The request may have been processed';
const CHECK_FIRST = 'Check in the service before you send it again';

/** What is said of something that nobody thought of; the reason that a library gives follows. */
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

/** Whether n8n threw it: its errors, and no library's, say how they are to be reported. */
export function isOfN8n(thrown: unknown): thrown is Error & { description?: string | null } {
	return thrown instanceof Error && 'level' in thrown && 'tags' in thrown;
}

/** A request, or a row, that failed. It knows no node and no item: the runner adds those. */
export class Failure extends Error {
	constructor(readonly details: FailureDetails) {
		super(details.words);
	}

	/**
	 * Takes whatever was thrown and gives it as a failure. n8n words its own errors for users; what a
	 * library throws is nothing that a user could act on.
	 *
	 * @param unexpected what to say of anything else
	 */
	static from(thrown: unknown, unexpected: Unexpected = UNEXPECTED): Failure {
		if (thrown instanceof Failure) return thrown;
		if (isOfN8n(thrown)) {
			return new Failure({ words: thrown.message, advice: thrown.description || undefined });
		}
		const { words, todo } = unexpected;
		const reason = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
		return new Failure({ words, advice: `${todo}: ${reason.slice(0, LONGEST_REASON)}` });
	}

	/** What happened, with the HTTP code: `Campaign 7 could not be found. (HTTP 404)`. */
	get headline(): string {
		const { status, uncertain } = this.details;
		const words = brief(this.details.words);
		const message = status === undefined ? words : `${words} (HTTP ${status})`;
		return uncertain ? `${message}. ${UNCERTAIN}` : message;
	}

	/**
	 * What happened and what to do, for whoever sees these words alone.
	 *
	 * @param headline what happened, where there is more around it
	 */
	wholeMessage(headline = this.headline): string {
		return [headline, this.advice].filter((part) => part !== undefined).join('. ');
	}

	/** What to do about it, or undefined where the headline says it all. */
	get advice(): string | undefined {
		const { advice, uncertain } = this.details;
		const check = uncertain ? CHECK_FIRST : undefined;
		const lines = [check, advice].filter((line) => line !== undefined);
		return lines.length === 0 ? undefined : brief(lines.join('. '));
	}
}

/**
 * Gives the n8n error of a failure, as the editor and the error output show it.
 *
 * @param message what the error is to say: `failure.headline`, or more around it
 * @param itemIndex the input item that it belongs to
 */
export function toNodeError(
	node: INode,
	failure: Failure,
	message: string,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	const { status, words } = failure.details;
	const description = failure.advice;
	const error =
		status === undefined
			? new NodeOperationError(node, words, { message, description, itemIndex })
			: new NodeApiError(
					node,
					{ message: words },
					{ message, description, httpCode: String(status), itemIndex },
				);
	// n8n rewrites a message in which it finds the letters of a system error code, an e-mail
	// address that contains them included. The service's words are to stay.
	error.message = message;
	return error;
}
