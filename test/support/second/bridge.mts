import { request as httpRequest } from 'node:http';
import { text as textOf } from 'node:stream/consumers';

import { ServiceA } from '../../../sandbox/a/service';
import type { Feedback } from '../../../sandbox/b/records';
import { ServiceB } from '../../../sandbox/b/service';
import type { RenderedResponse } from '../../../sandbox/core/apiResponse';
import type { RecordedRequest } from '../../../sandbox/core/requestLog';
import type { ServiceOptions } from '../../../sandbox/core/service';
import type { SecondServer } from './server.mts';
import { startSecondA } from './serviceA.mts';
import { deliveredFeedback, startSecondB } from './serviceB.mts';

/*
 * The sandbox of test/contract, with the second servers in it: the log, the faults and the records are the
 * sandbox's, and every response that no fault replaces comes from a second server.
 */

/** The reasons of all requests outside the contract, by any second server of this process. */
export const violations: string[] = [];

/** Passes a request on as it came. */
const forward = async (
	{ method, url, headers, rawBody }: RecordedRequest,
	origin: string,
): Promise<RenderedResponse> =>
	await new Promise((resolve, reject) => {
		const sent = httpRequest(origin + url, { method, headers }, (response) => {
			textOf(response).then((text) => {
				const type = response.headers['content-type'];
				const kept = type === undefined ? undefined : { 'content-type': type };
				resolve({ status: response.statusCode ?? 0, headers: { ...kept }, text });
			}, reject);
		});
		sent.on('error', reject);
		sent.end(rawBody);
	});

const carryOut = async (
	record: RecordedRequest,
	second: SecondServer | undefined,
): Promise<RenderedResponse> => {
	if (!second) throw new Error('The second server is not started');
	const response = await forward(record, second.url);
	record.carriedOut = response.status < 300;
	violations.push(...second.violations.splice(0));
	return response;
};

class BridgedA extends ServiceA {
	private second?: SecondServer;

	override async start(): Promise<this> {
		this.second = await startSecondA(this);
		return await super.start();
	}

	override async close(): Promise<void> {
		await super.close();
		await this.second?.close();
	}

	protected override async carryOut(record: RecordedRequest): Promise<RenderedResponse> {
		return await carryOut(record, this.second);
	}
}

const isFeedback = (data: unknown): data is Feedback => 'followup_href' in Object(data);

class BridgedB extends ServiceB {
	private second?: SecondServer;

	/** Sends feedback as the second server delivers it, also if a test answers a survey. */
	override readonly emit = (event: string, data: unknown): void => {
		this.sender.emit(event, isFeedback(data) ? deliveredFeedback(data) : data);
	};

	override async start(): Promise<this> {
		this.second = await startSecondB(this);
		return await super.start();
	}

	override async close(): Promise<void> {
		await super.close();
		await this.second?.close();
	}

	protected override async carryOut(record: RecordedRequest): Promise<RenderedResponse> {
		return await carryOut(record, this.second);
	}
}

export const startServiceA = async (options: ServiceOptions = {}): Promise<ServiceA> =>
	await new BridgedA(options).start();

export const startServiceB = async (options: ServiceOptions = {}): Promise<ServiceB> =>
	await new BridgedB(options).start();
