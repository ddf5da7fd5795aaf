import type { IDataObject } from 'n8n-workflow';

import type { BodyReader } from '../../nodes/shared/base/json';
import type { ApiRequest } from '../../nodes/shared/http/request';
import { surveyA } from '../../nodes/SurveyA/service';
import { randomFrom } from '../support/random.mts';

// A service with one long list, the newest record first, and a network. Time is simulated: a second with a thousand requests
// takes as long as their work.

export interface TimedOptions {
	records: number;
	/** The most records on a page. */
	pageSize: number;
	/** The time of a response, in ms: any between these. */
	latency: [least: number, most: number];
	/** A record is added, or one removed anywhere, every so many seconds. */
	addEvery?: number;
	removeEvery?: number;
}

interface TimedEvent {
	at: number;
	act(): void;
}

export class TimedList {
	readonly service = surveyA;
	requests = 0;
	/** The records that have been there from the start. */
	readonly lasting: Set<number>;
	/** The IDs of the records, the newest first. */
	private readonly rows: number[];
	private now = 0;
	/** The events to come, the next one last. */
	private readonly events: TimedEvent[] = [];
	private readonly random: () => number;

	constructor(
		private readonly options: TimedOptions,
		seed: number,
	) {
		const { records, addEvery, removeEvery } = options;
		this.rows = Array.from({ length: records }, (_, i) => records - i);
		this.lasting = new Set(this.rows);
		this.random = randomFrom(seed * 7919 + 17);
		for (let i = 0; i < 5; i++) this.random();
		this.repeat(addEvery, () => this.rows.unshift((this.rows[0] ?? 0) + records));
		this.repeat(removeEvery, () => this.remove());
	}

	/** The time that has passed, in ms. */
	get elapsed(): number {
		return this.now;
	}

	/** Runs work while time passes, until it is done. */
	async while<Result>(work: Promise<Result>): Promise<Result> {
		let isDone = false;
		const end = () => (isDone = true);
		work.then(end, end);
		while (!isDone) {
			await new Promise((resolve) => setImmediate(resolve));
			const event = isDone ? undefined : this.events.pop();
			this.now = event?.at ?? this.now;
			event?.act();
		}
		return await work;
	}

	async send<Response>({ query = {} }: ApiRequest, readBody: BodyReader<Response>) {
		this.requests++;
		const [least, most] = this.options.latency;
		const latency = least + this.random() * (most - least);
		const onTheWay = latency * this.random();
		await this.pass(onTheWay);
		const body = this.page(Number(query.page), Number(query.limit));
		await this.pass(latency - onTheWay);
		const read = readBody(body);
		if (read === undefined) throw new RangeError('the page cannot be read');
		return read;
	}

	private page(number: number, asked: number): IDataObject {
		const { rows, options } = this;
		const limit = Math.min(asked, options.pageSize);
		const ids = rows.slice((number - 1) * limit, number * limit);
		const pages = Math.ceil(rows.length / limit);
		const stated = { total: rows.length, page: number, pages, limit };
		return { code: 200, data: { responses: ids.map((id) => ({ id })), ...stated } };
	}

	private remove(): void {
		const [gone] = this.rows.splice(Math.floor(this.random() * this.rows.length), 1);
		if (gone !== undefined) this.lasting.delete(gone);
	}

	private repeat(seconds: number | undefined, act: () => void): void {
		if (seconds === undefined) return;
		const again = (after: number) =>
			this.plan(after, () => {
				act();
				again(seconds * 1000);
			});
		again(this.random() * seconds * 1000);
	}

	private async pass(milliseconds: number): Promise<void> {
		await new Promise<void>((resolve) => this.plan(milliseconds, resolve));
	}

	private plan(after: number, act: () => void): void {
		const at = this.now + after;
		const index = this.events.findIndex((event) => event.at <= at);
		this.events.splice(index < 0 ? this.events.length : index, 0, { at, act });
	}
}
