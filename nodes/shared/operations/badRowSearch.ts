import type { Failure } from '../http/failure';

/** The search for the rows for which a batch was refused, by halves. */
export class BadRowSearch {
	/** Refusals without a success between them. */
	private refusals = 0;
	private readonly most: number;

	/** @param count how many rows the batch has */
	constructor(count: number) {
		// As many as two bad rows at the worst place take. Beyond, it is no matter of single rows.
		this.most = 2 * Math.ceil(Math.log2(count + 1));
	}

	succeeded(): void {
		this.refusals = 0;
	}

	/** Whether a refused part is to be sent again by halves: of a refusal, nothing was carried out. */
	goesOn(count: number, { details }: Failure): boolean {
		this.refusals++;
		return details.mayBeOneRow === true && count > 1 && this.refusals <= this.most;
	}
}
