import type { ListPage, PageRequest } from '../../../nodes/SurveyA/trigger/listPoll';
import { listedRow } from '../../../nodes/SurveyA/trigger/listedRow';
import type { ListedRow } from '../../../nodes/SurveyA/trigger/listedRow';

const SECOND = 1000;
/** Some hours ago, to the second: in a list that counts nothing, older rows are not taken for new. */
const START = Math.floor(Date.now() / SECOND) * SECOND - 20 * 60 * 60 * SECOND;

export interface ListRules {
	/** The largest page that is granted. */
	pageSize: number;
	/** Whether rows before a moment can be left out, to the second. */
	isDated: boolean;
	/** Whether the answer tells how many rows there are. */
	counts?: boolean;
	/** Whether the list is always newest first, whatever is asked for. */
	ignoresSort?: boolean;
	/** Where the list has its rows without a date; where the oldest are unless told. */
	undatedAt?: 'oldest' | 'newest';
}

/** A list of the service on which rows come and go, between the answers too. */
export class ChangingList {
	now = START;
	rows: ListedRow[] = [];
	/** The rows in order, as long as they stay the same. */
	private sorted?: { of: ListedRow[]; count: number; rows: ListedRow[] };
	requests = 0;
	/** What happens right after an answer. */
	afterRequest: () => void = () => {};
	private lastId = 0;

	constructor(private readonly rules: ListRules) {}

	/** Adds rows that were created so many seconds ago; all in the same moment. */
	add(count: number, secondsAgo = 0): void {
		this.addDated(count, new Date(this.now - secondsAgo * SECOND).toISOString());
	}

	/** Adds rows with this date, whatever it is. */
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

/** The ID of a row, as the test wrote it. */
export function idOf({ data: { id } }: ListedRow): string {
	return String(id);
}
