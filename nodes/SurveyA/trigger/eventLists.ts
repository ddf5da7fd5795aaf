import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../shared/http/client';
import { Failure } from '../../shared/base/failure';
import { get } from '../../shared/http/request';
import { fetchPage, smallerSize } from '../../shared/paging/pages';
import type { ListPage, PageRequest } from './listPoll';
import type { TriggerEvent } from './items';
import { listedRow, rowKey } from './listedRow';
import type { ListedRow } from './listedRow';

/** The list that shows the rows of an event. */
interface EventList {
	path: string;
	/** The name of the array that holds the rows in the response. */
	rowsKey: string;
	/** The field by which the list is sorted. */
	sort: string;
	/** How much later than its position in the list a row may be dated, in ms. */
	delay?: number;
	row(data: IDataObject): ListedRow;
	/** Returns the query that leaves out rows created before a moment, if the service has one. */
	since?(floor: number): IDataObject;
}

const HOUR = 60 * 60 * 1000;

const created = {
	sort: 'createdDate',
	row: (data: IDataObject) => listedRow(data, 'createdDate', data.id ?? undefined),
};

const EVENT_LISTS: Record<TriggerEvent, EventList> = {
	'feedback.created': {
		...created,
		path: '/api/v2/feedback',
		rowsKey: 'responses',
		// One second more: the contract does not say whether the moment itself is included.
		since: (floor) => (floor > 0 ? { startDate: Math.floor(floor / 1000) - 1 } : {}),
	},
	'customer.created': { ...created, path: '/api/v2/nps/customers', rowsKey: 'subscribers' },
	'company.created': { ...created, path: '/api/v2/companies', rowsKey: 'companies' },
	'survey.sent': {
		path: '/api/v2/nps/outbox',
		rowsKey: 'surveys',
		sort: 'surveyCreatedDate',
		// A survey may wait before it is sent. Records do not show when they were created.
		delay: 72 * HOUR,
		row: survey,
	},
};

/** Identifies a survey by its customer, campaign, and date: it has no ID, and its status changes. */
function survey(data: IDataObject): ListedRow {
	const { email, customerId, campaignId, surveyTemplateId, channel, sentDate } = data;
	const parts = [email, customerId, campaignId, surveyTemplateId, channel];
	const identity = parts.map((part) => part ?? null);
	const undated = listedRow(data, 'sentDate', identity);
	if (undated.created === undefined) return undated;
	return {
		...undated,
		key: rowKey(JSON.stringify([...identity, sentDate])),
		undatedKey: undated.key,
	};
}

/** Reads the pages of an event's list, as large as requested or as the service allows. */
export class EventListReader {
	private readonly list: EventList;
	private largest: number | undefined = Infinity;

	constructor(
		private readonly client: ApiClient,
		event: TriggerEvent,
	) {
		this.list = EVENT_LISTS[event];
	}

	/** Does work that reads pages, again with smaller pages if the service refuses their size. */
	async reading<Result>(work: () => Promise<Result>): Promise<Result> {
		const { largest } = this;
		try {
			return await work();
		} catch (error) {
			if (this.largest === largest) throw Failure.from(error);
			return await this.reading(work);
		}
	}

	readonly page = async ({ number, size, order, floor = 0 }: PageRequest): Promise<ListPage> => {
		const { rowsKey, path, sort, since, delay } = this.list;
		const limit = this.largest && Math.min(size, this.largest);
		const query = {
			...since?.(floor),
			sort: order === 'newest first' ? `-${sort}` : sort,
			...(limit ? this.client.service.pageQuery(number, limit) : { page: number }),
		};
		try {
			const { rows, total } = await fetchPage(this.client, get(path, query), rowsKey, number);
			return { rows: rows.map((row) => this.list.row(row)), total, delay };
		} catch (error) {
			const failure = Failure.from(error);
			const smaller = smallerSize(failure, limit, number);
			if (smaller !== null) this.largest = smaller;
			throw failure;
		}
	};
}
