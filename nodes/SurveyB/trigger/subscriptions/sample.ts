import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../../shared/http/client';
import { isObject, rowsOf } from '../../../shared/http/json';
import { get } from '../../../shared/http/request';
import type { ApiRequest } from '../../../shared/http/request';
import { fetchPage } from '../../../shared/paging/pages';
import { feedbackFromResponse } from '../../records/feedback';
import { isFeedbackEvent } from '../events';
import { passes } from '../filters';
import type { Filters } from '../settings';

// The sample that the editor shows while it listens: the service's newest record, in the shape of a delivery.

export interface Sample {
	event: string;
	data: IDataObject;
	/** False if no recent feedback passes the node's filters. */
	matchesFilters: boolean;
}

/** How many pages of feedback to search for one that passes the filters. */
const MOST_PAGES = 5;

type Client = Pick<ApiClient, 'send' | 'service'>;

/** Reads the data of an event's sample, or undefined if the service has none. */
type Source = (feed: SampleSource) => Promise<IDataObject | undefined>;

const sources: Record<string, Source> = {
	'contact.unsubscribed': async (feed) => await feed.contact(),
	'metric.score_changed': async (feed) => await feed.metrics(),
	'tag.merged': async (feed) => await feed.tagChange(),
	'tag.removed': async (feed) => await feed.tagRemoval(),
	'tag.renamed': async (feed) => await feed.tagChange(),
};

/**
 * Reads a sample of the first event that the service has data for.
 *
 * @throws Failure if the service cannot be read
 */
export async function newestSample(
	client: Client,
	events: string[],
	filters: Filters,
): Promise<Sample | undefined> {
	const feed = new SampleSource(client, filters);
	for (const event of events) {
		const source = isFeedbackEvent(event) ? feedbackOf(event) : sources[event];
		const data = await source?.(feed);
		if (data !== undefined) return { event, data, matchesFilters: feed.matchesFilters };
	}
	return undefined;
}

/** `feedback.added_or_changed` comes without `href` (contract, section Events). */
function feedbackOf(event: string): Source {
	return async (feed) => {
		const feedback = await feed.feedback();
		if (feedback === undefined || event !== 'feedback.added_or_changed') return feedback;
		const { href, ...delivered } = feedback;
		return href === undefined ? feedback : delivered;
	};
}

/** Reads the service's newest records, each list once. */
class SampleSource {
	matchesFilters = true;
	private newestFeedback?: Promise<IDataObject[]>;
	private pages = 0;
	private isOldestFirst = false;

	constructor(
		private readonly client: Client,
		private readonly filters: Filters,
	) {}

	/** Returns the newest feedback that passes the filters among a few pages, or the newest of all. */
	async feedback(): Promise<IDataObject | undefined> {
		const fits = (row: IDataObject) => passes(this.filters, feedbackFromResponse(row));
		const newest = await this.allFeedback();
		let found = newest.find(fits);
		for (let read = 1; !found && read < MOST_PAGES; read++) {
			found = (await this.olderFeedback(read)).find(fits);
		}
		this.matchesFilters = found !== undefined || newest.length === 0;
		return found ?? newest[0];
	}

	async contact(): Promise<IDataObject | undefined> {
		const [row] = await this.rows(get('/api/v2/contacts/'));
		if (row === undefined) return undefined;
		const { attributes, first_name, last_name, id, email } = row;
		return { attributes, first_name, last_name, id, email };
	}

	async metrics(): Promise<IDataObject | undefined> {
		const [row] = await this.rows(get('/api/v2/metrics/'));
		return row;
	}

	async tagChange(): Promise<IDataObject | undefined> {
		const { campaign, names: [before, after = before] = [] } = (await this.tagged()) ?? {};
		return before === undefined ? undefined : { campaign, before, after };
	}

	async tagRemoval(): Promise<IDataObject | undefined> {
		const { campaign, names: [name] = [] } = (await this.tagged()) ?? {};
		return name === undefined ? undefined : { campaign, name };
	}

	/** Returns the tags of the newest tagged feedback, and its campaign as tag events write it. */
	private async tagged(): Promise<{ campaign: IDataObject; names: string[] } | undefined> {
		for (const { tags, campaign } of await this.allFeedback()) {
			const names = (rowsOf(tags) ?? []).map(({ name }) => String(name));
			if (names.length === 0 || !isObject(campaign)) continue;
			return { campaign: { id: campaign.id, Name: campaign.name }, names };
		}
		return undefined;
	}

	/** Returns the page of the newest feedback, sorted by the last change. */
	private async allFeedback(): Promise<IDataObject[]> {
		this.newestFeedback ??= this.readFeedback();
		return await this.newestFeedback;
	}

	/** The contract does not state an order, so the newest feedback is on the first or the last page. */
	private async readFeedback(): Promise<IDataObject[]> {
		const { rows, total = 0 } = await this.page(1);
		this.pages = Math.ceil(total / Math.max(1, rows.length));
		this.isOldestFirst = createdOf(rows[0]) < createdOf(rows.at(-1));
		const isOnLastPage = this.isOldestFirst && this.pages > 1;
		return newestFirst(isOnLastPage ? (await this.page(this.pages)).rows : rows);
	}

	/** Returns the page that is `before` pages before the newest. */
	private async olderFeedback(before: number): Promise<IDataObject[]> {
		const number = this.isOldestFirst ? this.pages - before : 1 + before;
		const exists = number >= 1 && number <= this.pages;
		return exists ? newestFirst((await this.page(number)).rows) : [];
	}

	private async page(number: number) {
		const query = this.client.service.pageQuery(number);
		return await fetchPage(this.client, get('/api/v2/feedback/', query), 'results', number);
	}

	private async rows(request: ApiRequest): Promise<IDataObject[]> {
		return (await fetchPage(this.client, request, 'results', 1)).rows;
	}
}

function newestFirst(rows: IDataObject[]): IDataObject[] {
	return [...rows].sort((a, b) => changedOf(b).localeCompare(changedOf(a)));
}

/** Returns an ISO 8601 date, which sorts as text. */
function changedOf(row: IDataObject): string {
	const changed = String(row.score_changed ?? '');
	return changed > createdOf(row) ? changed : createdOf(row);
}

function createdOf(row: IDataObject | undefined): string {
	return String(row?.created ?? '');
}
