import type { FieldType, IDataObject, ResourceMapperField } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import { isBlank, quote } from '../base/text';
import { isIsoDate, isDateObject } from './dates';
import { contextIn } from './field';
import type { ReadContext, ReadRecords } from './field';
import { LEFT_OUT } from './leftOut';
import type { LeftOutReason } from './leftOut';
import { readText } from './values';

/** A column that can be mapped. */
export interface Column {
	/** Stable and readable: `email`, `property:Renewal Date`. */
	id: string;
	displayName: string;
	/** Absent if the values decide. */
	type?: FieldType;
	required?: boolean;
	options?: ResourceMapperField['options'];
	/** Other names under which input items have this column. */
	aliases?: string[];
	/** True if the service gave only its name, and not the label by which it is written. */
	isUnlabeled?: boolean;
	/** True if nobody has added it in the editor, which stores null as its value. */
	isRemoved?: boolean;
	/** True if it only decides whether the item is sent: the request has no field for it. */
	isNotSent?: boolean;
}

/** Returns all names of a column. */
export function namesOf({ id, displayName, aliases = [] }: Column): string[] {
	return [id, displayName, ...aliases];
}

/** One value of an item. */
export interface Cell {
	/** The ID of its column. */
	id: string;
	/** The name of the column in error messages. */
	label: string;
	value: unknown;
	/** The type that a record of the service has for it, or that the run has decided. */
	type?: FieldType;
	/** Set if it is no column of the item, but stands in an option or inside the service's own record. */
	source?: 'option' | 'record';
}

/** Of two cells for one column, the one from the higher source counts. */
function rankOf({ source }: Cell): number {
	return ['record', 'option', undefined].indexOf(source);
}

/** How a service takes columns that it has no field for. */
export interface Extra {
	/** Returns the ID of an input column: `property:Plan` for `Plan`. */
	idOf(name: string): string;
	/** The prefixes of such IDs, by the option that takes further columns as a JSON object. */
	prefixes: Record<string, string>;
	/** Reads a value that states its type, in a JSON option. */
	typed?(value: unknown): Pick<Cell, 'value' | 'type'> | undefined;
	/** Returns whether the service has a number for a value. */
	isNumber(value: unknown): boolean;
	/** The service's names of types in hints, where they differ. */
	typeNames: Partial<Record<FieldType, string>>;
	/** Reads the columns that the account has beyond the fixed ones. */
	read(readRecords: ReadRecords): Promise<Column[]>;
	/** True if the account knows them by further names. The editor keeps none of these in the node. */
	hasAliases?: boolean;
}

/** The columns that a service takes. */
export interface ItemShape {
	/** The columns that every account has. The first one is the email. */
	fixed: Column[];
	/** How other columns are sent. Absent when the endpoint takes no others. */
	extra?: Extra;
	/** Returns whether an input column is never sent, such as those that the service itself writes in a record. */
	isLeftOut(name: string, item: IDataObject): boolean;
	/** Returns the cells inside a column of the service's own record, such as a list of properties. */
	expand?(name: string, item: IDataObject): Cell[] | undefined;
}

/** Returns the form in which column names are compared: `First Name` and `first_name` are equal. */
export function columnKey(name: string): string {
	return name.toLowerCase().replace(/[\s_-]/g, '');
}

/** Returns the form in which IDs are compared. */
function idKey(id: string): string {
	return prefixOf(id) + columnKey(nameInId(id));
}

function prefixOf(id: string): string {
	return id.slice(0, id.indexOf(':') + 1);
}

/** Returns the service's name of a column that no field takes. */
export function nameInId(id: string): string {
	return id.slice(id.indexOf(':') + 1);
}

/** Returns whether a text is the ID of a column that no field takes. */
export function isExtra(id: string, extra: Extra | undefined): boolean {
	return Object.values(extra?.prefixes ?? {}).some((prefix) => id.startsWith(prefix));
}

type Test = (value: unknown) => boolean;

const UTC = contextIn();

/** Returns the type of a single value. */
export function typeOf(value: unknown, isNumber: Test): FieldType {
	if (typeof value === 'boolean') return 'boolean';
	if (isNumber(value)) return 'number';
	if (Array.isArray(value)) return 'array';
	if (isIsoDate(value, UTC)) return 'dateTime';
	return isObject(value) ? 'object' : 'string';
}

/**
 * Returns the type of a column with one more value: text, unless all its values say otherwise.
 *
 * @param found the type of the values before
 * @param stated the type that the service states for the value
 */
export function commonType(
	found: FieldType | undefined,
	value: unknown,
	isNumber: Test,
	stated?: FieldType,
): FieldType | undefined {
	// Once one value is text, the others no longer count.
	if (found === 'string' || isBlank(value)) return found;
	const type = stated ?? typeOf(value, isNumber);
	// promise: one-type
	return found === undefined || found === type ? type : 'string';
}

/** A column that no field takes, as one run sends it. */
interface RunColumn {
	id: string;
	/** Its type, if the mapper shows it or the run has a value for it. */
	type?: FieldType;
	/** True if the account has none, as far as it is known. */
	isNew: boolean;
	/** True if the mapper shows it. */
	isShown: boolean;
	/** Set if its name could mean several columns. */
	failure?: Failure;
}

/** The columns of one run beyond those that every account has. */
export class RunColumns {
	private readonly byId = new Map<string, RunColumn>();
	private readonly byKey = new Map<string, Set<RunColumn>>();
	/** Columns without a label, by their key: an item's own spelling of the name goes out. */
	private readonly unlabeled = new Map<string, Pick<RunColumn, 'type' | 'isShown'>>();

	/**
	 * @param shown those that the mapper shows, in their types
	 * @param account those of the account, if it was read. The mapper shows all of them if it has never been opened
	 */
	constructor(
		shown: Column[] = [],
		account: Column[] = [],
		private readonly isNumber: Test = Number.isSafeInteger,
	) {
		this.addKnown(shown, true);
		this.addKnown(account, shown.length === 0);
	}

	/** The IDs of the known columns. */
	get known(): string[] {
		return [...this.byId].flatMap(([id, column]) => (column.isNew || column.id !== id ? [] : [id]));
	}

	private addKnown(columns: Column[], isShown: boolean): void {
		for (const { id, type, aliases = [], isUnlabeled } of columns) {
			if (isUnlabeled) {
				this.unlabeled.set(idKey(id), { type, isShown });
				continue;
			}
			const column = this.byId.get(id) ?? { id, type, isNew: false, isShown };
			this.put(column, [id, ...aliases.map((alias) => prefixOf(id) + alias)]);
		}
	}

	/** Returns the column of an ID, in any of its forms. */
	of(id: string): RunColumn {
		const known = this.byId.get(id) ?? this.byOtherForm(id);
		this.byId.set(id, known);
		return known;
	}

	/** Takes a value of the run into account for the type of its column. */
	add({ id, value, type }: Pick<Cell, 'id' | 'value' | 'type'>): void {
		const column = this.of(id);
		if (column.isNew) column.type = commonType(column.type, value, this.isNumber, type);
	}

	private put(column: RunColumn, ids: string[]): RunColumn {
		this.byId.set(column.id, column);
		for (const key of ids.map(idKey)) {
			this.byKey.set(key, (this.byKey.get(key) ?? new Set()).add(column));
		}
		return column;
	}

	private byOtherForm(id: string): RunColumn {
		const found = [...(this.byKey.get(idKey(id)) ?? [])];
		const [column] = found;
		if (column === undefined) {
			const known = this.unlabeled.get(idKey(id));
			return this.put({ id, isNew: known === undefined, isShown: false, ...known }, [id]);
		}
		if (found.length === 1) return column;
		const names = found.map((one) => `'${nameInId(one.id)}'`).join(' or ');
		const hint = 'Rename the column to the one that is meant';
		const failure = Failure.value(`could be ${names}`, hint);
		return { ...column, failure };
	}
}

type LabeledValue = Pick<Cell, 'label' | 'value'>;

/** Returns whether no single field can hold a value: objects, and arrays with objects in them. @internal */
export function isNested(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (!Array.isArray(value)) return !isDateObject(value);
	return value.some((entry) => typeof entry === 'object' && entry !== null);
}

/** The cells of one item, and the failures of any of them. */
export class MappedItem {
	private readonly cells = new Map<string, Cell>();

	/**
	 * @param columns those of the run that no field takes; empty if the endpoint takes no such columns
	 * @param typeNames the service's names of types in hints
	 * @param clears true if empty cells clear their columns
	 * @param isAutomatic true if nobody mapped its columns by hand, with expressions that could be changed
	 */
	constructor(
		readonly context: ReadContext,
		private readonly service: string,
		readonly columns: RunColumns,
		private readonly typeNames: Partial<Record<FieldType, string>> = {},
		private readonly clears: boolean,
		private readonly isAutomatic: boolean,
	) {}

	/** Adds a cell. Two columns with different values for one field fail the item. */
	add(cell: Cell): void {
		const other = this.cells.get(cell.id);
		if (other === undefined || this.saysNothing(other)) this.cells.set(cell.id, cell);
		else if (this.saysNothing(cell)) return;
		else if (rankOf(cell) > rankOf(other)) this.cells.set(cell.id, cell);
		else if (rankOf(cell) === rankOf(other) && !isSame(cell.value, other.value)) {
			this.failCell(cell, differs(other));
		}
	}

	private saysNothing(cell: Cell): boolean {
		return isBlank(cell.value) && !this.isCleared(cell);
	}

	/** Adds a cell of a column that every account has. */
	addField({ id, isNotSent }: Column, cell: LabeledValue): void {
		this.add({ id, ...cell });
		if (isNotSent) this.leaveOut('optOut', cell);
	}

	/** Adds the email, which each item must have. @param name its name in messages */
	addEmail({ label, value }: LabeledValue, name: string): void {
		this.add({ id: 'email', label, value });
		const hint = this.isAutomatic ? 'Fill it in, or remove the row' : undefined;
		if (isBlank(value)) this.fail(name, value, Failure.value('is missing', hint));
	}

	/** Adds a cell of a column that no field takes, in the type that the run decided. A hint names new columns. */
	addExtra({ id: written, label, value, source }: Cell): void {
		const { id, type = 'string', isNew, failure } = this.columns.of(written);
		if (failure) return this.failCell({ label, value }, failure);
		this.add({ id, label, value, type, source });
		if (!isNew || isBlank(value)) return;
		const name = `${nameInId(id)} (${this.typeNames[type] ?? type})`;
		this.context.warn(`New in ${this.service}`, name);
	}

	/** Names a column in the hint about those that were not sent. */
	leaveOut(reason: LeftOutReason, { label, value }: LabeledValue): void {
		if (!isBlank(value)) this.context.warn(LEFT_OUT[reason].hint(this.service), label);
	}

	/** Adds a failure. @param name the name of what cannot be used */
	fail(name: string, value: unknown, thrown: unknown): void {
		this.context.failures.push(Failure.at(name, value, thrown));
	}

	/** Adds the failure of a cell, which then has no value. */
	failCell({ label, value }: LabeledValue, thrown: unknown): undefined {
		const isPlain = thrown instanceof Failure && thrown.kind === 'value';
		const failure = isPlain && this.isAutomatic && !isBlank(value) ? withWays(thrown) : thrown;
		this.fail(`Column '${label}'`, value, failure);
		return undefined;
	}

	/** Reads a column that the service has a field for; undefined when it is empty, absent, or not readable. */
	fixed<Value>(id: string, read: (value: unknown) => Value): Value | undefined {
		const cell = this.cells.get(id);
		if (cell === undefined || isBlank(cell.value)) return undefined;
		try {
			return read(cell.value);
		} catch (error) {
			return this.failCell(cell, error);
		}
	}

	/** Reads a text column, which an empty value may clear. */
	text(id: string): string | undefined {
		return this.isCleared(this.cells.get(id)) ? '' : this.fixed(id, readText);
	}

	/**
	 * Reads a column of several entries, which an empty value may clear.
	 *
	 * @param clearedBy `list` if a blank text does not clear it
	 */
	list<Entry>(
		id: string,
		read: (value: unknown) => Entry[] | undefined,
		clearedBy: 'blank' | 'list' = 'blank',
	): Entry[] | undefined {
		const found = this.cells.get(id);
		const cell: Cell | undefined = found && { ...found, type: 'array' };
		const isText =
			clearedBy === 'list' && isBlank(String(cell?.value ?? '')) && !Array.isArray(cell?.value);
		return this.isCleared(cell) && !isText ? [] : this.fixed(id, read);
	}

	/**
	 * Reads the columns whose IDs have a prefix.
	 *
	 * @param read gets the name and the type of the column; '' and [] as the value clear it
	 */
	extras<Entry>(
		prefix: string,
		read: (name: string, value: unknown, type: FieldType) => Entry | undefined,
	): Entry[] {
		const entries: Entry[] = [];
		for (const cell of this.cells.values()) {
			const { id, value, type = 'string' } = cell;
			if (!id.startsWith(prefix)) continue;
			// A column that the account lacks has nothing to clear.
			const isCleared = this.isCleared(cell) && !this.columns.of(id).isNew;
			if (isEmpty(cell) && !isCleared) continue;
			try {
				const empty = type === 'array' ? [] : '';
				// promise: values
				const sent = isCleared ? empty : value;
				const entry = read(id.slice(prefix.length), sent, type);
				if (entry !== undefined) entries.push(entry);
			} catch (error) {
				this.failCell(cell, error);
			}
		}
		return entries;
	}

	/** Returns whether a cell clears its column. The services show no way to clear numbers and booleans. */
	private isCleared(cell: Cell | undefined): boolean {
		if (!this.clears || cell?.type === 'number' || cell?.type === 'boolean') return false;
		return cell?.value !== undefined && isEmpty(cell);
	}
}

/** Returns whether two cells mean the same, apart from blanks around them. A list is not the text of its JSON. */
function isSame(one: unknown, other: unknown): boolean {
	const isSameKind = (typeof one === 'object') === (typeof other === 'object');
	return isSameKind && cellText(one) === cellText(other);
}

function cellText(value: unknown): string {
	return typeof value === 'object' ? JSON.stringify(value) : String(value).trim();
}

/** Returns a failure of a column that is mapped by its name, with what the user can do about it. */
function withWays(failure: Failure): Failure {
	const ways = [
		failure.hint ?? 'Correct the value, for example in an Edit Fields node',
		"To leave the column out, name it in Options → 'Ignored Columns'",
	];
	return failure.with({ hint: ways.join('. ') });
}

function differs({ label, value }: Cell): Failure {
	const message = `and column '${label}', which holds ${quote(value)}, are for the same field, and differ`;
	return Failure.value(message, 'Remove one of the two, for example in an Edit Fields node');
}

/** Returns whether a cell has no value. Sheets hold an empty list as the text of its JSON. */
function isEmpty({ value, type }: Cell): boolean {
	const isText = type === 'array' && typeof value === 'string';
	return isBlank(value) || (isText && value.replace(/\s/g, '') === '[]');
}
