import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { ApiClient } from '../../../shared/http/client';
import { SurveyError } from '../../../shared/http/surveyError';
import { objectWith } from '../../../shared/http/json';
import { get, path } from '../../../shared/http/request';
import { surveyB } from '../../service';
import { isFeedbackEvent } from '../events';
import type { TriggerStore } from '../state/triggerStore';
import { isOtherAccount, OTHER_ACCOUNT, warn } from './findings';
import type { Response } from './response';
import type { Delivery } from './verify';

/** The service waits for the response to its delivery in the meantime. */
const TIME_LIMITS = { maxWait: 10, timeout: 20 };

/** The data as the service confirms it, undefined if the feedback no longer exists; or a response instead of a run. */
type Confirmation =
	| { kind: 'confirmed'; data: IDataObject }
	| { kind: 'removed' }
	| { kind: 'rejected'; response: Response };

/**
 * Fetches the feedback of a delivery from the service, so that a forged body cannot lie. Events without feedback pass
 * as they are. Never throws.
 */
export async function confirm(
	context: IWebhookFunctions,
	store: TriggerStore,
	{ hook: { event }, data }: Delivery,
): Promise<Confirmation> {
	if (!isFeedbackEvent(event)) return { kind: 'confirmed', data };
	const { id } = data;
	if (typeof id !== 'number' && typeof id !== 'string') {
		return rejected(400, 'A feedback response without an ID cannot be confirmed');
	}
	try {
		if (await isOtherAccount(context, store)) {
			warn(context, store, 'otherAccount', OTHER_ACCOUNT);
			return rejected(503, 'The credential belongs to another account than this delivery');
		}
		const client = new ApiClient(context, surveyB, TIME_LIMITS);
		const feedback = await client.send(get(path`/api/v2/feedback/${id}/`), objectWith('id'));
		if (event !== 'feedback.removed') return { kind: 'confirmed', data: feedback };
		return rejected(503, 'This feedback response is not removed yet. Send this again');
	} catch (error) {
		const failure = SurveyError.from(error);
		const { status } = failure.details;
		if (status === 404 || status === 410) return { kind: 'removed' };
		context.logger.warn(`A delivery could not be confirmed: ${failure.headline}`);
		return rejected(503, 'This could not be confirmed. Send it again');
	}
}

function rejected(status: number, message: string): Confirmation {
	return { kind: 'rejected', response: { status, message } };
}
