import { NodeApiError, NodeOperationError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';

import type { Failure } from './base/failure';

/**
 * Returns a failure as n8n's editor and error output show it.
 *
 * @param headline its message
 * @param itemIndex the input item that it belongs to
 */
export function toNodeError(
	node: INode,
	failure: Failure,
	headline = failure.headline,
	itemIndex?: number,
): NodeApiError | NodeOperationError {
	const { status, message, advice } = failure;
	const options = { message: headline, description: advice, itemIndex };
	const error =
		status === undefined
			? new NodeOperationError(node, message, options)
			: new NodeApiError(node, { message }, { ...options, httpCode: String(status) });
	// n8n rewrites a message that contains the letters of a system error code, for example in an email address.
	error.message = headline;
	return error;
}
