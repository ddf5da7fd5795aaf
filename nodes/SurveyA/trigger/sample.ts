import { Failure } from '../../shared/base/failure';
import type { PageClient } from '../../shared/paging/pages';
import { EVENT_LISTS, newestFirst } from './eventLists';
import type { Settings } from './fields';
import { matches } from './items';
import type { TriggerItem } from './items';

/** The most records of each event that a manual test shows. */
const SAMPLE_SIZE = 5;

/** The pages of each list that are searched for matching records. */
const PAGE_SIZE = 200;
const MOST_PAGES = 5;

/** Returns the newest matching records of each event. @throws Failure if there are records, but none matches */
export async function sampleItems(
	client: PageClient,
	{ events, filters }: Pick<Settings, 'events' | 'filters'>,
): Promise<TriggerItem[]> {
	const items: TriggerItem[] = [];
	let searched = 0;
	for (const event of events) {
		const found: TriggerItem[] = [];
		let pages = 0;
		for await (const { records } of newestFirst(client, EVENT_LISTS[event])(PAGE_SIZE)) {
			searched += records.length;
			found.push(
				...records.map((data) => ({ event, data })).filter((item) => matches(item, filters)),
			);
			if (found.length > 0 || ++pages === MOST_PAGES) break;
		}
		items.push(...found.slice(0, SAMPLE_SIZE));
	}
	if (items.length > 0 || searched === 0) return items;
	throw new Failure(
		'failed',
		`None of the newest ${searched} records in Survey A matches the filters`,
		{ hint: 'Change the filters, or publish the workflow to wait for a matching record' },
	);
}
