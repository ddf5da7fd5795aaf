import type { ApiClient } from '../../shared/http/client';
import { Failure } from '../../shared/base/failure';
import { EventListReader } from './eventLists';
import type { Settings } from './fields';
import { matches } from './items';
import type { TriggerEvent, TriggerItem } from './items';
import type { ListedRow } from './listedRow';
import { FEW, isWhole, MANY } from './listPoll';
import type { ReadPage } from './listPoll';

/** The most rows of each event that a manual test shows. */
const SAMPLE_SIZE = 5;

/** The most pages of each list that are searched for matching rows. */
const MOST_PAGES = 5;

/** Returns the newest matching rows of each event. @throws Failure if there are rows, but none matches */
export async function sampleItems(
	client: ApiClient,
	{ events, filters }: Pick<Settings, 'events' | 'filters'>,
): Promise<TriggerItem[]> {
	const items: TriggerItem[] = [];
	let searched = 0;
	for (const event of events) {
		const list = new EventListReader(client, event);
		const found = await list.reading(async () => await search(list.page, event, filters));
		items.push(...found.items.slice(0, SAMPLE_SIZE));
		searched += found.searched;
	}
	if (items.length > 0 || searched === 0) return items;
	throw new Failure(
		'failed',
		`None of the newest ${searched} records in Survey A matches the filters`,
		{ hint: 'Change the filters, or publish the workflow to wait for a matching record' },
	);
}

/** Searches a small page first, then large ones. Each of these starts with the newest row again. */
async function search(read: ReadPage, event: TriggerEvent, filters: Settings['filters']) {
	const order = 'newest first';
	const toMatches = (rows: ListedRow[]) =>
		rows.map((row) => ({ event, row })).filter((item) => matches(item, filters));
	const first = await read({ number: 1, size: FEW, order });
	let items = toMatches(first.rows);
	let searched = first.rows.length;
	if (items.length > 0 || isWhole(first)) return { items, searched };
	searched = 0;
	for (let number = 1; number <= MOST_PAGES && items.length === 0; number++) {
		const { rows, total = Infinity } = await read({ number, size: MANY, order });
		items = toMatches(rows);
		searched += rows.length;
		if (rows.length === 0 || searched >= total) break;
	}
	return { items, searched };
}
