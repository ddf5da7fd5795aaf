import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v4';

import { answerAs } from '../http/answer';
import { Failure } from '../http/failure';
import { normalizeEmail } from '../parameters/emails';
import { BadRowSearch } from './badRowSearch';
import type { Part } from './badRowSearch';
import type { BatchRules } from './batches';
import { plannedItem } from './dryRun';
import type { Row } from './rows';
import type { Run } from './run';
import { isIneligible, noteRefused } from './skips';
import type { SkipRules } from './skips';

/** How batches of rows are sent. */
export interface BatchSpec<Input, Answer> extends BatchRules<Input>, SkipRules<NoInfer<Input>> {
	/** The shape of the response. */
	responseSchema: z.ZodType<Answer>;
	/** The output of one row, or the failure that the response reports for it. */
	output(answer: Answer, input: Input): IDataObject | Failure;
}

/** Sends the batches of a run, and notes what became of each row. */
export class BatchSender<Input, Answer> {
	private readonly searches = new Map<string | undefined, BadRowSearch>();

	constructor(
		private readonly run: Run,
		private readonly spec: BatchSpec<Input, Answer>,
	) {}

	/** Sends a batch; if it is refused, sends parts of it until all bad rows are found. */
	async send(batch: Array<Row<Input>>): Promise<void> {
		const [first] = batch;
		if (first === undefined) return;
		if (first.options.dryRun) return this.plan(batch);
		const search = this.searchFor(first);
		const parts: Array<Part<Row<Input>>> = [{ rows: batch }];
		while (!this.run.isStopped) {
			const part = search.take(parts);
			if (part === undefined) return;
			parts.unshift(...(await this.sendPart(part, search)));
		}
	}

	/** What is refused for rows of one group says nothing about another group. */
	private searchFor({ input }: Row<Input>): BadRowSearch {
		const group = this.spec.group?.(input);
		const search = this.searches.get(group) ?? new BadRowSearch(!this.run.continues);
		this.searches.set(group, search);
		return search;
	}

	/** Sends a part, and returns the parts of it to send again. */
	private async sendPart(
		part: Part<Row<Input>>,
		search: BadRowSearch,
	): Promise<Array<Part<Row<Input>>>> {
		const { rows } = part;
		if (part.failure && search.givesUp) return this.refuse(rows, part.failure);
		try {
			await this.request(rows);
			search.foundCause();
			return [];
		} catch (error) {
			const failure = Failure.from(error);
			const rest = this.refuseNamed(rows, failure);
			if (rest.length < rows.length) return rest.length > 0 ? [{ rows: rest }] : [];
			if (isIneligible(this.spec, failure)) search.foundCause();
			else if (!failure.details.mayBeOneRow) return this.refuse(rows, failure);
			const parts = search.split(rows, failure);
			return parts.length > 0 ? parts : this.refuse(rows, failure);
		}
	}

	private async request(rows: Array<Row<Input>>): Promise<void> {
		const { run, spec } = this;
		const [first] = rows;
		if (first === undefined) return;
		const request = spec.request(
			rows.map(({ input }) => input),
			first.input,
		);
		const outputs = answerAs(spec.responseSchema, (answer) =>
			rows.map((row) => ({ row, output: spec.output(answer, row.input) })),
		);
		for (const { row, output } of await run.client.send(request, outputs)) {
			if (output instanceof Failure) noteRefused(run, row, spec, output);
			else run.note(row.item, { rows: [output] });
		}
	}

	/** Notes the same refusal for rows; returns no parts to send again. */
	private refuse(rows: Array<Row<Input>>, failure: Failure): [] {
		for (const row of rows) noteRefused(this.run, row, this.spec, failure);
		return [];
	}

	/** Notes the rows that a refusal names, and returns the others. */
	private refuseNamed(rows: Array<Row<Input>>, { details }: Failure): Array<Row<Input>> {
		const keys = rows.map(({ input }) => this.spec.key(input));
		const reasons = new Map(
			details.refused?.map(({ key, reason }) => [
				normalizeEmail(typeof key === 'number' ? (keys[key] ?? '') : key),
				reason,
			]),
		);
		return rows.filter((row, place) => {
			const key = keys[place] ?? '';
			const reason = reasons.get(normalizeEmail(key));
			if (reason === undefined) return true;
			const words = `${key}: ${reason || details.words}`;
			noteRefused(this.run, row, this.spec, new Failure({ ...details, words }));
			return false;
		});
	}

	/** Notes what each row of a batch would send. */
	private plan(rows: Array<Row<Input>>): void {
		const number = this.run.plan(rows.map(({ item }) => item));
		for (const { item, input } of rows) {
			const planned = plannedItem(this.spec.request([input], input), number, rows.length);
			this.run.note(item, { rows: [planned] });
		}
	}
}
