import type { ListPage, PageRequest } from '../../../nodes/SurveyA/trigger/listPoll';
import { listedRow } from '../../../nodes/SurveyA/trigger/listedRow';
import type { ListedRow } from '../../../nodes/SurveyA/trigger/listedRow';

const SECOND = 1000;
/** Some hours ago, to the second: in a list without a total, rows older than a day are not new. */
const START = Math.floor(Date.now() / SECOND) * SECOND - 20 * 60 * 60 * SECOND;

export interface ListRules {
	pageSize: number;
	/** True if old rows can be left out, to the second. */
	isDated: boolean;
	/** False if pages state no total. */
	counts?: boolean;
	/** True if the list is always newest first. */
	ignoresSort?: boolean;
	/** The end of the list that has the rows without a date; `oldest` by default. */
	undatedAt?: 'oldest' | 'newest';
}

/** A list of the service that may change after each response. */
export class ChangingList {
	now = START;
	rows: ListedRow[] = [];
	/** The sorted rows, cached. */
	private sorted?: { of: ListedRow[]; count: number; rows: ListedRow[] };
	requests = 0;
	/** Called after each response. */
	afterRequest: () => void = () => {};
	private lastId = 0;

	constructor(private readonly rules: ListRules) {}

	add(count: number, secondsAgo = 0): void {
		this.addDated(count, new Date(this.now - secondsAgo * SECOND).toISOString());
	}

	/** Adds rows with any text as their date. */
	addDated(count: number, createdDate?: string): void {
		for (let i = 0; i < count; i++) {
			const id = `row${++this.lastId}`;
			this.rows.push(listedRow({ id, createdDate }, 'createdDate', id));
		}
	}

	remove(place: number): void {
		const gone = place % this.rows.length;
		this.rows = this.rows.filter((_, i) => i !== gone);
	}

	pass(seconds: number): void {
		this.now += seconds * SECOND;
	}

	read = async ({ number, size, order, floor = 0 }: PageRequest): Promise<ListPage> => {
		this.requests++;
		const { pageSize, isDated, counts = true, ignoresSort } = this.rules;
		const from = isDated ? Math.floor(floor / SECOND) * SECOND : 0;
		const listed = this.sortedRows().filter(({ created = 0 }) => created >= from);
		const length = Math.min(size, pageSize);
		if (ignoresSort || order === 'newest first') listed.reverse();
		const rows = listed.slice((number - 1) * length, number * length);
		const total = counts ? listed.length : undefined;
		await Promise.resolve();
		this.afterRequest();
		return { rows, total };
	};

	private sortedRows(): ListedRow[] {
		const { rows, sorted } = this;
		if (sorted?.of === rows && sorted.count === rows.length) return sorted.rows;
		const undatedRank = this.rules.undatedAt === 'newest' ? Infinity : -Infinity;
		const rankOf = ({ created = undatedRank }: ListedRow) => created;
		const sortedRows = [...rows].sort(
			(one, other) => rankOf(one) - rankOf(other) || (idOf(one) < idOf(other) ? -1 : 1),
		);
		this.sorted = { of: rows, count: rows.length, rows: sortedRows };
		return sortedRows;
	}
}

export function idOf({ data: { id } }: ListedRow): string {
	return String(id);
}
