import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import type { Cell, Column, RowShape } from './columnSpec';
import { columnKey, columnKeys } from './columnTypes';
import type { RunColumn, RunColumns } from './columnTypes';
import type { Warning } from './context';
import { isAddress, normalizeEmail } from './emails';
import { isNested } from './mappedRow';
import type { MappedRow } from './mappedRow';
import type { MappingRun } from './mapping';
import { valueAtPath } from './path';
import { isBlank } from './values';

/** The options of a row that only Map Automatically has. */
interface NameOptions {
	emailColumn?: string;
	extraColumns?: string;
	/** The names in the form in which they are compared. */
	ignoredColumns?: Set<string>;
}

/**
 * Maps the rows of a run, by hand or by the names of their columns. `collect` adds to new columns all values that the run
 * has for them, and `map` adds the cells of an item to its row.
 */
export type Mapper = HandMapper | NameMapper;

/** Maps each column by hand. */
export class HandMapper {
	readonly isAutomatic = false;
	/** True if the run has a column that no field takes. */
	readonly hasExtras: boolean;
	private readonly ids: string[];
	private readonly labels: Map<string, string>;

	/** @param shown the columns that the mapper shows */
	constructor(
		private readonly spec: RowShape,
		private readonly run: MappingRun,
		shown: Column[],
	) {
		const all = [...spec.fixed, ...shown];
		this.labels = new Map(all.map(({ id, displayName }) => [id, displayName]));
		const written = Object.keys(run.parameters.written(`${run.name}.value`) ?? {});
		this.ids = written.filter((id) => this.isExtra(id));
		this.hasExtras = this.ids.length > 0;
	}

	collect(columns: RunColumns): void {
		const added = this.ids.map((id) => ({ id, column: columns.of(id) }));
		const isKnown = added.every(({ column }) => !column.isNew);
		const count = isKnown ? 0 : this.run.parameters.count;
		for (let item = 0; item < count; item++) {
			const values = this.valuesOf(item);
			for (const { id, column } of added) column.add(values[id]);
		}
	}

	map(row: MappedRow, columns: RunColumns): void {
		const { email, ...values } = this.valuesOf(row.context.item);
		for (const [id, value] of Object.entries(values)) {
			const label = this.labels.get(id) ?? id.slice(id.indexOf(':') + 1);
			if (this.isExtra(id)) row.addExtra({ label, value }, columns.of(id));
			else if (this.spec.fixed.some((one) => one.id === id)) row.add({ id, label, value });
			else row.leaveOut({ label, value });
		}
		row.addEmail({ label: 'Email', value: email }, 'Email');
	}

	private isExtra(id: string): boolean {
		return this.spec.extra?.prefixes.some((prefix) => id.startsWith(prefix)) ?? false;
	}

	private valuesOf(item: number): IDataObject {
		const { parameters, name } = this.run;
		const values = parameters.value(`${name}.value`, item);
		return isObject(values) ? values : {};
	}
}

/** Columns that n8n's Google Sheets, Data Table, Form and Webhook nodes add to their rows. */
const COLUMNS_OF_N8N = [
	...['row_number', 'createdAt', 'updatedAt', 'submittedAt', 'formMode', 'webhookUrl'],
	'executionMode',
];

const ofN8n: Warning = (_, names) =>
	`Columns of n8n that were not sent: ${names.join(', ')}. To send them, list in 'Ignored Columns' only what to leave out`;

/** A column of the input items. */
interface Header {
	/** The form in which its name is compared. */
	key: string;
	/** The ID of the field that takes it. */
	field?: string;
	/** The ID under which it is sent if no field takes it. */
	extra?: string;
	/** True if no row can send it. */
	isUnsendable: boolean;
	isOfN8n: boolean;
}

/** Maps the columns of the input items by their names. */
export class NameMapper {
	readonly isAutomatic = true;
	private readonly rows: IDataObject[];
	/** The IDs of the fixed columns by the keys of their names. */
	private readonly fields = new Map<string, string>();
	private readonly headers = new Map<string, Header>();
	/** The options that are set. Each row has the same; only their values may differ. */
	private readonly options: object;
	private readonly created: Warning;

	constructor(
		service: string,
		private readonly spec: RowShape,
		{ parameters }: MappingRun,
	) {
		this.rows = parameters.rows;
		this.created = (_, names) => `New in ${service}: ${names.join(', ')}`;
		for (const column of spec.fixed) {
			for (const key of columnKeys(column)) this.fields.set(key, column.id);
		}
		const options = parameters.tryValue('options', 0);
		this.options = isObject(options) ? options : {};
	}

	/** True if the run has a column that no field takes. */
	get hasExtras(): boolean {
		return this.rows.some((row) =>
			Object.keys(row).some((name) => this.cellsIn(row, name, this.headerOf(name)).length > 0),
		);
	}

	collect(columns: RunColumns): void {
		for (const row of this.rows) {
			for (const name of Object.keys(row)) {
				for (const { id, value, type } of this.cellsIn(row, name, this.headerOf(name))) {
					columns.of(id).add(value, type);
				}
			}
		}
	}

	map(row: MappedRow, columns: RunColumns, options: NameOptions): void {
		const { warnings, item } = row.context;
		const values = this.rows[item] ?? {};
		const { emailColumn, ignoredColumns } = options;
		const email = this.addEmail(row, values, emailColumn);
		for (const label of Object.keys(values)) {
			const header = this.headerOf(label);
			const value = values[label];
			const isEmail =
				header.field === 'email' &&
				(!emailColumn || isNested(value) || isSameAddress(value, email?.value));
			if (label === email?.label || isEmail || ignoredColumns?.has(header.key)) continue;
			if (header.isOfN8n) warnings.add(ofN8n, label);
			else if (header.isUnsendable || this.spec.isOwn(label, values))
				row.leaveOut({ label, value });
			else if (header.field && header.field !== 'email')
				row.add({ id: header.field, label, value });
			else if (this.spec.extra === undefined) row.leaveOut({ label, value });
			else
				for (const cell of this.cellsIn(values, label, header))
					this.addExtra(row, cell, columns.of(cell.id), options);
		}
	}

	/** Adds a cell that no field takes, unless it has to be left out. */
	private addExtra(row: MappedRow, cell: Cell, column: RunColumn, options: NameOptions): void {
		if (!column.isNew) return row.addExtra(cell, column);
		if (cell.type === undefined && isNested(cell.value)) return row.leaveOut(cell);
		if (options.extraColumns === 'ignore') return;
		if (options.extraColumns === 'error')
			return row.failCell({ ...cell, value: '' }, notInAccount());
		if (!isBlank(cell.value)) {
			const type = this.spec.extra?.typeNames[column.type] ?? column.type;
			const name = column.id.slice(column.id.indexOf(':') + 1);
			row.context.warnings.add(this.created, `${name} (${type})`);
		}
		row.addExtra(cell, column);
	}

	private addEmail(row: MappedRow, values: IDataObject, asked: string | undefined) {
		try {
			if (asked === undefined && 'emailColumn' in row.context.options) {
				throw Failure.at('Email Column', '', Failure.value('is missing'));
			}
			const email = this.emailCell(values, asked);
			row.addEmail(email, `Column '${email.label}'`);
			return email;
		} catch (error) {
			row.failCell({ label: asked ?? 'email', value: undefined }, error);
			return undefined;
		}
	}

	/** Returns the cell with the row's address. @throws Failure if the row has none, or several */
	private emailCell(row: IDataObject, asked: string | undefined) {
		if (asked !== undefined && isAddress(asked)) return { label: 'Email Column', value: asked };
		const wanted = asked === undefined ? undefined : columnKey(asked);
		const isEmail = ({ key, field }: Header) => (wanted ? key === wanted : field === 'email');
		const hasExact = asked !== undefined && Object.hasOwn(row, asked);
		const names = hasExact
			? [asked]
			: Object.keys(row).filter((name) => isEmail(this.headerOf(name)));
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
	private cellsIn(row: IDataObject, label: string, header: Header): Cell[] {
		if (header.extra === undefined || this.spec.isOwn(label, row)) return NO_CELLS;
		const inside = this.spec.expand?.(label, row);
		return inside ?? [{ id: header.extra, label, value: row[label] }];
	}

	private headerOf(name: string): Header {
		const header = this.headers.get(name) ?? this.readHeader(name);
		this.headers.set(name, header);
		return header;
	}

	private readHeader(name: string): Header {
		const { extra, isUnsendable } = this.spec;
		const key = columnKey(name);
		const field = this.fields.get(key);
		const isOfN8n = !('ignoredColumns' in this.options) && COLUMNS_OF_N8N.includes(name);
		const header = { key, field, isOfN8n, isUnsendable: isUnsendable?.(name) === true };
		// With Email Column, a column called Email is a value of its own.
		const isTaken = field !== undefined && !(field === 'email' && 'emailColumn' in this.options);
		if (isTaken || isOfN8n || header.isUnsendable || name.trim() === '') return header;
		return { ...header, extra: extra?.idOf(name.trim()) };
	}
}

const NO_CELLS: Cell[] = [];

function notInAccount(): Failure {
	return Failure.value('is not in the account yet', "Remove the column, or change 'Extra Columns'");
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
