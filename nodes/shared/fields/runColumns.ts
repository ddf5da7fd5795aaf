import type { FieldType } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import { isBlank } from '../base/text';
import type { Column } from './mapping';
import { contextIn } from './context';
import { isIsoDate } from './dates';

/** Returns the form in which column names are compared: `First Name` and `first_name` are equal. */
export function columnKey(name: string): string {
	return name.toLowerCase().replace(/[\s_-]/g, '');
}

/** Returns the form in which IDs are compared. */
function idKey(id: string): string {
	return prefixOf(id) + columnKey(nameOf(id));
}

function prefixOf(id: string): string {
	return id.slice(0, id.indexOf(':') + 1);
}

/** Returns the service's name of a column that no field takes. */
export function nameOf(id: string): string {
	return id.slice(id.indexOf(':') + 1);
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

/** A column that no field takes, as one run sends it: text, unless the mapper or all its values say otherwise. */
export class RunColumn {
	private found?: FieldType;

	/**
	 * @param shown its type, if the mapper shows it
	 * @param failure set if its name could mean several columns
	 */
	constructor(
		readonly id: string,
		private readonly isNumber: Test,
		private readonly shown?: FieldType,
		readonly failure?: Failure,
	) {}

	/** True if the mapper does not show it. */
	get isNew(): boolean {
		return this.shown === undefined;
	}

	get type(): FieldType {
		return this.shown ?? this.found ?? 'string';
	}

	/** Takes a value of the run into account. @param stated the type that the service states for it */
	add(value: unknown, stated?: FieldType): void {
		// Once one value is text, the others no longer count.
		if (!this.isNew || this.found === 'string' || isBlank(value)) return;
		const type = stated ?? typeOf(value, this.isNumber);
		this.found = this.found === undefined || this.found === type ? type : 'string';
	}
}

/** The columns of one run beyond those that every account has. */
export class RunColumns {
	private readonly byId = new Map<string, RunColumn>();
	private readonly byKey = new Map<string, Set<RunColumn>>();
	/** The types of columns without a label, by their key: a row's own spelling of the name goes out. */
	private readonly unlabeled = new Map<string, FieldType>();

	/** @param shown of two with the same ID, the first one has the type */
	constructor(
		shown: Column[],
		private readonly isNumber: Test,
	) {
		for (const { id, type, aliases = [], isUnlabeled } of shown) {
			if (isUnlabeled) {
				this.unlabeled.set(idKey(id), type);
				continue;
			}
			const column = this.byId.get(id) ?? new RunColumn(id, isNumber, type);
			this.add(column, [id, ...aliases.map((alias) => prefixOf(id) + alias)]);
		}
	}

	/** Returns the column of an ID, in any of its forms. */
	of(id: string): RunColumn {
		const known = this.byId.get(id) ?? this.byOtherForm(id);
		this.byId.set(id, known);
		return known;
	}

	private add(column: RunColumn, ids: string[]): RunColumn {
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
			const type = this.unlabeled.get(idKey(id));
			return this.add(new RunColumn(id, this.isNumber, type), [id]);
		}
		if (found.length === 1) return column;
		const names = found.map((one) => `'${nameOf(one.id)}'`).join(' or ');
		const hint = 'Rename the column to the one that is meant';
		const failure = Failure.value(`could be ${names}`, hint);
		return new RunColumn(column.id, this.isNumber, column.type, failure);
	}
}
