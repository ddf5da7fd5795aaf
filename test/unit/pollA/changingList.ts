import type { ListPage, PageRequest } from '../../../nodes/SurveyA/trigger/backlog';
import { toListedRow } from '../../../nodes/SurveyA/trigger/watermark';
import type { ListedRow } from '../../../nodes/SurveyA/trigger/watermark';

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
}

/** A list of the service on which rows come and go, between the answers too. */
export class ChangingList {
	now = START;
	rows: ListedRow[] = [];
	/** Rows without a date, which the list has behind the oldest one. */
	undated = 0;
	requests = 0;
	/** What happens right after an answer. */
	afterRequest: () => void = () => {};
	private lastId = 0;

	constructor(private readonly rules: ListRules) {}

	/** Adds rows that were created so many seconds ago; all in the same moment. */
	add(count: number, secondsAgo = 0): void {
		const createdDate = new Date(this.now - secondsAgo * SECOND).toISOString();
		for (let i = 0; i < count; i++) {
			const row = toListedRow({ id: `row${++this.lastId}`, createdDate });
			if (row) this.rows.push(row);
		}
	}

	remove(place: number): void {
		if (this.rows.length > 0) this.rows.splice(place % this.rows.length, 1);
	}

	pass(seconds: number): void {
		this.now += seconds * SECOND;
	}

	read = async ({ number, size, order, floor = 0 }: PageRequest): Promise<ListPage> => {
		this.requests++;
		const { pageSize, isDated, counts = true, ignoresSort } = this.rules;
		const from = isDated ? Math.floor(floor / SECOND) * SECOND : 0;
		const listed = this.rows
			.filter(({ created }) => created >= from)
			.sort((one, other) => one.created - other.created || (one.id < other.id ? -1 : 1));
		const length = Math.min(size, pageSize);
		const undated = new Array<undefined>(this.undated).fill(undefined);
		const isNewestFirst = ignoresSort || order === 'newest first';
		const all = isNewestFirst ? [...listed.reverse(), ...undated] : [...undated, ...listed];
		const onPage = all.slice((number - 1) * length, number * length);
		const rows = onPage.filter((row) => row !== undefined);
		const total = counts ? all.length : undefined;
		await Promise.resolve();
		this.afterRequest();
		return { rows, count: onPage.length, total };
	};
}
