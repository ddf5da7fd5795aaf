import { ok, type Answer } from '../core/answer';
import type { Call } from '../core/routes';
import { backwards, sorted, type Scalar } from '../core/sorted';
import { invalid } from './refusals';
import type { WorldA } from './state';

export interface Page<Row> {
	rows: Row[];
	page: number;
	pages: number;
	limit: number;
	total: number;
	sort: string;
}

interface PageRules {
	limit: number;
	maxLimit: number;
	sort: string;
	/** True where the rows lie in the opposite order of that sort. */
	isReversed?: boolean;
}

/** The value a record is sorted by; a path such as `cxMetrics`, `NPS` leads into it. */
function valueAt(record: object, [key = '', ...rest]: string[]): Scalar {
	const value: unknown = Reflect.get(record, key);
	if (rest.length > 0) return typeof value === 'object' && value ? valueAt(value, rest) : undefined;
	return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

function sortedBy<Row extends object>(
	rows: Row[],
	sort: string,
	wanted: { from: number; to: number },
): Row[] {
	const path = sort.replace(/^-/, '').split('.');
	return sorted(rows, (row) => valueAt(row, path), sort.startsWith('-') ? 'down' : 'up', wanted);
}

function whole(text: string | null, fallback: number): number {
	const value = Number(text);
	return text !== null && Number.isInteger(value) && value >= 1 ? value : fallback;
}

/** The page of the rows that a call asks for. */
export function paginate<Row extends object>(rows: Row[], call: Call, rules: PageRules): Page<Row> {
	const sort = call.query.get('sort') ?? rules.sort;
	const isReversed = rules.isReversed && !call.query.has('sort');
	const page = whole(call.query.get('page'), 1);
	const limit = Math.min(whole(call.query.get('limit'), rules.limit), rules.maxLimit);
	const wanted = { from: (page - 1) * limit, to: page * limit };
	return {
		rows: isReversed ? backwards(rows, wanted) : sortedBy(rows, sort, wanted),
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

/** The records that were created between `startDate` and `endDate` of the call. */
export function inPeriod<Row extends { createdDate: string }>(rows: Row[], call: Call): Row[] {
	const start = unixSeconds(call, 'startDate');
	const end = unixSeconds(call, 'endDate');
	if (start === undefined && end === undefined) return rows;
	return rows.filter(({ createdDate }) => {
		const at = Date.parse(createdDate);
		return (start === undefined || at >= start) && (end === undefined || at <= end);
	});
}

/** The contract's envelope of a page, `pages` wherever the settings have it. */
export function pageAnswer(
	{ settings }: WorldA,
	{ pages, ...data }: { pages: number | string } & Record<string, unknown>,
): Answer {
	const inside = settings.pagesAt === 'data' ? { pages } : {};
	const beside = settings.pagesAt === 'top' ? { pages } : {};
	return ok({ message: 'OK', code: 200, data: { ...data, ...inside }, ...beside });
}
