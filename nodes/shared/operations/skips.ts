import type { IDataObject } from 'n8n-workflow';

import { rowOptions, runOptions } from '../fields/sharedFields';
import type { Failure } from '../base/failure';
import type { Run } from './run';
import type { ReadyRow } from './turns';

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
		/** The message that an earlier attempt, whose response was lost, may have caused, and what to say then. */
		afterLostResponse?: { message: RegExp; reason: string };
		/** The output fields that name a skipped row. */
		row(input: Input): IDataObject;
	};
	/** Set where a run sends only one of the rows with the same group and label; the word for the label in reasons. */
	dedupeBy?: string;
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

/** Decides which rows of a run are sent. What an earlier try of the node sent counts, too. */
export class Skips<Input> {
	private readonly check?: ReturnType<NonNullable<SkipRules<Input>['skips']>>;

	constructor(
		private readonly run: Run,
		private readonly rules: SkipRules<Input>,
	) {
		this.check = rules.skips?.(run);
	}

	/** Decides about a row when it is read, in input order. */
	async whenRead(row: ReadyRow<Input>): Promise<SkipReason | undefined> {
		return (await this.check?.(row.input)) ?? this.overLimit(row);
	}

	/** Send at Most counts rows that are no duplicates: a duplicate goes out only in place of the row that it repeats. */
	private overLimit(row: ReadyRow<Input>): SkipReason | undefined {
		const { tries, options } = this.run;
		if (this.rules.dedupeBy === undefined) return undefined;
		const isDry = row.options.dryRun === true;
		const admitted = tries.admitted.get(isDry) ?? new Set();
		tries.admitted.set(isDry, admitted);
		const key = this.keyOf(row) ?? String(row.item);
		if (!admitted.has(key) && admitted.size >= options.sendAtMost) {
			const reason = `'Send at Most' is ${options.sendAtMost}`;
			return { reason, kind: "over 'Send at Most'" };
		}
		admitted.add(key);
		return undefined;
	}

	/** Decides about a row when its turn comes, and the rows before it in its lane have their results. */
	atTurn(row: ReadyRow<Input>): SkipReason | undefined {
		const key = this.keyOf(row);
		const first = key === undefined ? undefined : this.run.tries.sent.get(key);
		if (first === undefined) return undefined;
		const { dedupeBy } = this.rules;
		const kind = `same ${dedupeBy} as an earlier row`;
		const mark = { duplicateOfItem: first };
		return { reason: `Same ${dedupeBy} as item ${first}`, kind, mark };
	}

	/** Must be called for each row that went out, or may have. */
	sent(row: ReadyRow<Input>): void {
		const { tries } = this.run;
		const key = this.keyOf(row);
		if (key !== undefined && !tries.sent.has(key)) tries.sent.set(key, row.item);
		if (row.options.dryRun !== true) tries.lastSent.set(row.lane, row.item);
	}

	private keyOf({ group, lane }: ReadyRow<Input>): string | undefined {
		const isOn = this.rules.dedupeBy !== undefined && this.run.options.skipDuplicates;
		return isOn ? `${group} ${lane}` : undefined;
	}
}

/** Returns whether a refusal is about the person in one row. Rate-limit messages look alike but are not. */
export function isAboutPerson<Input>(
	{ ineligible }: SkipRules<Input>,
	{ kind, message, status = 0 }: Failure,
): boolean {
	const isAboutRow = status !== 429 && status < 500;
	return isAboutRow && kind !== 'uncertain' && ineligible?.message.test(message) === true;
}
