import type { FieldType } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import type { Column } from './columnSpec';
import { Warnings } from './context';
import { isIsoDate } from './dates';
import { isBlank } from './values';

/** Returns the form in which column names are compared: `First Name` and `first_name` are equal. @internal */
export function columnKey(name: string): string {
	return name.toLowerCase().replace(/[\s_-]/g, '');
}

/** Returns the names of a column in the form in which they are compared. */
export function columnKeys({ id, displayName, aliases = [] }: Column): string[] {
	return [id, displayName, ...aliases].map(columnKey);
}

/** Returns the form in which IDs are compared. */
function idKey(id: string): string {
	const start = id.indexOf(':') + 1;
	return id.slice(0, start) + columnKey(id.slice(start));
}

type Test = (value: unknown) => boolean;

const UTC = { zone: 'UTC', options: {}, item: 0, warnings: new Warnings() };

/** Returns the type of a single value. */
export function typeOf(value: unknown, isNumber: Test): FieldType {
	if (typeof value === 'boolean') return 'boolean';
	if (isNumber(value)) return 'number';
	if (Array.isArray(value)) return 'array';
	if (isIsoDate(value, UTC)) return 'dateTime';
	return isObject(value) ? 'object' : 'string';
}

/** The type of a column by its values: text, unless all that are not blank have one type. */
export class SharedType {
	private found?: FieldType;

	constructor(private readonly isNumber: Test) {}

	/** @param stated the type that the service states for the value */
	add(value: unknown, stated?: FieldType): void {
		// Once one value is text, the others no longer count.
		if (this.found === 'string' || isBlank(value)) return;
		const type = stated ?? typeOf(value, this.isNumber);
		this.found = this.found === undefined || this.found === type ? type : 'string';
	}

	get type(): FieldType {
		return this.found ?? 'string';
	}
}

/** How a run sends a column that no field takes. */
export class RunColumn {
	/**
	 * @param id that of the account's column, else the first form that occurs in the run
	 * @param decided the type of a column that the mapper shows; else all its values in the run decide
	 * @param failure set if its name could mean several columns
	 */
	constructor(
		readonly id: string,
		private readonly decided: FieldType | SharedType,
		readonly failure?: Failure,
	) {}

	/** True if the mapper does not show it. */
	get isNew(): boolean {
		return this.decided instanceof SharedType;
	}

	get type(): FieldType {
		return this.decided instanceof SharedType ? this.decided.type : this.decided;
	}

	/** Takes a value of the run into account. @param stated the type that the service states for the value */
	add(value: unknown, stated?: FieldType): void {
		if (this.decided instanceof SharedType) this.decided.add(value, stated);
	}
}

/** The columns of one run beyond those that every account has. */
export class RunColumns {
	private readonly byId = new Map<string, RunColumn>();
	private readonly byKey = new Map<string, Array<{ column: RunColumn; name: string }>>();

	constructor(
		shown: Column[],
		private readonly isNumber: Test = () => false,
	) {
		for (const { id, displayName, type, aliases = [] } of shown) {
			const column = new RunColumn(id, type);
			this.byId.set(id, column);
			const prefix = id.slice(0, id.indexOf(':') + 1);
			for (const key of new Set([id, ...aliases.map((alias) => prefix + alias)].map(idKey))) {
				this.byKey.set(key, [...(this.byKey.get(key) ?? []), { column, name: displayName }]);
			}
		}
	}

	/** Returns the column of an ID, in any of its forms. */
	of(id: string): RunColumn {
		const known = this.byId.get(id) ?? this.byOtherForm(id);
		this.byId.set(id, known);
		return known;
	}

	private byOtherForm(id: string): RunColumn {
		const key = idKey(id);
		const found = this.byKey.get(key) ?? [];
		const column = found[0]?.column ?? new RunColumn(id, new SharedType(this.isNumber));
		if (found.length === 0) this.byKey.set(key, [{ column, name: id }]);
		if (found.length < 2) return column;
		const names = found.map(({ name }) => `'${name}'`).join(' or ');
		const hint = 'Rename the column to the one that is meant';
		return new RunColumn(column.id, column.type, Failure.value(`could be ${names}`, hint));
	}
}
