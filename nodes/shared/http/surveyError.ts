import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import { isN8nError } from '../n8nInternals';
import { truncate } from './truncate';

export interface ErrorDetails {
	/** The service's own message if it gave any. */
	message: string;
	/** The HTTP status of the response; absent if there was none. */
	status?: number;
	/** Tells the user what to do: one line. */
	hint?: string;
	/** The label and the value of the field that it is about. */
	field?: string;
	value?: unknown;
	/** True if the service may have processed the request although it failed. */
	uncertain?: boolean;
	/** True if it is about the account, or about an option of the whole run, and not about a row. */
	isRunWide?: boolean;
	/** True if the run ended before the request went out. */
	isUnsent?: boolean;
	/** True if the response was larger than is read; a smaller page may fit. */
	isTooLarge?: boolean;
	/** True if a refused batch may be about one of its rows, which the service does not name. */
	mayConcernOneRow?: boolean;
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

/** The message and the hint for an error that no code expects. A colon and the library's reason follow the hint. */
export type FallbackMessage = Required<Pick<ErrorDetails, 'message' | 'hint'>>;

const UNEXPECTED_ERROR: FallbackMessage = {
	message: 'Something unexpected happened in this node',
	hint: 'Report it at https://github.com/n8n-nodes-surveys/n8n-nodes-surveys/issues with these words',
};

const MAX_REASON_LENGTH = 200;

/** A request or a row that failed. It knows no node and no item: the run adds those. */
export class SurveyError extends Error {
	constructor(readonly details: ErrorDetails) {
		super(details.message);
	}

	/**
	 * Turns anything that was thrown into an error of this class. n8n's own errors keep their message; users cannot act
	 * on a library's.
	 *
	 * @param fallback the message for anything else
	 */
	static from(thrown: unknown, fallback: FallbackMessage = UNEXPECTED_ERROR): SurveyError {
		if (thrown instanceof SurveyError) return thrown;
		if (isN8nError(thrown)) {
			const { message } = thrown;
			const text = 'description' in thrown ? thrown.description : undefined;
			return new SurveyError({
				message,
				hint: typeof text === 'string' && text ? text : undefined,
			});
		}
		const { message, hint } = fallback;
		const reason = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
		return new SurveyError({ message, hint: `${hint}: ${reason.slice(0, MAX_REASON_LENGTH)}` });
	}

	/** Returns a copy with other details. */
	with(details: Partial<ErrorDetails>): SurveyError {
		return new SurveyError({ ...this.details, ...details });
	}

	/** Returns the message with the HTTP status: `Campaign 7 could not be found. (HTTP 404)`. */
	get headline(): string {
		const { message, status, uncertain } = this.details;
		const withStatus = truncate(message) + (status === undefined ? '' : ` (HTTP ${status})`);
		return uncertain ? `${withStatus}. ${UNCERTAIN}` : withStatus;
	}

	/** Returns the headline and the hint as one text. */
	messageWithHint(headline = this.headline): string {
		return [headline, this.hint].filter((part) => part !== undefined).join('. ');
	}

	/** Returns what to do about it; undefined if the headline is enough. */
	get hint(): string | undefined {
		const { hint, uncertain } = this.details;
		const lines = [uncertain ? CHECK_FIRST : undefined, hint].filter((line) => line !== undefined);
		return lines.length === 0 ? undefined : truncate(lines.join('. '));
	}
}

/**
 * Returns the error as n8n's editor and error output show it.
 *
 * @param headline its message
 * @param itemIndex the input item that it belongs to
 */
export function toNodeError(
	node: INode,
	failure: SurveyError,
	headline: string,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	const { status, message } = failure.details;
	const options = { message: headline, description: failure.hint, itemIndex };
	const error =
		status === undefined
			? new NodeOperationError(node, message, options)
			: new NodeApiError(node, { message }, { ...options, httpCode: String(status) });
	// n8n rewrites a message that contains the letters of a system error code, for example in an email address.
	error.message = headline;
	return error;
}
