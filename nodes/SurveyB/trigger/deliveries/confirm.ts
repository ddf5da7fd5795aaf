import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';

import { ApiClient } from '../../../shared/http/client';
import { Failure } from '../../../shared/base/failure';
import { objectWith } from '../../../shared/http/json';
import { get, path } from '../../../shared/http/request';
import { surveyB } from '../../service';
import { isFeedbackEvent } from '../events';
import type { TriggerStore } from '../state/triggerStore';
import { isOtherAccount, OTHER_ACCOUNT, warn } from './warnings';
import type { Response } from './response';
import type { Delivery } from './verify';

/** Short, because the service waits for the response to its delivery. */
const TIME_LIMITS = { maxWait: 10, timeout: 20 };

/** The data from the service, or a response that rejects the delivery. */
type Confirmation = { data: IDataObject; isRemoved: boolean } | { response: Response };

/** Fetches a delivery's feedback from the service. Events without feedback need no confirmation. Never throws. */
export async function confirm(
	context: IWebhookFunctions,
	store: TriggerStore,
	{ hook: { event }, data }: Delivery,
): Promise<Confirmation> {
	if (!isFeedbackEvent(event)) return { data, isRemoved: false };
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
		if (event !== 'feedback.removed') return { data: feedback, isRemoved: false };
		return rejected(503, 'This feedback response is not removed yet. Send this again');
	} catch (error) {
		const failure = Failure.from(error);
		const { status } = failure;
		if (status === 404 || status === 410) return { data: { id }, isRemoved: true };
		context.logger.warn(`A delivery could not be confirmed: ${failure.headline}`);
		return rejected(503, 'This could not be confirmed. Send it again');
	}
}

function rejected(status: number, message: string): Confirmation {
	return { response: { status, message } };
}
