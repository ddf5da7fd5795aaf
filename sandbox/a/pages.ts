import { ok, type ApiResponse } from '../core/apiResponse';
import type { Call } from '../core/routes';
import { sorted, type Scalar } from '../core/sorted';
import { invalid } from './refusals';
import type { ContextA } from './state';

/** Returns the value at a path such as `cxMetrics`, `NPS`. */
function valueAt(record: object, [key = '', ...rest]: string[]): Scalar {
	const value: unknown = Reflect.get(record, key);
	if (rest.length > 0) return typeof value === 'object' && value ? valueAt(value, rest) : undefined;
	return typeof value === 'string' || typeof value === 'number' ? value : undefined;
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

/** Returns the page that a request asks for, or all rows if the settings say that lists ignore `page` and `limit`. */
export function paginate<Row extends object>(
	{ settings }: ContextA,
	{ query }: Call,
	rows: Row[],
	rules: { limit?: number; maxLimit?: number; sort?: string } = {},
) {
	const { limit: usual = 20, maxLimit = settings.maxLimit, sort: order = '-createdDate' } = rules;
	const sort = query.get('sort') ?? order;
	const page = settings.ignoresLimit ? 1 : whole(query.get('page'), 1);
	const limit = settings.ignoresLimit
		? Math.max(1, rows.length)
		: Math.min(whole(query.get('limit'), usual), maxLimit);
	return {
		rows: sortedBy(rows, sort).slice((page - 1) * limit, page * limit),
		page,
		pages: Math.ceil(rows.length / limit),
		limit,
		total: rows.length,
		sort,
	};
}

function unixSeconds(call: Call, name: string): number | undefined {
	const text = call.query.get(name);
	if (text === null || text === '') return undefined;
	const seconds = Number(text);
	if (Number.isNaN(seconds)) throw invalid(`"${name}" must be a UNIX timestamp`);
	return seconds * 1000;
}

/** Returns the records created from `startDate` to `endDate` of the request. */
export function inPeriod<Row extends { createdDate: string }>(rows: Row[], call: Call): Row[] {
	const start = unixSeconds(call, 'startDate');
	const end = unixSeconds(call, 'endDate');
	if (start === undefined && end === undefined) return rows;
	return rows.filter(({ createdDate }) => {
		const at = Date.parse(createdDate);
		return (start === undefined || at >= start) && (end === undefined || at <= end);
	});
}

const NEVER_NULL = ['id', 'email', 'createdDate', 'sentDate', 'customerId', 'campaignId', 'score'];

/** Returns the rows, with null scalars if the settings ask for them. */
export function rowsFor<Row extends object>({ settings }: ContextA, rows: Row[]): object[] {
	if (!settings.nullScalars) return rows;
	const orNull = ([name, value]: [string, unknown]) => [
		name,
		NEVER_NULL.includes(name) || typeof value === 'object' ? value : null,
	];
	return rows.map((row) => Object.fromEntries(Object.entries(row).map(orNull)));
}

interface PageData {
	pages?: number | string;
	total: number | string;
	[name: string]: unknown;
}

/** Wraps a page in the contract's envelope. */
export function pageResponse({ settings }: ContextA, page: PageData): ApiResponse {
	const { pages, total, ...rest } = page;
	const data = { ...rest, total };
	const body = { message: 'OK', code: 200, data };
	if (pages === undefined || settings.pagesAt === 'none') return ok(body);
	if (settings.pagesAt === 'top') return ok({ ...body, pages });
	return ok({ ...body, data: { ...data, pages } });
}
