import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../../shared/http/client';
import { Failure } from '../../shared/http/failure';
import { get } from '../../shared/http/request';
import type { Page } from '../../shared/http/service';
import { fetchPage } from '../../shared/pagination/pages';
import type { PageRequest, ReadPage } from './backlog';
import type { TriggerEvent } from './items';
import { listedRow } from './listedRow';

/** The list in which an event's rows appear. */
interface EventList {
	path: string;
	/** The name of the array that holds the rows in the answer. */
	rowsKey: string;
	/** What the list is sorted by. */
	sort: string;
	/** The field that tells when a row came into the list. */
	date: string;
	/** What tells a row from the others. */
	identity(row: IDataObject): unknown;
	/** The query that leaves out rows created before a moment, where the service has one. */
	since?(floor: number): IDataObject;
}

const created = {
	sort: 'createdDate',
	date: 'createdDate',
	identity: ({ id }: IDataObject) => id ?? undefined,
};

const EVENT_LISTS: Record<TriggerEvent, EventList> = {
	'feedback.created': {
		...created,
		path: '/api/v2/feedback',
		rowsKey: 'responses',
		// A second more: whether the service counts the very moment in is not known.
		since: (floor) => (floor > 0 ? { startDate: Math.floor(floor / 1000) - 1 } : {}),
	},
	'customer.created': { ...created, path: '/api/v2/nps/customers', rowsKey: 'subscribers' },
	'company.created': { ...created, path: '/api/v2/companies', rowsKey: 'companies' },
	'survey.sent': {
		path: '/api/v2/nps/outbox',
		rowsKey: 'surveys',
		sort: 'surveyCreatedDate',
		date: 'sentDate',
		// A survey has no ID, and its status changes: it is who got what, when.
		identity: ({ email, customerId, campaignId, surveyTemplateId, channel, sentDate }) =>
			[email, customerId, campaignId, surveyTemplateId, channel, sentDate].map(
				(part) => part ?? null,
			),
	},
};

/** Gives what reads pages of an event's list. */
export function eventPageReader(client: ApiClient, event: TriggerEvent): ReadPage {
	const { path, rowsKey, sort, date, identity, since } = EVENT_LISTS[event];
	const fetch = sizedFetcher(client, path, rowsKey);
	return async ({ number, size, order, floor = 0 }) => {
		const direction = order === 'newest first' ? '-' : '';
		const query = { ...since?.(floor), sort: direction + sort };
		const page = await fetch(query, { number, size });
		const rows = page.rows.map((row) => listedRow(row, date, identity(row)));
		return { rows, total: page.total };
	};
}

type FetchPage = (query: IDataObject, page: Pick<PageRequest, 'number' | 'size'>) => Promise<Page>;

/** Page sizes to ask for after another where the service refuses one; at last its own. */
const SMALLER_PAGE = 100;

/** Fetches pages as large as wanted, or as the service takes them: the first page finds out. */
function sizedFetcher(client: ApiClient, path: string, rowsKey: string): FetchPage {
	let largest: number | undefined = Infinity;
	return async function fetch(query, { number, size }): Promise<Page> {
		const limit = largest && Math.min(size, largest);
		const paged = limit ? client.service.pageQuery(number, limit) : { page: number };
		try {
			return await fetchPage(client, get(path, { ...query, ...paged }), rowsKey, number);
		} catch (error) {
			const failure = Failure.from(error);
			const isSizeRefused = failure.details.status === 400 && number === 1 && limit;
			if (!isSizeRefused) throw failure;
			largest = limit > SMALLER_PAGE ? SMALLER_PAGE : undefined;
			return await fetch(query, { number, size });
		}
	};
}
