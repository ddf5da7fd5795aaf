import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../http/failure';
import type { Row } from './rows';
import type { Run } from './run';

/** Why a row is not sent. It comes out with the status `skipped` and the reason. */
export interface SkipReason {
	reason: string;
	/** The reason without what only this row has, by which the hint at the end counts. */
	kind: string;
	/** Further output fields. */
	mark?: IDataObject;
}

/** Why rows of an operation are not sent. */
export interface SkipRules<Input> {
	/** People whom the service does not survey now; offers Ineligible. */
	ineligible?: {
		/** The service's messages about them. */
		words: RegExp;
		/** The output fields that name a skipped row. */
		row(input: Input): IDataObject;
	};
	/** The key of rows of which a run sends only the first; offers Skip Duplicates. */
	dedupeBy?(input: Input): string;
	/** Starts a run, and returns a check for each of its rows, for example against what was sent before. */
	skips?(run: Run): (input: Input) => Promise<SkipReason | undefined>;
}

/** Decides which rows of a run are sent. */
export class RowFilter<Input> {
	private readonly firsts = new Map<string, number>();
	private readonly admitted = { dry: 0, real: 0 };
	private readonly check?: ReturnType<NonNullable<SkipRules<Input>['skips']>>;

	constructor(
		private readonly run: Run,
		private readonly rules: SkipRules<Input>,
	) {
		this.check = rules.skips?.(run);
	}

	/** Returns the rows to send. The others have their outcome then. */
	async *sendable(
		rows: Iterable<Row<Input>> | AsyncIterable<Row<Input>>,
	): AsyncGenerator<Row<Input>> {
		for await (const row of rows) if (await this.admits(row)) yield row;
	}

	private async admits(row: Row<Input>): Promise<boolean> {
		const { run, rules } = this;
		try {
			const skip = (await this.check?.(row.input)) ?? this.reasonInRun(row);
			if (skip) skipRow(run, row, rules, skip);
			return skip === undefined;
		} catch (error) {
			run.note(row.item, { failure: Failure.from(error) });
			return false;
		}
	}

	/** Rows that a dry run only shows do not count for those that are sent. */
	private reasonInRun({ item, input, options }: Row<Input>): SkipReason | undefined {
		const { skipDuplicates, sendAtMost } = this.run.options;
		const mode = options.dryRun ? 'dry' : 'real';
		const key = skipDuplicates && this.rules.dedupeBy?.(input);
		const first = key ? this.firsts.get(`${mode} ${key}`) : undefined;
		if (first !== undefined) return duplicateOf(first);
		if (this.admitted[mode] >= sendAtMost) return overLimit(sendAtMost);
		this.admitted[mode]++;
		if (key) this.firsts.set(`${mode} ${key}`, item);
		return undefined;
	}
}

function duplicateOf(item: number): SkipReason {
	const kind = 'same email as an earlier row';
	return { reason: `Same email as item ${item}`, kind, mark: { duplicateOfItem: item } };
}

function overLimit(most: number): SkipReason {
	return { reason: `'Send at Most' is ${most}`, kind: "over 'Send at Most'" };
}

function skipRow<Input>(
	run: Run,
	{ item, input }: Row<Input>,
	{ ineligible }: SkipRules<Input>,
	{ reason, kind, mark }: SkipReason,
): boolean {
	run.countSkipped(item, kind);
	return run.note(item, {
		rows: [{ ...ineligible?.row(input), status: 'skipped', reason, ...mark }],
	});
}

/** Returns whether a refusal is about the person in one row. A rate limit reads alike, but is not. */
export function isIneligible<Input>(
	{ ineligible }: SkipRules<Input>,
	{ details }: Failure,
): boolean {
	const { words, status, uncertain } = details;
	return status !== 429 && uncertain !== true && ineligible?.words.test(words) === true;
}

/** Notes a row that the service refused: as skipped if the user wants that for people who are not eligible. */
export function noteRefused<Input>(
	run: Run,
	row: Row<Input>,
	rules: SkipRules<Input>,
	failure: Failure,
): boolean {
	const skips = row.options.ineligible === 'skip' && isIneligible(rules, failure);
	if (!skips) return run.note(row.item, { failure });
	return skipRow(run, row, rules, { reason: failure.details.words, kind: 'not eligible' });
}
