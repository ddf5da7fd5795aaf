import type { ReadItem } from './operation';
import type { ItemToSend } from './progress';

export type ReadyItem<Input> = ReadItem<Input> & ItemToSend;

export type Batch<Input> = Array<ReadyItem<Input>>;

/** Items that may still be read. */
export type ReadyItems<Input> = AsyncIterable<ReadyItem<Input>> | Batch<Input>;

/**
 * Divides items into waves. Wave 1 has the first item of each lane, wave 2 the second. Inside a wave, order does not matter. A
 * wave must end before the next one begins.
 */
export class Waves<Input> {
	readonly later: Array<Batch<Input>> = [];

	/** Yields the first item of each lane as soon as it is read, and puts the others into their waves. */
	async *first(items: ReadyItems<Input>): AsyncGenerator<ReadyItem<Input>> {
		const lengths = new Map<string, number>();
		for await (const item of items) {
			const length = lengths.get(item.lane) ?? 0;
			lengths.set(item.lane, length + 1);
			if (length === 0) yield item;
			else (this.later[length - 1] ??= []).push(item);
		}
	}
}

/** Yields each batch of items of one group when it has `size` items, and at the end those that have fewer. */
export async function* inBatches<Input>(
	items: ReadyItems<Input>,
	size: number,
	isToSend: (item: ReadyItem<Input>) => boolean,
): AsyncGenerator<Batch<Input>> {
	const open = new Map<string, Batch<Input>>();
	for await (const item of items) {
		if (!isToSend(item)) continue;
		const batch = open.get(item.group) ?? [];
		open.set(item.group, batch);
		batch.push(item);
		if (batch.length < size) continue;
		open.delete(item.group);
		yield batch;
	}
	yield* open.values();
}
