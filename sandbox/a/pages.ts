import { ok, type ApiResponse } from '../core/apiResponse';
import type { Call } from '../core/routes';
import { sorted, type Scalar } from '../core/sorted';
import { invalid, refusal } from './refusals';
import type { SettingsA } from './settings';
import type { ContextA } from './state';

/** Returns the value at a path such as `cxMetrics`, `NPS`. */
function valueAt(record: object, [key = '', ...rest]: string[]): Scalar {
	const value: unknown = Reflect.get(record, key);
	if (rest.length > 0) return typeof value === 'object' && value ? valueAt(value, rest) : undefined;
	return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

/** Rows with the same date: in the order of their creation, the other way around, or in another one at each request. */
function beforeSorting<Row extends object>({ state, settings }: ContextA, rows: Row[]): Row[] {
	if (settings.equalDates === 'created') return rows;
	if (settings.equalDates === 'reversed') return [...rows].reverse();
	state.listsRead++;
	const start = state.listsRead % Math.max(1, rows.length);
	return [...rows.slice(start), ...rows.slice(0, start)];
}

function sortedBy<Row extends object>(rows: Row[], sort: string): Row[] {
	const key = sort.replace(/^-/, '');
	const path = (key === 'companyIndustry' ? 'industryName' : key).split('.');
	const valueOf = (row: Row) =>
		valueAt(row, path) ?? (key === 'surveyCreatedDate' ? valueAt(row, ['sentDate']) : undefined);
	return sorted(rows, valueOf, sort.startsWith('-') ? 'down' : 'up');
}

function whole(text: string | null, fallback: number): number {
	const value = Number(text);
	return text !== null && Number.isInteger(value) && value >= 1 ? value : fallback;
}

export interface Rules {
	/** The page size without `limit`. */
	limit?: number;
	maxLimit?: number;
	/** The sort without `sort`. */
	sort?: string;
	/** The contract names fields to sort by other than the one of the default. */
	sorts?: 'any';
	/** The list comes whole, whatever page is asked for. */
	isWhole?: boolean;
}

function sortOf({ settings }: ContextA, { query }: Call, rules: Rules): string {
	const { sort: usual = '-createdDate', sorts } = rules;
	const sort = query.get('sort') ?? usual;
	if (sorts === 'any' || sort.replace('-', '') === usual.replace('-', '')) return sort;
	if (settings.otherSorts === 400) throw invalid(`"sort" must be one of [${usual}]`);
	return settings.otherSorts === 'ignored' ? usual : sort;
}

/** Returns the page that a request asks for. */
export function paginate<Row extends object>(
	context: ContextA,
	call: Call,
	rows: Row[],
	rules: Rules = {},
) {
	const { settings } = context;
	const { limit: usual = 20, maxLimit = settings.maxLimit } = rules;
	const { isWhole = settings.ignoresLimit } = rules;
	const sort = sortOf(context, call, rules);
	const asked = whole(call.query.get('limit'), usual);
	if (asked > maxLimit && settings.overLimit === 400) {
		throw invalid(`"limit" must be less than or equal to ${maxLimit}`);
	}
	const limit = isWhole ? Math.max(1, rows.length) : Math.min(asked, maxLimit);
	const pages = Math.ceil(rows.length / limit) || settings.emptyPages;
	const page = isWhole ? 1 : pageNumber(settings, whole(call.query.get('page'), 1), pages);
	const inOrder = sortedBy(beforeSorting(context, rows), sort);
	return {
		rows: inOrder.slice((page - 1) * limit, page * limit),
		...{ page, pages, limit, sort },
		total: rows.length,
	};
}

function pageNumber({ pageAfterLast }: SettingsA, page: number, pages: number): number {
	if (page <= Math.max(1, pages) || pageAfterLast === 'empty') return page;
	if (pageAfterLast === 404) throw refusal(404, 'Page not found.');
	return Math.max(1, pages);
}

function unixSeconds(call: Call, name: string): number | undefined {
	const text = call.query.get(name);
	if (text === null || text === '') return undefined;
	const seconds = Number(text);
	if (Number.isNaN(seconds)) throw invalid(`"${name}" must be a UNIX timestamp`);
	return seconds * 1000;
}

/** Returns the records created from `startDate` to `endDate` of the request. */
export function inPeriod<Row extends { createdDate: string }>(
	{ settings }: ContextA,
	rows: Row[],
	call: Call,
): Row[] {
	const start = unixSeconds(call, 'startDate');
	const end = unixSeconds(call, 'endDate');
	if (start === undefined && end === undefined) return rows;
	const isIncluded = settings.periodBounds === 'included';
	return rows.filter(({ createdDate }) => {
		const at = Date.parse(createdDate);
		if (at === start || at === end) return isIncluded;
		return (start === undefined || at > start) && (end === undefined || at < end);
	});
}

const NEVER_NULL = ['id', 'email', 'createdDate', 'sentDate', 'customerId', 'campaignId', 'score'];

/** Returns the rows. Their optional scalars are null or missing if the settings say so. */
export function rowsFor<Row extends object>({ settings }: ContextA, rows: Row[]): object[] {
	if (settings.blanks === 'stored') return rows;
	const isOptional = (name: string, value: unknown) =>
		!NEVER_NULL.includes(name) && (typeof value !== 'object' || value === null);
	const blank = settings.blanks === 'null' ? null : undefined;
	const orBlank = ([name, value]: [string, unknown]) => [
		name,
		isOptional(name, value) ? blank : value,
	];
	return rows.map((row) => Object.fromEntries(Object.entries(row).map(orBlank)));
}

/** Returns the rows of an email. Throws a Refusal if nobody has it and the settings say that this is an error. */
export function rowsOf<Row extends { email: string }>(
	{ state, settings }: ContextA,
	rows: Row[],
	email: string | null,
): Row[] {
	if (!email) return rows;
	const found = rows.filter((row) => state.keyOf(row.email) === state.keyOf(email));
	if (found.length === 0 && settings.unknownEmail === 404)
		throw refusal(404, 'Customer not found.');
	return found;
}

interface PageData {
	pages?: number | string;
	total: number | string;
	[name: string]: unknown;
}

/** Returns the lists of a page in the form that the settings have for those without records. */
function withEmptyLists({ emptyLists }: SettingsA, lists: object): object {
	if (emptyLists === 'array') return lists;
	const empty = emptyLists === 'null' ? null : undefined;
	const isEmpty = (list: unknown) => Array.isArray(list) && list.length === 0;
	return Object.fromEntries(
		Object.entries(lists).map(([name, list]) => [name, isEmpty(list) ? empty : list]),
	);
}

/** Wraps a page in the contract's envelope. */
export function pageResponse({ settings }: ContextA, page: PageData): ApiResponse {
	const { pages, total, ...rest } = page;
	const data = { ...withEmptyLists(settings, rest), total };
	const body = { message: 'OK', code: 200, data };
	if (pages === undefined || settings.pagesAt === 'none') return ok(body);
	if (settings.pagesAt === 'top') return ok({ ...body, pages });
	return ok({ ...body, data: { ...data, pages } });
}
