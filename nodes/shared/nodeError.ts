import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode, IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import type { Detail } from './base/codes';
import { divided } from './base/failedRow';
import type { Failure } from './base/failure';
import { jsonValue } from './base/json';
import { canRetry, codeOf, isUnconfirmed } from './http/outcome';
import { isAgentTool, markAsFailed } from './n8nInternals';

export function toNodeError(
	node: INode,
	failure: Failure,
	headline = failure.headline,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	const { status, message, advice } = failure;
	const shown = { message: headline, description: advice, itemIndex };
	const error =
		status === undefined
			? new NodeOperationError(node, message, shown)
			: new NodeApiError(node, { message }, { ...shown, httpCode: String(status) });
	// n8n rewrites a message that contains the letters of a system error code, for example in an email address.
	error.message = headline;
	return error;
}

const MAX_LABEL_LENGTH = 100;

interface FailedItem {
	context: IExecuteFunctions;
	/** Names it; empty when nothing does. */
	label: string;
	itemIndex: number;
}

/**
 * Returns the error item of a failure: the columns and binary data of its input item, with `error` and `details`. What would say
 * that the operation succeeded moves into `details.row`.
 */
export function errorItem(
	failure: Failure,
	item: FailedItem,
	results: readonly string[] = [],
): INodeExecutionData {
	const { context, itemIndex } = item;
	const { json = {}, binary } = context.getInputData()[itemIndex] ?? {};
	const error = failure.messageWithAdvice(headlineOf(failure, item));
	const { kept, moved } = divided(json, results);
	const { status, field, value, advice, isUncertain } = failure;
	const entries: Record<Detail, IDataObject[string]> = {
		code: codeOf(failure),
		retry: canRetry(failure) || undefined,
		httpCode: status,
		field,
		value: jsonValue(value),
		advice,
		uncertain: isUncertain || undefined,
		confirmed: isUnconfirmed(failure) ? false : undefined,
		row: Object.keys(moved).length > 0 ? moved : undefined,
	};
	const given = Object.entries(entries).filter(([, entry]) => entry !== undefined);
	const details = Object.fromEntries(given);
	const rest = { ...(binary && { binary }), pairedItem: { item: itemIndex } };
	if (context.getNode().onError === 'continueErrorOutput') {
		// n8n adds all columns of the input item, unless they are here.
		const hidden = Object.fromEntries(Object.keys(moved).map((name) => [name, undefined]));
		return markAsFailed({ json: { ...hidden, ...kept, error, details }, ...rest }, error);
	}
	// promise: error-item
	const columns = isAgentTool(context) ? {} : kept;
	return { json: { ...columns, error, details }, ...rest };
}

/**
 * Returns the headline with the item: `ada@example.com: Contact has unsubscribed (HTTP 400) [item 1]`, by n8n's number, which
 * begins with 0. An error that is not about an item names none.
 */
export function headlineOf(failure: Failure, item: FailedItem, mark = itemMark(item)): string {
	const { headline, kind } = failure;
	if (kind === 'run') return headline;
	const name = item.label.slice(0, MAX_LABEL_LENGTH);
	return (name === '' || mentions(headline, name) ? headline : `${name}: ${headline}`) + mark;
}

/** Returns nothing for the only item. */
function itemMark({ context, itemIndex }: FailedItem): string {
	return context.getInputData().length === 1 ? '' : ` [item ${itemIndex}]`;
}

/** `(HTTP 404)` does not name item 4. */
function mentions(message: string, name: string): boolean {
	const start = message.toLowerCase().indexOf(name.toLowerCase());
	const isPart = (character = '') => /[\p{L}\p{N}]/u.test(character);
	return start >= 0 && !isPart(message[start - 1]) && !isPart(message[start + name.length]);
}
