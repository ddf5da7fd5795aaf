import type { ReadItem } from './operation';
import type { ItemToSend } from './tries';

/** An item that is ready to be sent. */
export type ReadyItem<Input> = ReadItem<Input> &
	ItemToSend & {
		/** Items of one request have the same group. */
		group: string;
		/** The item before it in its lane. */
		before?: ReadyItem<Input>;
	};

/** Items that may still be read. */
export type ReadyItems<Input> = AsyncIterable<ReadyItem<Input>> | Array<ReadyItem<Input>>;

/**
 * Divides items into turns: in each, the next item of every lane, so that its items may be sent in any order and in any request.
 * A turn must end before the next one begins.
 */
export class Turns<Input> {
	/** The turns after the first one; complete once that was read. */
	readonly later: Array<Array<ReadyItem<Input>>> = [];

	/** Yields the first item of each lane as soon as it is read, and puts the others into their turns. */
	async *first(items: ReadyItems<Input>): AsyncGenerator<ReadyItem<Input>> {
		const lanes = new Map<string, { last: ReadyItem<Input>; length: number }>();
		for await (const item of items) {
			const lane = lanes.get(item.lane);
			lanes.set(item.lane, { last: item, length: (lane?.length ?? 0) + 1 });
			if (lane === undefined) yield item;
			else {
				item.before = lane.last;
				(this.later[lane.length - 1] ??= []).push(item);
			}
		}
	}
}

/**
 * Yields each batch of items of one group when it has `size` items, and at the end those that have fewer.
 *
 * @param isToSend returns false for an item that needs no request
 */
export async function* inBatches<Input>(
	items: ReadyItems<Input>,
	size: number,
	isToSend: (item: ReadyItem<Input>) => boolean,
): AsyncGenerator<Array<ReadyItem<Input>>> {
	const open = new Map<string, Array<ReadyItem<Input>>>();
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
