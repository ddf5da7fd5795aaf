import type { FieldType, IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isBlank, quote } from '../base/text';
import { hasEntries } from '../fields/dates';
import type { ReadContext } from '../fields/field';
import { readEmail, readText } from '../fields/values';
import { columnType } from './runProperties';
import type { RunProperties } from './runProperties';
import { nameInId } from './shape';
import type { Cell } from './shape';

type LabeledValue = Pick<Cell, 'label' | 'value' | 'source'>;

/** Of two cells for one column, the one from the higher source counts. */
function rankOf({ source }: Cell): number {
	return ['record', 'option', undefined].indexOf(source);
}

/** Objects, and arrays with objects in them: no single field can hold them. @internal */
export function isNested(value: unknown): boolean {
	if (!Array.isArray(value)) return hasEntries(value);
	return value.some((entry) => typeof entry === 'object' && entry !== null);
}

interface MappingOfRun {
	service: string;
	/** Those of the run; none if the endpoint takes no properties. */
	properties: RunProperties;
	typeNames?: Partial<Record<FieldType, string>>;
	/** True if nobody mapped its columns by hand, with expressions that could be changed. */
	isAutomatic: boolean;
	isIgnored(name: string): boolean;
}

export class MappedItem {
	/** All objects with columns of this item: the input item, the columns mapped by hand, and JSON options. */
	readonly inputs: IDataObject[] = [];
	private readonly cells = new Map<string, Cell>();

	constructor(
		readonly context: ReadContext,
		readonly mapping: MappingOfRun,
		private readonly clears: boolean,
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
		return isEmpty(cell) && !this.isCleared(cell);
	}

	addProperty({ id: written, label, value, source }: Cell): void {
		const { id, type, failure } = this.mapping.properties.of(written);
		if (failure) return this.failCell({ label, value, source }, failure);
		this.add({ id, label, value, type: columnType(type), source });
	}

	leaveOut({ label, value }: LabeledValue): void {
		if (!isBlank(value)) this.context.warn('Columns that were not sent', label);
	}

	fail(label: string, value: unknown, thrown: unknown): void {
		this.context.failures.push(Failure.at(label, value, thrown, true));
	}

	/** Adds the failure of a cell, which then has no value. */
	failCell({ label, value, source }: LabeledValue, thrown: unknown): undefined {
		const isPlain = thrown instanceof Failure && thrown.kind === 'value';
		const mayIgnore = isPlain && this.mapping.isAutomatic && source !== 'option' && !isBlank(value);
		this.fail(label, value, mayIgnore ? withWays(thrown) : thrown);
		return undefined;
	}

	/** Reads the email, which each item must have. Its failure cannot be ignored. */
	email(): string {
		const { label = 'email', value } = this.cells.get('email') ?? {};
		try {
			return isBlank(value) ? '' : readEmail(value);
		} catch (error) {
			this.fail(label, value, error);
			return '';
		}
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
		const given = this.cells.get(id);
		const cell: Cell | undefined = given && { ...given, type: 'array' };
		const isText =
			clearedBy === 'list' && isBlank(String(cell?.value ?? '')) && !Array.isArray(cell?.value);
		return this.isCleared(cell) && !isText ? [] : this.fixed(id, read);
	}

	/**
	 * Reads the properties whose IDs have a prefix.
	 *
	 * @param read gets the name and the type of the property, and whether the value is one of the service's own record; '' and []
	 * as the value clear it
	 */
	properties<Entry>(
		prefix: string,
		read: (name: string, value: unknown, type: FieldType, isOwn: boolean) => Entry | undefined,
	): Entry[] {
		const entries: Entry[] = [];
		for (const cell of this.cells.values()) {
			const { id, value, type = 'string', source } = cell;
			if (!id.startsWith(prefix)) continue;
			const name = id.slice(prefix.length);
			// A property that the account lacks has nothing to clear.
			const isCleared = this.isCleared(cell) && !this.mapping.properties.of(id).isNew;
			if (isEmpty(cell) && !isCleared) continue;
			try {
				const empty = type === 'array' ? [] : '';
				// promise: values
				const sent = isCleared ? empty : value;
				const entry = read(name, sent, type, source === 'record');
				if (entry === undefined) continue;
				entries.push(entry);
				this.warnOfNew(cell);
			} catch (error) {
				this.failCell(cell, error);
			}
		}
		return entries;
	}

	private warnOfNew({ id, value, type = 'string' }: Cell): void {
		const { service, properties, typeNames = {} } = this.mapping;
		if (!properties.of(id).isNew || isBlank(value)) return;
		this.context.warn(`Sent to ${service} as new`, `${nameInId(id)} (${typeNames[type] ?? type})`);
	}

	/** The services show no way to clear numbers and booleans. */
	private isCleared(cell: Cell | undefined): boolean {
		if (!this.clears || cell?.type === 'number' || cell?.type === 'boolean') return false;
		return cell?.value !== undefined && isEmpty(cell);
	}
}

/** Blanks around values do not count. A list is not the text of its JSON. */
function isSame(one: unknown, other: unknown): boolean {
	const isSameKind = (typeof one === 'object') === (typeof other === 'object');
	return isSameKind && cellText(one) === cellText(other);
}

function cellText(value: unknown): string {
	return typeof value === 'object' ? JSON.stringify(value) : String(value).trim();
}

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

/** Blank entries of a list are no values, also in the text of its JSON, or between commas. */
function isEmpty({ value, type }: Cell): boolean {
	if (Array.isArray(value)) return value.every(isBlank);
	const isText = type === 'array' && typeof value === 'string';
	return isBlank(value) || (isText && /^[\s,[\]"]*$/.test(value));
}
