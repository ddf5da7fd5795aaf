import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import { isBlank } from '../base/text';
import type { Parameters } from './field';
import { isNested, columnKey, nameOf } from './mappedRow';
import type { Cell, Column, MappedRow, RowShape } from './mappedRow';
import { isAddress, normalizeEmail } from './values';

/** The values of the options that every mapped row has. */
export interface RowOptions {
	emailColumn?: string;
	extraColumns?: 'add' | 'error' | 'ignore';
	emptyValues?: 'clear' | 'ignore';
}

/** Maps the columns of a run by hand. */
export class HandMapper {
	private readonly labels: Map<string, string>;
	private readonly removed: Set<string>;
	private readonly prefixes: string[];

	/** @param shown the columns that the mapper shows, or offers to add */
	constructor(
		private readonly spec: RowShape,
		private readonly parameters: Parameters,
		shown: Column[],
	) {
		const all = [...spec.fixed, ...shown];
		this.labels = new Map(all.map(({ id, displayName }) => [id, displayName]));
		this.removed = new Set(shown.filter(({ isRemoved }) => isRemoved).map(({ id }) => id));
		this.prefixes = Object.values(spec.extra?.prefixes ?? {});
	}

	/** Returns the IDs of the run's columns that no field takes, in the forms in which they occur. */
	extraIds(): Iterable<string> {
		const written = Object.keys(this.parameters.written('columns.value') ?? {});
		return written.filter((id) => this.isExtra(id));
	}

	/** Returns an item's cells of such columns; none if an expression fails, as it does again for its row. */
	extras(item: number): Cell[] {
		const values = this.mapped(this.parameters.tryValue('columns.value', item));
		const cells = Object.entries(values).map(([id, value]) => this.cellOf(id, value));
		return cells.filter(({ id }) => this.isExtra(id));
	}

	/** Adds the cells of an item to its row. */
	map(row: MappedRow): void {
		const { item } = row.context;
		const { email, ...values } = this.mapped(this.parameters.value('columns.value', item));
		for (const [id, value] of Object.entries(values)) {
			const cell = this.cellOf(id, value);
			if (this.isExtra(id)) row.addExtra(cell);
			else if (this.spec.fixed.some((one) => one.id === id)) row.add(cell);
			else row.leaveOut(cell);
		}
		row.addEmail({ label: 'Email', value: email }, 'Email');
	}

	private cellOf(id: string, value: unknown): Cell {
		return { id, label: this.labels.get(id) ?? nameOf(id), value };
	}

	private isExtra(id: string): boolean {
		return this.prefixes.some((prefix) => id.startsWith(prefix));
	}

	/** Returns the values of the columns that were added in the editor. */
	private mapped(values: unknown): IDataObject {
		const entries = Object.entries(isObject(values) ? values : {});
		return Object.fromEntries(entries.filter(([id]) => !this.removed.has(id)));
	}
}

/** Columns that n8n's Google Sheets, Data Table, Form and Webhook nodes add to their rows. */
const COLUMNS_OF_N8N = [
	...['row_number', 'createdAt', 'updatedAt', 'submittedAt', 'formMode', 'webhookUrl'],
	'executionMode',
];

const OF_N8N =
	"Columns of n8n that were not sent (to send them, list in 'Ignored Columns' only what to leave out)";

/** A column of the input items. */
interface Header {
	/** The form in which its name is compared. */
	key: string;
	/** The ID of the field that takes it. */
	field?: string;
	/** The ID under which it is sent if no field takes it. */
	extra?: string;
	isIgnored: boolean;
	isOfN8n: boolean;
}

/** Maps the columns of the input items by their names. */
export class NameMapper {
	private readonly rows: IDataObject[];
	/** The IDs of the fixed columns by the keys of their names. */
	private readonly fields = new Map<string, string>();
	private readonly headers = new Map<string, Header>();
	/** The option as it stands in the node: undefined if it is not set. */
	private readonly emailColumn: unknown;

	/** @param ignored the keys of the names in Ignored Columns, if the option is set */
	constructor(
		private readonly spec: RowShape,
		parameters: Parameters,
		private readonly ignored: Set<string> | undefined,
	) {
		this.rows = parameters.rows;
		this.emailColumn = parameters.written('options.emailColumn');
		for (const { id, displayName, aliases = [] } of spec.fixed) {
			for (const name of [id, displayName, ...aliases]) this.fields.set(columnKey(name), id);
		}
	}

	*extraIds(): Iterable<string> {
		for (const item of this.rows.keys()) {
			for (const { id } of this.extras(item)) yield id;
		}
	}

	extras(item: number): Cell[] {
		const row = this.rows[item] ?? {};
		return Object.keys(row).flatMap((label) => this.cellsIn(row, label));
	}

	map(row: MappedRow, options: RowOptions): void {
		const values = this.rows[row.context.item] ?? {};
		const email = this.addEmail(row, values, options.emailColumn);
		for (const label of Object.keys(values)) {
			const { field, extra, isIgnored, isOfN8n } = this.headerOf(label);
			const value = values[label];
			const isEmail =
				field === 'email' &&
				(!options.emailColumn || isNested(value) || isSameAddress(value, email?.value));
			const hasField = field !== undefined && field !== 'email';
			if (isIgnored || isEmail || label === email?.label) continue;
			if (isOfN8n) row.context.warn(OF_N8N, label);
			else if (this.isLeftOut(label, values)) row.leaveOut({ label, value });
			else if (hasField) row.add({ id: field, label, value });
			else if (extra === undefined) row.leaveOut({ label, value });
			else for (const cell of this.cellsIn(values, label)) this.addExtra(row, cell, options);
		}
	}

	/** Adds a cell that no field takes, unless it has to be left out. */
	private addExtra(row: MappedRow, cell: Cell, options: RowOptions): void {
		if (!row.columns.of(cell.id).isNew) return row.addExtra(cell);
		if (cell.type === undefined && isNested(cell.value)) return row.leaveOut(cell);
		if (options.extraColumns === 'ignore') return;
		if (options.extraColumns === 'error')
			return row.failCell({ ...cell, value: '' }, notInAccount());
		row.addExtra(cell);
	}

	private addEmail(row: MappedRow, values: IDataObject, asked: string | undefined) {
		try {
			if (asked === undefined && this.emailColumn !== undefined) {
				throw Failure.at('Email Column', asked, Failure.value('is missing'));
			}
			const email = this.emailCell(values, asked);
			const name = `Column '${email.label}'`;
			if (isNested(email.value)) throw Failure.at(name, email.value, nestedEmail(email));
			row.addEmail(email, name);
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
	private cellsIn(row: IDataObject, label: string): Cell[] {
		const { extra } = this.headerOf(label);
		if (extra === undefined || this.isLeftOut(label, row)) return NO_CELLS;
		return this.spec.expand?.(label, row) ?? [{ id: extra, label, value: row[label] }];
	}

	/** A row from the error output has the columns `error` and `details`, which its failure added. */
	private isLeftOut(name: string, row: IDataObject): boolean {
		const hasFailed = typeof row.error === 'string' && isObject(row.details);
		const isOfFailure = hasFailed && (name === 'error' || name === 'details');
		return isOfFailure || this.spec.isLeftOut(name, row);
	}

	private headerOf(name: string): Header {
		const header = this.headers.get(name) ?? this.readHeader(name);
		this.headers.set(name, header);
		return header;
	}

	private readHeader(name: string): Header {
		const key = columnKey(name);
		const field = this.fields.get(key);
		const isIgnored = name.trim() === '' || this.ignored?.has(key) === true;
		const isOfN8n = this.ignored === undefined && COLUMNS_OF_N8N.includes(name);
		const header = { key, field, isIgnored, isOfN8n };
		const hasEmailColumn = this.emailColumn !== undefined;
		const isEmail = hasEmailColumn && key === columnKey(String(this.emailColumn));
		// With Email Column, a column called Email is a value of its own.
		const isTaken = isEmail || (field !== undefined && !(field === 'email' && hasEmailColumn));
		if (isTaken || isIgnored || isOfN8n) return header;
		return { ...header, extra: this.spec.extra?.idOf(name.trim()) };
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
	return Failure.at('Email', undefined, Failure.value(`could be in the columns ${columns}`, hint));
}

function nestedEmail({ label, value }: Pick<Cell, 'label' | 'value'>): Failure {
	const path = Array.isArray(value) ? `${label}[0].value` : `${label}.value`;
	const hint = `Set 'Email Column' to the path of the address, such as ${path}`;
	return Failure.value('must be text', hint);
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

const PART = /\[\s*(?:"([^"]*)"|'([^']*)')\s*\]|([^.[\]]+)/g;

/**
 * Returns the value at a path as n8n's editor writes it when a nested value is dragged onto a field: `body.email`,
 * `email[0].value`, `body["Email Address"]`. Undefined when the row has no such value.
 */
function valueAtPath(row: object, path: string): unknown {
	const names = [...path.matchAll(PART)].map(([, double, single, plain]) =>
		String(double ?? single ?? plain),
	);
	return names.reduce<unknown>((value, name) => {
		const isParent = typeof value === 'object' && value !== null && Object.hasOwn(value, name);
		return isParent ? Reflect.get(value, name) : undefined;
	}, row);
}
