import type { ReadingNotes } from '../parameters/reader';

/** What readers noted of the values of a run: told once at its end, with counts. */
export class Notes implements ReadingNotes {
	private ambiguousDates = 0;
	private firstAmbiguousDate = '';
	private repeatedTimes = 0;
	private firstRepeatedTime = '';
	private readonly rejected = { removed: 0, skipped: 0 };
	private readonly leftOut = new Set<string>();

	/** A date that reads differently by Date Order. */
	readonly onAmbiguousDate = (written: string, day: string): void => {
		if (this.ambiguousDates++ === 0) this.firstAmbiguousDate = `${written} as ${day}`;
	};

	/** A time that occurs twice when daylight saving ends. */
	readonly onRepeatedTime = (written: string): void => {
		if (this.repeatedTimes++ === 0) this.firstRepeatedTime = written;
	};

	/** A value with characters that the service rejects. */
	readonly onRejected = (what: 'removed' | 'skipped'): void => {
		this.rejected[what]++;
	};

	/** Columns that the service has no place for. */
	readonly onLeftOut = (columns: string[]): void => {
		for (const column of columns) this.leftOut.add(column);
	};

	/**
	 * Gives what to tell the user.
	 *
	 * @param service its name
	 */
	hints(service: string): string[] {
		const { removed, skipped } = this.rejected;
		const columns = [...this.leftOut].join(', ');
		const hints: Array<[boolean, string]> = [
			[
				this.ambiguousDates > 0,
				`Dates were read month first: ${this.firstAmbiguousDate} (dates that could be either: ${this.ambiguousDates}). If the day comes first, set 'Date Order' to Day First`,
			],
			[
				this.repeatedTimes > 0,
				`Times that occur twice when daylight saving ends were read as the first one: ${this.firstRepeatedTime} (times: ${this.repeatedTimes}). To choose, write the UTC offset, for example +01:00`,
			],
			[
				removed > 0,
				`Attributes that were sent without characters that ${service} rejects: ${removed}`,
			],
			[
				skipped > 0,
				`Attributes that were left out because of characters that ${service} rejects: ${skipped}`,
			],
			[
				columns !== '',
				`Columns that were not sent because ${service} has no field for them: ${columns}`,
			],
		];
		return hints.flatMap(([isTold, hint]) => (isTold ? [hint] : []));
	}
}
