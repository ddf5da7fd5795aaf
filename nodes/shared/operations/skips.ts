import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { rowOptions, runOptions } from '../fields/sharedFields';
import type { Row } from './rows';
import type { Run } from './run';

/** Why a row is not sent. It comes out with the status `skipped` and the reason. */
export interface SkipReason {
	reason: string;
	/** The reason without anything special to the row, by which the hint at the end counts. */
	kind: string;
	/** Further output fields. */
	mark?: IDataObject;
}

/** Why rows of an operation are not sent. */
export interface SkipRules<Input> {
	/** People whom the service does not survey now; offers Contacts That Cannot Be Surveyed. */
	ineligible?: {
		/** The service's messages about them. */
		message: RegExp;
		/** The output fields that name a skipped row. */
		row(input: Input): IDataObject;
	};
	/** The key of rows of which a run sends only the first; offers Skip Duplicates. */
	dedupeBy?: {
		/** The fields that the key consists of, as reasons name them: `email`. */
		name: string;
		key(input: Input): string;
	};
	/** Starts a run, and returns a check for each of its rows, for example against what was sent before. */
	skips?(run: Run): (input: Input) => Promise<SkipReason | undefined>;
}

/** Returns the fields that these rules offer. */
export function skipOptions({ dedupeBy, ineligible }: SkipRules<never>) {
	const { sendAtMost, skipDuplicates } = runOptions;
	return {
		...(dedupeBy ? { sendAtMost, skipDuplicates } : {}),
		...(ineligible ? { ineligible: rowOptions.ineligible } : {}),
	};
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

	/** Returns the rows to send. The others have their result then. */
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
			run.setResult(row.item, { failure: Failure.from(error) });
			return false;
		}
	}

	/** Checks a row against those before it. Rows of a dry run and rows that are sent are counted apart. */
	private reasonInRun({ item, input, options }: Row<Input>): SkipReason | undefined {
		const { skipDuplicates, sendAtMost } = this.run.options;
		const { dedupeBy } = this.rules;
		const mode = options.dryRun ? 'dry' : 'real';
		const key = skipDuplicates && dedupeBy?.key(input);
		const first = key ? this.firsts.get(`${mode} ${key}`) : undefined;
		if (dedupeBy && first !== undefined) {
			const reason = `Same ${dedupeBy.name} as item ${first}`;
			const kind = `same ${dedupeBy.name} as an earlier row`;
			return { reason, kind, mark: { duplicateOfItem: first } };
		}
		if (this.admitted[mode] >= sendAtMost) {
			return { reason: `'Send at Most' is ${sendAtMost}`, kind: "over 'Send at Most'" };
		}
		this.admitted[mode]++;
		if (key) this.firsts.set(`${mode} ${key}`, item);
		return undefined;
	}
}

function skipRow<Input>(
	run: Run,
	{ item, input }: Row<Input>,
	{ ineligible }: SkipRules<Input>,
	{ reason, kind, mark }: SkipReason,
): boolean {
	run.countSkipped(item, kind);
	return run.setResult(item, {
		rows: [{ ...ineligible?.row(input), status: 'skipped', reason, ...mark }],
	});
}

/** Returns whether a refusal is about the person in one row. Rate-limit messages look alike but are not. */
export function isAboutPerson<Input>(
	{ ineligible }: SkipRules<Input>,
	{ kind, message, status }: Failure,
): boolean {
	return status !== 429 && kind !== 'uncertain' && ineligible?.message.test(message) === true;
}

/** Sets the result of a row that the service refused: skipped if the user wants that for people who are not eligible. */
export function setRefused<Input>(
	run: Run,
	row: Row<Input>,
	rules: SkipRules<Input>,
	failure: Failure,
): boolean {
	const skips = row.options.ineligible === 'skip' && isAboutPerson(rules, failure);
	if (!skips) return run.setResult(row.item, { failure });
	return skipRow(run, row, rules, { reason: failure.message, kind: 'not eligible' });
}
