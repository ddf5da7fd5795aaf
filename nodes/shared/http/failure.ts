import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

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

/** A request, or a row, that failed. It knows no node and no item: the runner adds those. */
export class Failure extends Error {
	constructor(readonly details: FailureDetails) {
		super(details.words);
	}

	/** Takes whatever was thrown and gives it as a failure. */
	static from(thrown: unknown): Failure {
		if (thrown instanceof Failure) return thrown;
		if (thrown instanceof NodeOperationError || thrown instanceof NodeApiError) {
			return new Failure({ words: thrown.message, advice: thrown.description ?? undefined });
		}
		return new Failure({ words: thrown instanceof Error ? thrown.message : String(thrown) });
	}

	/** What happened, with the HTTP code: `Campaign 7 could not be found. (HTTP 404)`. */
	get headline(): string {
		const { words, status, uncertain } = this.details;
		const message = status === undefined ? words : `${words} (HTTP ${status})`;
		return uncertain ? `${message}. ${UNCERTAIN}` : message;
	}

	/** What to do about it, or undefined where the headline says it all. */
	get advice(): string | undefined {
		const { advice, uncertain } = this.details;
		const check = uncertain ? CHECK_FIRST : undefined;
		const lines = [check, advice].filter((line) => line !== undefined);
		return lines.length === 0 ? undefined : lines.join('. ');
	}
}

/** Takes the key out of a failure: a service may repeat it in its words, and nobody is to see it. */
export function redactKey({ details }: Failure, apiKey: string): Failure {
	const clean = (text: string) => text.split(apiKey).join('***');
	const refused = details.refused?.map((row) => ({ ...row, reason: clean(row.reason) }));
	return new Failure({ ...details, words: clean(details.words), refused });
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
