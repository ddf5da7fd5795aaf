import { deepCopy } from 'n8n-workflow';
import type { IDataObject } from 'n8n-workflow';
import type { z } from 'zod/v4';

/**
 * The memory of a trigger in the static data of its workflow. n8n saves static data as a whole. So a run that began earlier may
 * save what it loaded long ago, and a copied workflow has the data of the original. A memory says whose it is and when it was
 * made, and the newer of two versions counts.
 */
export class StaticData<Memory extends { owner: string }> {
	constructor(
		private readonly data: IDataObject,
		private readonly name: string,
		private readonly schema: z.ZodType<Memory>,
	) {}

	/** Undefined if nothing is stored, or if it belongs to another owner. */
	load(owner: string): Memory | undefined {
		// n8n's static data has hidden fields, which a copy leaves out.
		const { data } = this.schema.safeParse(deepCopy(this.data[this.name]));
		return data?.owner === owner ? data : undefined;
	}

	/** Writes the memory whole, for n8n to save. `parse` copies, so that n8n shares no object with the process. */
	save(memory: Memory): void {
		this.data[this.name] = this.schema.parse(memory);
	}
}

/** The time of a newer version, in ms: the clock may stand still, or go back. */
export function newerThan(before = 0): number {
	return Math.max(Date.now(), before + 1);
}
