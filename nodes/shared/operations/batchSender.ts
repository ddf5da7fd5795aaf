import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v4';

import { mapResponse } from '../http/json';
import { Failure } from '../base/failure';
import { normalizeEmail } from '../fields/emails';
import { BadRowSearch } from './badRowSearch';
import type { Part } from './badRowSearch';
import type { BatchRules } from './batches';
import type { Row } from './rows';
import type { Run } from './run';
import { isAboutPerson, setRefused } from './skips';
import type { SkipRules } from './skips';

/** How batches of rows are sent. */
export interface BatchSpec<Input, Response> extends BatchRules<Input>, SkipRules<NoInfer<Input>> {
	/** The shape of the response. */
	responseSchema: z.ZodType<Response>;
	/** The output of one row, or the failure that the response reports for it. */
	output(response: Response, input: Input): IDataObject | Failure;
}

/** Sends the batches of a run, and sets the result of each row. */
export class BatchSender<Input, Response> {
	private readonly searches = new Map<string | undefined, BadRowSearch>();

	constructor(
		private readonly run: Run,
		private readonly spec: BatchSpec<Input, Response>,
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

	/** A refusal of rows of one group says nothing about another group. */
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
			if (isAboutPerson(this.spec, failure)) search.foundCause();
			else if (failure.kind !== 'refused') return this.refuse(rows, failure);
			const parts = search.split(rows, failure);
			return parts.length > 0 ? parts : this.refuse(rows, failure);
		}
	}

	private async request(rows: Array<Row<Input>>): Promise<void> {
		const { run, spec } = this;
		const inputs = rows.map(({ input }) => input);
		const [first] = inputs;
		if (first === undefined) return;
		const outputs = mapResponse(spec.responseSchema, (response) =>
			rows.map((row) => ({ row, output: spec.output(response, row.input) })),
		);
		for (const { row, output } of await run.client.send(spec.request(inputs, first), outputs)) {
			if (output instanceof Failure) setRefused(run, row, spec, output);
			else run.setResult(row.item, { rows: [output] });
		}
	}

	/** Refuses rows for the same reason; returns no parts to send again. */
	private refuse(rows: Array<Row<Input>>, failure: Failure): [] {
		for (const row of rows) setRefused(this.run, row, this.spec, failure);
		return [];
	}

	/** Refuses the rows that a refusal names, and returns the others. */
	private refuseNamed(rows: Array<Row<Input>>, failure: Failure): Array<Row<Input>> {
		const keys = rows.map(({ input }) => this.spec.key(input));
		const reasons = new Map(
			failure.refusedRows?.map(({ key, reason }) => [
				normalizeEmail(typeof key === 'number' ? (keys[key] ?? '') : key),
				reason,
			]),
		);
		return rows.filter((row, index) => {
			const key = keys[index] ?? '';
			const reason = reasons.get(normalizeEmail(key));
			if (reason === undefined) return true;
			const message = `${key}: ${reason || failure.message}`;
			setRefused(this.run, row, this.spec, failure.with({ message }));
			return false;
		});
	}

	private plan(rows: Array<Row<Input>>): void {
		const outputOf = this.run.plan(rows.map(({ item }) => item));
		for (const { item, input } of rows) {
			this.run.setResult(item, { rows: [outputOf(this.spec.request([input], input))] });
		}
	}
}
