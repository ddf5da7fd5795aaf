import type { IWebhookFunctions } from 'n8n-workflow';

import { ApiClient } from '../../../shared/http/client';
import { Failure } from '../../../shared/http/failure';
import { objectWith } from '../../../shared/http/json';
import { get, path } from '../../../shared/http/request';
import { surveyB } from '../../service';
import { isFeedbackEvent } from '../events';
import type { TriggerItem } from '../events';
import { confirmed, removedMeanwhile } from './item';

/** The service waits for the answer to its delivery meanwhile. */
const TIME_LIMITS = { maxWait: 10, timeout: 20 };

/** An item that the service confirmed, or what to answer to a delivery that it did not. */
type Confirmation =
	| { kind: 'confirmed'; item: TriggerItem }
	| { kind: 'refused'; status: 400 | 409 | 503; message: string };

/**
 * Fetches an item's feedback from the service, so that a forged body cannot lie: the item's data is
 * what the service says. Events that carry no feedback pass as they are. Never throws.
 */
export async function confirm(
	context: IWebhookFunctions,
	item: TriggerItem,
): Promise<Confirmation> {
	if (!isFeedbackEvent(item.event)) return { kind: 'confirmed', item };
	const { id } = item.data;
	if (typeof id !== 'number' && typeof id !== 'string') {
		return {
			kind: 'refused',
			status: 400,
			message: 'A feedback response without an ID cannot be confirmed',
		};
	}
	try {
		const client = new ApiClient(context, surveyB, TIME_LIMITS);
		const feedback = await client.send(get(path`/api/v2/feedback/${id}/`), objectWith('id'));
		if (item.event !== 'feedback.removed') {
			return { kind: 'confirmed', item: confirmed(item, feedback) };
		}
		return { kind: 'refused', status: 409, message: 'This feedback response is not removed' };
	} catch (error) {
		const failure = Failure.from(error);
		const { status } = failure.details;
		if (status === 404 || status === 410)
			return { kind: 'confirmed', item: removedMeanwhile(item) };
		context.logger.warn(`A delivery could not be confirmed: ${failure.headline}`);
		return { kind: 'refused', status: 503, message: 'This could not be confirmed. Send it again' };
	}
}
