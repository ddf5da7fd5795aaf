import type { FieldType } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import type { Cell, Column } from './columnSpec';
import { Warnings } from './context';
import { isIsoDate } from './dates';
import { isBlank } from './values';

/** Returns the form in which column names are compared: `First Name` and `first_name` are equal. @internal */
export function columnKey(name: string): string {
	return name.toLowerCase().replace(/[\s_-]/g, '');
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
	private readonly types = new Set<FieldType>();

	constructor(private readonly isNumber: Test) {}

	/** @param stated the type that the service states for the value */
	add(value: unknown, stated?: FieldType): void {
		if (!isBlank(value)) this.types.add(stated ?? typeOf(value, this.isNumber));
	}

	get type(): FieldType {
		const [type = 'string', ...others] = this.types;
		return others.length === 0 ? type : 'string';
	}
}

/** What a run has decided about a column. */
interface Decided {
	/** The ID under which it is sent: that of the account's column, else the first form that occurs in the run. */
	id: string;
	type: FieldType;
	/** True if the mapper does not show it. */
	isNew: boolean;
}

/**
 * The types of one run's columns beyond those that every account has. The columns that the mapper shows decide, else all
 * values in the run: never a single cell.
 */
export class ColumnTypes {
	private readonly byId = new Map<string, Column>();
	private readonly byKey = new Map<string, Column[]>();
	private readonly added = new Map<string, { id: string; shared: SharedType }>();
	private readonly keys = new Map<string, string>();

	constructor(
		shown: Column[],
		private readonly isNumber: Test,
	) {
		for (const column of shown) {
			this.byId.set(column.id, column);
			const prefix = column.id.slice(0, column.id.indexOf(':') + 1);
			const ids = [column.id, ...(column.aliases ?? []).map((alias) => prefix + alias)];
			for (const key of new Set(ids.map(idKey))) {
				this.byKey.set(key, [...(this.byKey.get(key) ?? []), column]);
			}
		}
	}

	/** Returns whether the mapper shows a column. */
	shows(id: string): boolean {
		return this.byId.has(id) || this.byKey.has(this.keyOf(id));
	}

	/** Takes a cell of the run into account. */
	add({ id, value, type }: Cell): void {
		if (this.shows(id)) return;
		const key = this.keyOf(id);
		const added = this.added.get(key) ?? { id, shared: new SharedType(this.isNumber) };
		this.added.set(key, added);
		added.shared.add(value, type);
	}

	/** Returns what was decided about a column. @throws Failure if it could be several columns of the account */
	get(id: string): Decided {
		const exact = this.byId.get(id);
		const [column, ...others] = exact ? [exact] : (this.byKey.get(this.keyOf(id)) ?? []);
		if (column === undefined) {
			const added = this.added.get(this.keyOf(id));
			return { id: added?.id ?? id, type: added?.shared.type ?? 'string', isNew: true };
		}
		if (others.length === 0) return { id: column.id, type: column.type, isNew: false };
		const names = [column, ...others].map(({ displayName }) => `'${displayName}'`).join(' or ');
		throw Failure.value(`could be ${names}`, 'Rename the column to the one that is meant');
	}

	private keyOf(id: string): string {
		const key = this.keys.get(id) ?? idKey(id);
		this.keys.set(id, key);
		return key;
	}
}
