import type { FieldType } from 'n8n-workflow';

import { Failure } from '../base/failure';
import type { Cell, EmptyValues, Extra } from './columnSpec';
import type { ColumnTypes } from './columnTypes';
import type { ReadContext, Warning } from './context';
import { isDateObject } from './dates';
import { isBlank, readText } from './values';

/** What a run has decided for all its rows. */
export interface MappedColumns {
	/** How columns are sent that no field of the service takes; undefined when there is none. */
	extra?: Extra;
	types: ColumnTypes;
	leftOut: Warning;
	created: Warning;
}

/** Returns whether no single field can hold a value: objects, and arrays with objects in them. @internal */
export function isNested(value: unknown): boolean {
	const isEntry = (entry: unknown) => typeof entry === 'object' && entry !== null;
	if (Array.isArray(value)) return value.some(isEntry);
	return isEntry(value) && !isDateObject(value);
}

/** The cells of one row, and the failures of any of them. */
export class MappedRow {
	private readonly cells = new Map<string, Cell>();

	constructor(
		readonly context: ReadContext,
		readonly failures: Failure[],
		private readonly columns: MappedColumns,
		private readonly options: { emptyValues?: EmptyValues; extraColumns?: string },
	) {}

	/** Adds a cell, unless the row has another value for its column, which a hint says then. */
	add(cell: Cell): void {
		if (isBlank(this.cells.get(cell.id)?.value)) this.cells.set(cell.id, cell);
		else this.leaveOut(cell);
	}

	/** Adds the email, which each row must have. @param label its name in messages */
	addEmail(cell: Pick<Cell, 'label' | 'value'>, label: string): void {
		const { value } = cell;
		this.add({ id: 'email', ...cell });
		if (isBlank(value)) this.failures.push(Failure.at(label, '', Failure.value('is missing')));
		else if (isNested(value)) this.failures.push(Failure.at(label, value, nestedEmail(cell)));
	}

	/** Adds a cell of a column that no field takes, in the type that the run decided. */
	addExtra(cell: Cell): void {
		const decided = this.read(cell, () => this.columns.types.get(cell.id));
		if (decided) this.add({ ...cell, id: decided.id, type: decided.type });
	}

	/** Adds an entry of a JSON option, unless the row has a column of that name. */
	addJson(cell: Cell): void {
		const decided = this.read(cell, () => this.columns.types.get(cell.id));
		if (decided && !this.cells.has(decided.id)) this.add({ ...cell, ...decided });
	}

	/** Adds a cell of a column of the input items that no field takes, unless it has to be left out. */
	addNamed(cell: Cell): void {
		const { extra, types, created } = this.columns;
		const { extraColumns } = this.options;
		const decided = this.read(cell, () => types.get(cell.id));
		if (decided === undefined) return;
		const isLeftOut = decided.isNew && cell.type === undefined && isNested(cell.value);
		if (!extra || isLeftOut) return this.leaveOut(cell);
		if (decided.isNew && extraColumns === 'ignore') return;
		if (decided.isNew && extraColumns === 'error') this.read({ ...cell, value: '' }, refuseNew);
		else if (decided.isNew && !isBlank(cell.value)) {
			const type = extra.typeNames[decided.type] ?? decided.type;
			this.context.warnings.add(created, `${cell.label} (${type})`);
		}
		this.add({ ...cell, id: decided.id, type: decided.type });
	}

	/** Names a column in the hint about columns that were not sent. */
	leaveOut({ label, value }: Pick<Cell, 'label' | 'value'>): void {
		if (!isBlank(value)) this.context.warnings.add(this.columns.leftOut, label);
	}

	/** Reads a cell; undefined when it cannot be read. */
	read<Value>(
		{ label, value }: Pick<Cell, 'label' | 'value'>,
		read: (value: unknown) => Value,
	): Value | undefined {
		try {
			return read(value);
		} catch (error) {
			this.failures.push(Failure.at(`Column '${label}'`, value, error));
			return undefined;
		}
	}

	/** Reads a column that the service has a field for; undefined when it is empty or absent. */
	fixed<Value>(id: string, read: (value: unknown) => Value): Value | undefined {
		const cell = this.cells.get(id);
		return cell === undefined || isBlank(cell.value) ? undefined : this.read(cell, read);
	}

	/** Reads a text column, which an empty value may clear. */
	text(id: string): string | undefined {
		const cell = this.cells.get(id);
		return cell && this.isCleared(cell) ? '' : this.fixed(id, readText);
	}

	/**
	 * Reads the columns whose IDs have a prefix.
	 *
	 * @param read gets the name and the type of the column; '' as the value clears it
	 */
	extras<Entry>(
		prefix: string,
		read: (name: string, value: unknown, type: FieldType) => Entry | undefined,
	): Entry[] {
		return [...this.cells.values()].flatMap((cell) => {
			const { id, value, type = 'string' } = cell;
			const isCleared = this.isCleared(cell);
			if (!id.startsWith(prefix) || (isBlank(value) && !isCleared)) return [];
			const entry = this.read(cell, () =>
				read(id.slice(prefix.length), isCleared ? '' : value, type),
			);
			return entry === undefined ? [] : [entry];
		});
	}

	/** Returns whether a cell clears its column. The services show no way to clear numbers and booleans. */
	private isCleared({ value, type }: Cell): boolean {
		const isEmpty = value !== undefined && isBlank(value);
		return (
			isEmpty && this.options.emptyValues === 'clear' && type !== 'number' && type !== 'boolean'
		);
	}
}

function refuseNew(): never {
	throw Failure.value('is not in the account yet', "Remove the column, or change 'Extra Columns'");
}

function nestedEmail({ label, value }: Pick<Cell, 'label' | 'value'>): Failure {
	const path = Array.isArray(value) ? `${label}[0].value` : `${label}.value`;
	const hint = `Set 'Email Column' to the path of the address, such as ${path}`;
	return Failure.value('must be text', hint);
}
