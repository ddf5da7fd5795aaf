import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import type { Cell, Column, RowShape } from './columnSpec';
import { columnKey } from './columnTypes';
import type { ColumnTypes } from './columnTypes';
import type { ReadContext, Warning } from './context';
import { isAddress, normalizeEmail } from './emails';
import { isNested } from './mappedRow';
import type { MappedRow } from './mappedRow';
import type { MappingRun } from './mapping';
import { valueAtPath } from './path';
import { isBlank } from './values';

/** The options of a row that only Map Automatically has. */
export interface NameOptions {
	emailColumn?: string;
	ignoredColumns?: string[];
}

/** Maps the rows of a run: by hand or by the names of their columns. */
export interface Mapper {
	readonly isAutomatic: boolean;
	/** Returns all cells of the run in columns that no field takes and the mapper does not show. */
	extras(types: ColumnTypes): Iterable<Cell>;
	/** Adds the cells of the row's item. */
	map(row: MappedRow, options: NameOptions): void;
	/** Returns the email of an item. @throws Failure if it has none, or several */
	emailOf(context: ReadContext): unknown;
}

/** Maps each column by hand. */
export class HandMapper implements Mapper {
	readonly isAutomatic = false;
	private readonly labels: Map<string, string>;

	/** @param shown the columns that the mapper shows */
	constructor(
		private readonly spec: RowShape,
		private readonly run: MappingRun,
		shown: Column[],
	) {
		const all = [...spec.fixed, ...shown];
		this.labels = new Map(all.map(({ id, displayName }) => [id, displayName]));
	}

	*extras(types: ColumnTypes): Iterable<Cell> {
		const { parameters, name } = this.run;
		const ids = Object.keys(parameters.written(`${name}.value`) ?? {}).filter(
			(id) => this.isExtra(id) && !types.shows(id),
		);
		const count = ids.length > 0 ? parameters.count : 0;
		for (let item = 0; item < count; item++) {
			const values = this.valuesOf(item);
			for (const id of ids) yield { id, label: id, value: values[id] };
		}
	}

	map(row: MappedRow): void {
		const { email, ...values } = this.valuesOf(row.context.item);
		for (const [id, value] of Object.entries(values)) {
			const label = this.labels.get(id) ?? id.slice(id.indexOf(':') + 1);
			if (this.isExtra(id)) row.addExtra({ id, label, value });
			else if (this.spec.fixed.some((one) => one.id === id)) row.add({ id, label, value });
			else row.leaveOut({ label, value });
		}
		row.addEmail({ label: 'Email', value: email }, 'Email');
	}

	emailOf({ item }: ReadContext): unknown {
		return this.valuesOf(item).email;
	}

	private isExtra(id: string): boolean {
		return this.spec.extra?.prefixes.some((prefix) => id.startsWith(prefix)) ?? false;
	}

	private valuesOf(item: number) {
		const { parameters, name } = this.run;
		const values = parameters.value(`${name}.value`, item);
		return isObject(values) ? values : {};
	}
}

/** Columns that n8n's Google Sheets, Data Table and Form nodes add to their rows. */
const COLUMNS_OF_N8N = ['row_number', 'createdAt', 'updatedAt', 'submittedAt', 'formMode'];

const ofN8n: Warning = (_, names) =>
	`Columns of n8n that were not sent: ${names.join(', ')}. To send them, list in 'Ignored Columns' only what to leave out`;

/** Maps the columns of the input items by their names. */
export class NameMapper implements Mapper {
	readonly isAutomatic = true;
	private readonly rows: IDataObject[];
	/** The IDs of the fixed columns by the keys of their names. */
	private readonly fixed = new Map<string, string>();
	private readonly keys = new Map<string, string>();
	/** The options that are set. Each row has the same; only their values may differ. */
	private readonly options: object;

	constructor(
		private readonly spec: RowShape,
		{ parameters }: MappingRun,
	) {
		this.rows = parameters.rows;
		for (const { id, displayName, aliases = [] } of spec.fixed) {
			for (const name of [id, displayName, ...aliases]) this.fixed.set(columnKey(name), id);
		}
		const options = parameters.tryValue('options', 0);
		this.options = isObject(options) ? options : {};
	}

	*extras(): Iterable<Cell> {
		for (const row of this.rows) {
			const own = this.ownKeys(row);
			for (const name of Object.keys(row)) {
				const key = this.keyOf(name);
				// With Email Column, a column called Email is a value of its own.
				const isOther = this.fixed.get(key) === 'email' && 'emailColumn' in this.options;
				const isFixed = this.fixed.has(key) && !isOther;
				if (!isFixed && !own.has(key) && !this.isOfN8n(name)) yield* this.cellsIn(row, name);
			}
		}
	}

	map(row: MappedRow, { emailColumn, ignoredColumns = [] }: NameOptions): void {
		const { context } = row;
		const item = this.rows[context.item] ?? {};
		const own = this.ownKeys(item);
		const ignored = new Set(ignoredColumns.map(columnKey));
		const email = this.addEmail(row, item, emailColumn);
		for (const [label, value] of Object.entries(item)) {
			const key = this.keyOf(label);
			const id = this.fixed.get(key);
			const isEmail =
				id === 'email' && (!emailColumn || isNested(value) || isSameAddress(value, email?.value));
			if (label === email?.label || isEmail || ignored.has(key)) continue;
			if (this.isOfN8n(label)) context.warnings.add(ofN8n, label);
			else if (own.has(key)) row.leaveOut({ label, value });
			else if (id !== undefined && id !== 'email') row.add({ id, label, value });
			else this.cellsIn(item, label).forEach((cell) => row.addNamed(cell));
		}
	}

	emailOf({ item, options }: ReadContext): unknown {
		const asked = isBlank(options.emailColumn) ? undefined : String(options.emailColumn).trim();
		return this.emailCell(this.rows[item] ?? {}, asked).value;
	}

	private addEmail(row: MappedRow, item: IDataObject, asked: string | undefined) {
		const column = { label: asked ?? 'email', value: undefined };
		if (asked === undefined && 'emailColumn' in row.context.options) {
			row.failures.push(Failure.at('Email Column', '', Failure.value('is missing')));
			return undefined;
		}
		const email = row.read(column, () => this.emailCell(item, asked));
		if (email) row.addEmail(email, `Column '${email.label}'`);
		return email;
	}

	/** Returns the cell with the row's address. @throws Failure if the row has none, or several */
	private emailCell(row: IDataObject, asked: string | undefined) {
		if (asked !== undefined && isAddress(asked)) return { label: 'Email Column', value: asked };
		const wanted = asked === undefined ? undefined : columnKey(asked);
		const isEmail = (key: string) => (wanted ? key === wanted : this.fixed.get(key) === 'email');
		const hasExact = asked !== undefined && Object.hasOwn(row, asked);
		const names = hasExact ? [asked] : Object.keys(row).filter((name) => isEmail(this.keyOf(name)));
		const filled = names.filter((name) => !isBlank(row[name]));
		const [label = names[0], ...others] = filled;
		if (label !== undefined) {
			const isOther = others.some((name) => !isSameAddress(row[name], row[label]));
			if (isOther) throw severalEmails(filled);
			return { label, value: row[label] };
		}
		const value = asked === undefined ? undefined : valueAtPath(row, asked);
		if (asked === undefined || value === undefined) throw withoutEmail(row);
		return { label: asked, value };
	}

	/** Returns the cells of a column that no field takes; several for a column of the service's own record. */
	private cellsIn(row: IDataObject, label: string): Cell[] {
		const { extra, expand } = this.spec;
		const inside = extra && expand?.(label, row);
		if (inside) return inside;
		const name = label.trim();
		return name === '' ? [] : [{ id: extra?.idOf(name) ?? name, label, value: row[label] }];
	}

	private isOfN8n(name: string): boolean {
		return !('ignoredColumns' in this.options) && COLUMNS_OF_N8N.includes(name);
	}

	private ownKeys(row: IDataObject): Set<string> {
		return new Set(this.spec.ownNames(row).map(columnKey));
	}

	private keyOf(name: string): string {
		const key = this.keys.get(name) ?? columnKey(name);
		this.keys.set(name, key);
		return key;
	}
}

function isSameAddress(one: unknown, other: unknown): boolean {
	return normalizeEmail(String(one)) === normalizeEmail(String(other));
}

function severalEmails(names: string[]): Failure {
	const columns = names.map((name) => `'${name}'`).join(' and ');
	const hint = "Set 'Email Column' to the one with the email address";
	return Failure.at('Email', '', Failure.value(`could be in the columns ${columns}`, hint));
}

function withoutEmail(row: IDataObject): Failure {
	const names = Object.keys(row);
	const nested = names.filter((name) => isNested(row[name])).join(', ');
	const hints = [
		"Set 'Email Column' to the column with the email address",
		names.length > 0 ? `This row has: ${names.join(', ')}` : '',
		nested &&
			`Values inside ${nested} are not columns: drag the email from there onto 'Email Column', or put an Edit Fields or Split Out node before this one`,
	];
	return Failure.value('is not in the row', hints.filter(Boolean).join('. '));
}
