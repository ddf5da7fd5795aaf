import { sleep } from 'n8n-workflow';
import type { IDataObject, IHookFunctions, IHttpRequestOptions } from 'n8n-workflow';

import { Failure } from '../../../shared/base/failure';
import { reading } from '../../../shared/base/json';
import { compareTexts } from '../../../shared/base/text';
import { ApiClient } from '../../../shared/http/client';
import { get } from '../../../shared/http/request';
import type { Page } from '../../../shared/http/service';
import { surveyB } from '../../service';
import { readAccount, withToken } from '../account';
import { isFeedbackEvent, SAMPLE_ID } from '../events';
import type { Settings } from '../fields';
import { isWanted } from '../filter';

/** Short, because the editor does not listen until `create` returns. */
const TIME_LIMITS = { maxWait: 8, timeout: 5, isInteractive: true };

/** n8n listens shortly after `create` has returned, in ms. */
const DELIVERY_DELAY = 500;
const MOST_TRIES = 5;

/** The errors of n8n's protection against SSRF (seen in 2.41.1). */
const BLOCKED = /\bblocked\b/i;

/**
 * Reads the newest feedback that the filters let through, or else the newest of all, as a sample, and delivers it to the
 * test URL once n8n listens. It is read before `create` returns, because n8n decrypts no credentials afterwards. Never
 * throws: a test works without a sample.
 *
 * @param isListening returns false once the test is over, also when another one has begun
 */
export async function deliverSample(
	context: IHookFunctions,
	{ events, filters }: Settings,
	url: string,
	isListening: () => boolean,
): Promise<void> {
	const event = events.find(isFeedbackEvent);
	if (event === undefined) return;
	const log = (message: string) =>
		context.logger.info(message, { nodeName: context.getNode().name });
	try {
		const client = new ApiClient(context, surveyB, TIME_LIMITS);
		const newest = await newestFeedback(client, filters);
		if (newest === undefined) return log('Survey B has no feedback yet for a sample');
		const target = withToken(url, (await readAccount(context)).token);
		const body = { hook: { id: SAMPLE_ID, event, target }, data: asDelivered(event, newest) };
		void deliver(context, { method: 'POST', url: target, body }, isListening).then(log);
	} catch (error) {
		log(`A sample could not be read from Survey B: ${Failure.from(error).headline}`);
	}
}

/**
 * Returns the newest feedback that the filters let through, or else the newest of all. The contract names no order, so
 * the first page and the last one are read; then a page of those that the service filters.
 */
async function newestFeedback(client: ApiClient, filters: Settings['filters']) {
	const first = await readPage(client);
	const last = Math.ceil((first.total ?? 0) / (first.records.length || 1));
	const others = last > 1 ? (await readPage(client, { page: last })).records : [];
	const read = [...first.records, ...others].sort(byChange);
	const isRead = last <= 2 || read.some((one) => isWanted(filters, one));
	const filtered = isRead ? [] : (await readPage(client, queryOf(filters))).records;
	const found = [...read, ...filtered.sort(byChange)];
	return found.find((one) => isWanted(filters, one)) ?? found[0];
}

async function readPage(client: ApiClient, query: IDataObject = {}): Promise<Page> {
	const page = reading((body) => surveyB.readPage(body, ''));
	return await client.send(get('/api/v2/feedback/', query), page);
}

/** Returns the filters that the service can apply, which takes one value of each. */
function queryOf({ campaignIds, scoreTypes, statuses }: Settings['filters']): IDataObject {
	const [campaign, scoreType, status] = [campaignIds, scoreTypes, statuses].map((values) =>
		values?.length === 1 ? values[0] : undefined,
	);
	const isId = /^\d+$/.test(campaign ?? '');
	return { survey__campaign: isId ? campaign : undefined, score_type: scoreType, status };
}

/** Returns the line for the log. Never throws. */
async function deliver(
	context: IHookFunctions,
	request: IHttpRequestOptions,
	isListening: () => boolean,
): Promise<string> {
	let reason = '';
	for (let tries = 0; tries < MOST_TRIES; tries++) {
		await sleep(DELIVERY_DELAY);
		if (!isListening()) return 'No sample was delivered, because the test was over';
		try {
			await context.helpers.httpRequest(request);
			return 'A sample was delivered to the test URL';
		} catch (error) {
			// n8n may not listen yet.
			reason = Failure.from(error).headline;
		}
	}
	if (BLOCKED.test(reason)) {
		return `A sample could not be delivered, because n8n's protection against SSRF blocks its own webhook URL: ${reason}. Real events arrive. For samples, add n8n's host to N8N_SSRF_ALLOWED_HOSTNAMES`;
	}
	return `A sample could not be delivered, because n8n does not reach its own webhook URL: ${reason}`;
}

/** Sorts the last answered first. ISO 8601 dates sort as text. */
function byChange(one: IDataObject, other: IDataObject): number {
	const changedAt = ({ score_changed, created }: IDataObject) => String(score_changed ?? created);
	return compareTexts(changedAt(other), changedAt(one));
}

/** `feedback.added_or_changed` comes without `href` (contract, section Events). */
function asDelivered(event: string, { href, ...feedback }: IDataObject): IDataObject {
	return event === 'feedback.added_or_changed' ? feedback : { href, ...feedback };
}
