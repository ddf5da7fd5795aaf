import type { FieldType } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isBlank } from '../base/text';
import type { ReadContext } from './field';
import { isDateObject } from './dates';
import { nameOf } from './runColumns';
import type { Cell, RunColumn } from './runColumns';
import { readList, readText } from './values';

type Named = Pick<Cell, 'label' | 'value'>;

/** Returns whether no single field can hold a value: objects, and arrays with objects in them. @internal */
export function isNested(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return false;
	if (!Array.isArray(value)) return !isDateObject(value);
	return value.some((entry) => typeof entry === 'object' && entry !== null);
}

/** The cells of one row, and the failures of any of them. */
export class MappedRow {
	private readonly cells = new Map<string, Cell>();

	/**
	 * @param typeNames the service's names of types in hints
	 * @param clears true if empty cells clear their columns
	 */
	constructor(
		readonly context: ReadContext,
		private readonly service: string,
		private readonly typeNames: Partial<Record<FieldType, string>> = {},
		private readonly clears = false,
	) {}

	/** Adds a cell, unless the row has another value for its column, which a hint says then. */
	add(cell: Cell): void {
		if (isBlank(this.cells.get(cell.id)?.value)) this.cells.set(cell.id, cell);
		else this.leaveOut(cell);
	}

	/** Adds the email, which each row must have. @param name its name in messages */
	addEmail(cell: Named, name: string): void {
		const { label, value } = cell;
		this.add({ id: 'email', label, value });
		if (isBlank(value)) this.fail(name, '', Failure.value('is missing'));
		else if (isNested(value)) this.fail(name, value, nestedEmail(cell));
	}

	/** Adds a cell of a column that no field takes, in the type that the run decided. A hint names new columns. */
	addExtra({ label, value }: Named, { id, type = 'string', isNew, failure }: RunColumn): void {
		if (failure) return this.failCell({ label, value }, failure);
		this.add({ id, label, value, type });
		if (!isNew || isBlank(value)) return;
		const name = `${nameOf(id)} (${this.typeNames[type] ?? type})`;
		this.context.warn(`New in ${this.service}`, name);
	}

	has({ id }: RunColumn): boolean {
		return this.cells.has(id);
	}

	/** Names a column in the hint about columns that were not sent. */
	leaveOut({ label, value }: Named): void {
		if (isBlank(value)) return;
		const text = `Columns that were not sent because ${this.service} has no field for them`;
		this.context.warn(text, label);
	}

	/** Adds a failure. @param name the name of what cannot be used */
	fail(name: string, value: unknown, thrown: unknown): void {
		this.context.failures.push(Failure.at(name, value, thrown));
	}

	/** Adds the failure of a cell, which then has no value. */
	failCell({ label, value }: Named, thrown: unknown): undefined {
		this.fail(`Column '${label}'`, value, thrown);
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

	/** Reads a column of several texts, which an empty value may clear. */
	list(id: string): string[] | undefined {
		return this.isCleared(this.cells.get(id)) ? [] : this.fixed(id, readList);
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
			const isCleared = this.isCleared(cell);
			if (!id.startsWith(prefix) || (isBlank(value) && !isCleared)) continue;
			try {
				const empty = type === 'array' ? [] : '';
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
		return cell?.value !== undefined && isBlank(cell.value);
	}
}

function nestedEmail({ label, value }: Named): Failure {
	const path = Array.isArray(value) ? `${label}[0].value` : `${label}.value`;
	const hint = `Set 'Email Column' to the path of the address, such as ${path}`;
	return Failure.value('must be text', hint);
}
