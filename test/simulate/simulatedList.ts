import { randomFrom } from '../support/random.mts';

// A service with one list that changes between any two requests. It knows the contract and nothing of a reader.

interface Row {
	id: string;
	createdDate: string;
	name: string;
	note: number;
}

interface Response {
	status: number;
	body: { code: number; message?: string; data?: { responses: Row[]; [name: string]: unknown } };
}

const ORDERS = ['newest first', 'oldest first', 'by name'] as const;
const LIMITS = ['obeyed', 'capped', 'refused', 'ignored'] as const;
const TOTALS = [
	...(['true', 'true', 'true', 'true', 'missing', 'stale', 'cached', 'contradicted'] as const),
	...(['one high', 'one low'] as const),
] as const;
const ENDS = ['404', 'empty page', 'last page again'] as const;
/** `pages` as the contract shows it, one too high where the last page is full, or absent. */
const PAGES = ['right', 'right', 'one high if full', 'missing'] as const;
/** `limit` as it is granted, as it was asked for, or absent. */
const LIMITS_STATED = ['granted', 'granted', 'asked for', 'missing'] as const;
/** What is special about some lists: a cache holds the first page, far pages are refused, or some records equal others. */
const ODDITIES = [
	...(['none', 'none', 'none', 'none', 'none', 'none'] as const),
	...(['cached start', 'refuses far pages', 'twins'] as const),
] as const;

/** The probability of each change between two moments. */
interface Rates {
	add: number;
	addLate: number;
	remove: number;
	removeMany: number;
	edit: number;
	move: number;
	/** A whole page is added at once, as an import writes it, or removed. */
	addPage: number;
	removePage: number;
}

/** Requests that may be under way at the same time: nobody can tell in which order the service saw them. */
const TOGETHER = 16;

const QUIET: Rates = {
	add: 0,
	addLate: 0,
	remove: 0,
	removeMany: 0,
	edit: 0,
	move: 0,
	addPage: 0,
	removePage: 0,
};

export class SimulatedList {
	readonly order;
	readonly limits;
	readonly totals;
	/** The rows that were there at the start and are there still. */
	readonly lasting: Set<string>;
	requests = 0;
	/** True once a row was removed and another one added, or moved, within the responses of requests that may be under way together. */
	hasHiddenChange = false;
	hasChanged = false;
	/** True if a cache hides records that are there. */
	hasStaleStart = false;
	/** True once a far page was refused, which a reader asks for where a count says that it exists, or none says the opposite. */
	private hasRefused = false;
	/** The total of the first response. */
	firstCount?: number;
	/** True once a response stated another total than the list had. */
	hasMiscounted = false;
	private readonly hadTwin = new Set<string>();
	private rows: Row[] = [];
	private readonly random: () => number;
	readonly oddity;
	private readonly end;
	private readonly pages;
	readonly limitStated;
	private readonly cap: number;
	private readonly refusedOver: number;
	/** The response to the first page that a cache holds. */
	private cachedStart?: Response;
	/** The records that can be read. */
	private readonly reach: number;
	private readonly rates: Rates;
	/** The probability that a page comes empty, or as a 404, although the list has it. */
	private readonly sick: number;
	/** How many rows have one date. Where it is above one, the order of equal dates differs between requests. */
	readonly ties: number;
	private cachedTotal = 0;
	/** The pages that an import has still to write. */
	private importLeft = 30;
	private readonly totalsBefore: number[] = [];
	private readonly moments: Array<{ added: number; removed: number }> = [];
	private next = 0;
	private time = Date.UTC(2027, 0, 1);
	private added = 0;
	private removed = 0;

	constructor(seed: number) {
		this.random = randomFrom(seed * 7919 + 17);
		for (let i = 0; i < 5; i++) this.random();
		this.order = this.pick(ORDERS);
		this.limits = this.pick(LIMITS);
		this.totals = this.pick(TOTALS);
		this.end = this.pick(ENDS);
		this.pages = this.pick(PAGES);
		this.limitStated = this.pick(LIMITS_STATED);
		this.oddity = this.pick(ODDITIES);
		this.cap = 2 + this.below(12);
		this.refusedOver = this.cap * 8;
		this.reach =
			this.oddity === 'refuses far pages' && this.limits !== 'ignored' ? this.cap * 6 : Infinity;
		this.rates = this.pickRates();
		// A page that comes again in another order is an end that nobody can see.
		const repeats = this.limits === 'ignored' || this.end === 'last page again';
		const hasTies = this.below(5) === 0 && !repeats;
		this.ties = hasTies ? 2 + this.below(4 * this.cap) : 1;
		// Without a true total, an empty page is the end.
		this.sick = this.totals !== 'true' || this.below(4) > 0 ? 0 : this.random() * 0.3;
		const count = this.below(this.cap * 12);
		for (let i = 0; i < count; i++) this.add(0);
		if (this.oddity === 'twins') this.addTwins();
		this.lasting = new Set(this.rows.map(({ id }) => id));
		// A page that has all that the total counts, and less than was asked for, is the whole list for any reader.
		const least = this.cap * 4 + 1;
		this.cachedTotal = count > least ? Math.max(least, count - this.below(this.cap * 2)) : count;
		this.cacheStart();
		this.firstCount = this.cachedStart && this.firstCount;
		Object.assign(this, { hasHiddenChange: false, hasChanged: false, added: 0, removed: 0 });
	}

	/** Keeps the first page as it was some records ago. Those that it hides may be missing, as if they came later. */
	private cacheStart(): void {
		if (this.oddity !== 'cached start') return;
		const limit = this.cap;
		this.cachedStart = this.pageResponse(1, limit);
		for (let i = 1 + this.below(this.cap); i > 0; i--) this.add(0);
		this.hasStaleStart = true;
	}

	/** Adds records that equal others, as surveys without an ID may. */
	private addTwins(): void {
		for (let i = 1 + this.below(4); i > 0; i--) {
			const at = this.below(this.rows.length);
			const row = this.rows[at];
			if (row) this.rows.splice(at, 0, { ...row });
			if (row) this.hadTwin.add(row.id);
		}
	}

	/** Returns whether records came twice that are there once, or equal ones once of a list that counts them and stays as it is. */
	hasWrongCopies(ids: string[]): boolean {
		const count = (all: string[], id: string) => all.filter((one) => one === id).length;
		const there = this.rows.map(({ id }) => id);
		const twins = there.filter((id, i) => there.indexOf(id) < i);
		const isTwice = ids.some((id, i) => ids.indexOf(id) < i && !this.hadTwin.has(id));
		const isCounted = this.isEven && this.totals === 'true' && ids.length > 0;
		return isTwice || (isCounted && twins.some((id) => count(ids, id) !== count(there, id)));
	}

	private pickRates(): Rates {
		const kind = this.below(8);
		const rate = this.random() * this.random() * 0.3;
		if (kind === 0) return QUIET;
		if (kind === 1) return { ...QUIET, add: rate };
		if (kind === 2) return { ...QUIET, addLate: rate };
		if (kind === 3) return { ...QUIET, remove: rate, removeMany: rate / 10 };
		if (kind === 4) return { ...QUIET, addPage: rate };
		if (kind === 5) return { ...QUIET, addPage: rate / 2, removePage: rate / 4 };
		const mixed = { ...QUIET, add: rate, addLate: rate / 4, remove: rate / 3, edit: rate };
		return kind === 6 ? mixed : { ...mixed, move: rate / 4 };
	}

	/** True if nothing excuses an error: the list is even, and no two records of it are equal. */
	get isCalm(): boolean {
		return this.isEven && this.oddity !== 'twins';
	}

	/** True if the list has not changed so far, and each page came in the same order. */
	private get isEven(): boolean {
		const isOrdered = this.sick === 0 && this.ties === 1 && this.totals !== 'contradicted';
		const isWhole = !this.hasStaleStart && this.rows.length <= this.reach;
		return !this.hasChanged && isOrdered && isWhole && !this.isFarOff && !this.hasRefused;
	}

	/** True if more records are counted than there are, or so many less that the list seems to change. */
	private get isFarOff(): boolean {
		const isCached = this.totals === 'cached' && this.cachedTotal !== this.rows.length;
		return isCached || this.totals === 'one high';
	}

	/** True if each response states the true total, no page is missing, and all pages are of one size. */
	get isCountedTruly(): boolean {
		const isWhole = !this.hasStaleStart && this.rows.length <= this.reach;
		return this.totals === 'true' && this.sick === 0 && isWhole && this.ties === 1;
	}

	/** Waits as long as a request or its response may be under way, while the list changes. */
	async travel(): Promise<void> {
		for (let moments = this.below(6); moments > 0; moments--) {
			await Promise.resolve();
			this.change();
		}
	}

	/** Responds to a request, from the list as it is at this moment. */
	respond({ page, limit }: { page: number; limit?: number }): Response {
		this.requests++;
		this.closeMoment();
		if (this.limits === 'refused' && (limit ?? 0) > this.refusedOver) {
			return { status: 400, body: { code: 400, message: 'Validation failed' } };
		}
		if (page === 1 && this.cachedStart) return this.cachedStart;
		return this.pageResponse(page, limit);
	}

	private pageResponse(page: number, limit: number | undefined): Response {
		const size = this.sizeOf(limit);
		if ((page - 1) * size >= this.reach) {
			this.hasRefused = true;
			return { status: 400, body: { code: 400, message: 'Result window is too large' } };
		}
		const rows = this.isSick() ? this.missingPage() : this.pageOf(page, size);
		if (rows === undefined) return { status: 404, body: { code: 404, message: 'Not found' } };
		const total = this.total();
		const stated = { total, pages: this.statedPages(size), limit: this.statedLimit(size, limit) };
		return { status: 200, body: { code: 200, data: { responses: rows, page, ...stated } } };
	}

	/** Returns how many rows a page has. */
	private sizeOf(limit: number | undefined): number {
		if (this.limits === 'ignored') return Math.max(1, this.rows.length);
		const most = this.limits === 'obeyed' ? this.cap * 4 : this.cap;
		return Math.min(limit ?? this.cap, most);
	}

	private statedPages(size: number): number | undefined {
		if (this.pages === 'missing') return undefined;
		const pages = Math.ceil(this.rows.length / size);
		return this.pages === 'right' ? pages : Math.floor(this.rows.length / size) + 1;
	}

	private statedLimit(size: number, limit: number | undefined): number | undefined {
		if (this.limitStated === 'missing') return undefined;
		return this.limitStated === 'granted' ? size : (limit ?? size);
	}

	private isSick(): boolean {
		return this.random() < this.sick;
	}

	private missingPage(): Row[] | undefined {
		return this.below(2) === 0 ? undefined : [];
	}

	private pageOf(page: number, size: number): Row[] | undefined {
		if (this.limits === 'ignored') return this.copies(0, Infinity);
		const from = (page - 1) * size;
		if (page === 1 || from < this.rows.length) return this.copies(from, from + size);
		if (this.end === '404') return undefined;
		if (this.end === 'empty page') return [];
		const last = Math.max(0, Math.ceil(this.rows.length / size) - 1) * size;
		return this.copies(last, last + size);
	}

	private copies(from: number, to: number): Row[] {
		return this.inSomeOrder()
			.slice(from, to)
			.map((row) => ({ ...row }));
	}

	/** Returns the rows, those of one date in any order. */
	private inSomeOrder(): Row[] {
		if (this.ties === 1 || this.order === 'by name') return this.rows;
		const places = this.rows.map((row) => ({ row, place: this.random() }));
		const sign = this.order === 'newest first' ? -1 : 1;
		places.sort(({ row, place }, other) => {
			if (row.createdDate === other.row.createdDate) return place - other.place;
			return row.createdDate < other.row.createdDate ? -sign : sign;
		});
		return places.map(({ row }) => row);
	}

	private total(): number | undefined {
		const { length } = this.rows;
		this.totalsBefore.push(length);
		const total = this.statedTotal(length);
		this.firstCount ??= total;
		this.hasMiscounted ||= total !== length;
		return total;
	}

	private statedTotal(length: number): number | undefined {
		if (this.totals === 'missing') return undefined;
		if (this.totals === 'one high') return length + 1;
		if (this.totals === 'one low') return Math.max(0, length - 1);
		if (this.totals === 'cached') return this.cachedTotal;
		if (this.totals === 'stale') return this.totalsBefore.at(-4) ?? this.totalsBefore[0];
		return this.totals === 'true' ? length : Math.max(0, length + this.below(5) - 2);
	}

	private change(): void {
		const { add, addLate, remove, removeMany, edit, move, addPage, removePage } = this.rates;
		if (this.random() < add) this.add(0);
		if (this.random() < addLate) this.add(this.below(1_000_000));
		if (this.random() < remove) this.remove(1);
		if (this.random() < removeMany) this.remove(this.below(this.cap * 4));
		if (this.random() < addPage && this.importLeft-- > 0) {
			for (let i = 0; i < this.cap; i++) this.add(0);
		}
		if (this.random() < removePage) this.remove(this.cap);
		if (this.random() < edit) this.edit();
		if (this.random() < move) this.move();
	}

	private add(age: number): void {
		const id = `id${String(this.next++).padStart(5, '0')}`;
		if (this.next % this.ties === 0) this.time += 1000;
		const createdDate = new Date(this.time - age * 100).toISOString();
		this.place({ id, createdDate, name: this.anyName(), note: 0 });
		this.noteChange(1, 0);
	}

	/** Deletes neighboring rows, as a user does with those of a campaign that was a test. */
	private remove(count: number): void {
		const gone = this.rows.splice(this.below(this.rows.length), count);
		for (const { id } of gone) this.lasting.delete(id);
		this.noteChange(0, gone.length);
	}

	private edit(): void {
		const row = this.rows[this.below(this.rows.length)];
		if (row) row.note++;
	}

	/** Gives a row another place: only a list that is sorted by something that changes has such rows. */
	private move(): void {
		if (this.order !== 'by name') return;
		const [row] = this.rows.splice(this.below(this.rows.length), 1);
		if (row) this.place({ ...row, name: this.anyName() });
		this.noteChange(1, 1);
	}

	private noteChange(added: number, removed: number): void {
		this.hasChanged = true;
		this.added += added;
		this.removed += removed;
	}

	/** Ends the time between two responses. */
	private closeMoment(): void {
		this.moments.push({ added: this.added, removed: this.removed });
		const recent = this.moments.slice(-TOGETHER);
		const hasAdded = recent.some(({ added }) => added > 0);
		this.hasHiddenChange ||= hasAdded && recent.some(({ removed }) => removed > 0);
		this.added = 0;
		this.removed = 0;
	}

	private place(row: Row): void {
		const key = ({ createdDate, name }: Row) => (this.order === 'by name' ? name : createdDate);
		const isAfter = (one: Row) =>
			this.order === 'newest first' ? key(one) < key(row) : key(one) > key(row);
		const index = this.rows.findIndex(isAfter);
		this.rows.splice(index < 0 ? this.rows.length : index, 0, row);
	}

	private anyName(): string {
		return String(this.below(1e9)).padStart(9, '0');
	}

	private below(end: number): number {
		return Math.floor(this.random() * end);
	}

	private pick<Value>(values: readonly [Value, ...Value[]]): Value {
		return values[this.below(values.length)] ?? values[0];
	}
}
