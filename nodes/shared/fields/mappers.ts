import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import { isBlank } from '../base/text';
import type { Parameters } from './field';
import { COLUMNS_OF_N8N } from './leftOut';
import { addedByFailure, withoutFailure } from './failedRow';
import { isExtra, isNested, columnKey, nameOf, namesOf } from './mappedRow';
import type { Cell, Column, MappedRow, RowShape } from './mappedRow';
import { isAddress, normalizeEmail } from './values';

/** The values of the options that every mapped row has. */
export interface MappingOptions {
	emailColumn?: string;
	extraColumns?: 'add' | 'error' | 'ignore';
	emptyValues?: 'clear' | 'ignore';
}

/** The names under which rows and mappings have the columns of a service. By name and by hand they are the same. */
class Names {
	private readonly fields: Map<string, Column>;

	constructor(private readonly spec: RowShape) {
		this.fields = new Map(
			spec.fixed.flatMap((column) => namesOf(column).map((name) => [columnKey(name), column])),
		);
	}

	/** Returns the column of every account that a name means. */
	fieldOf(name: string): Column | undefined {
		return this.fields.get(columnKey(name));
	}

	/** Returns the ID under which another column is sent; undefined if the endpoint takes none such. */
	extraOf(name: string): string | undefined {
		const id = this.isExtra(name) ? name : this.spec.extra?.idOf(name);
		return id !== undefined && this.isExtra(id) ? id : undefined;
	}

	/** Returns whether a text is the ID of a column that no field takes. */
	isExtra(id: string): boolean {
		return isExtra(id, this.spec.extra);
	}
}

/** Maps the columns of a run by hand. */
export class HandMapper {
	private readonly names: Names;
	private readonly labels: Map<string, string>;
	private readonly removed: Set<string>;

	/** @param shown the columns that the mapper shows, or offers to add */
	constructor(
		private readonly spec: RowShape,
		private readonly parameters: Parameters,
		shown: Column[],
	) {
		this.names = new Names(spec);
		const all = [...spec.fixed, ...shown];
		this.labels = new Map(all.map(({ id, displayName }) => [id, displayName]));
		this.removed = new Set(shown.filter(({ isRemoved }) => isRemoved).map(({ id }) => id));
	}

	/** True if a column is mapped under a name that only the account can explain, such as a property's label. */
	get needsAccount(): boolean {
		return this.written.some((id) => !this.names.fieldOf(id) && !this.names.isExtra(id));
	}

	/** Returns the IDs of the run's columns that no field takes, in the forms in which they occur. */
	extraIds(): string[] {
		return this.written.flatMap((id) => this.extraOf(id) ?? []);
	}

	/** Returns an item's cells of such columns; none if an expression fails, as it does again for its row. */
	extras(item: number): Cell[] {
		const values = this.mapped(this.parameters.tryValue('columns.value', item));
		return Object.entries(values).flatMap(([written, value]) => {
			const id = this.extraOf(written);
			return id === undefined ? [] : [{ id, label: this.labelOf(written), value }];
		});
	}

	/** Adds the cells of an item to its row. */
	addCells(row: MappedRow): void {
		const values = this.mapped(this.parameters.value('columns.value', row.context.item));
		let email: unknown;
		for (const [written, value] of Object.entries(values)) {
			const label = this.labelOf(written);
			const field = this.names.fieldOf(written);
			const id = this.extraOf(written);
			if (field?.id === 'email') email = value;
			else if (field) row.addField(field, { label, value });
			else if (id !== undefined && (this.names.isExtra(written) || !row.columns.of(id).isNew)) {
				row.addExtra({ id, label, value });
			} else if (value !== null && value !== '') {
				row.failCell({ label: written, value }, this.unknown(row, written));
			}
		}
		row.addEmail({ label: 'Email', value: email }, 'Email');
	}

	private get written(): string[] {
		return Object.keys(this.mapped(this.parameters.written('columns.value')));
	}

	private labelOf(written: string): string {
		return this.labels.get(written) ?? nameOf(written);
	}

	private extraOf(written: string): string | undefined {
		return this.names.fieldOf(written) ? undefined : this.names.extraOf(written);
	}

	private unknown(row: MappedRow, written: string): Failure {
		const { spec } = this;
		const ids = [...spec.fixed.map(({ id }) => id), ...row.columns.known];
		const fresh = this.names.extraOf(nameOf(written));
		const hints = [
			`The columns are: ${ids.filter((id) => !id.includes(':') || this.names.isExtra(id)).join(', ')}`,
			fresh && `A new one is mapped as ${fresh}`,
		];
		return Failure.value('is not a column of this operation', hints.filter(Boolean).join('. '));
	}

	/** Returns the values of the columns that were added in the editor. */
	private mapped(values: unknown): IDataObject {
		const entries = Object.entries(isObject(values) ? values : {});
		return Object.fromEntries(entries.filter(([id]) => !this.removed.has(id)));
	}
}

/** A column of the input items. */
interface Header {
	/** The form in which its name is compared. */
	key: string;
	/** The column of every account that it is. */
	field?: Column;
	/** The ID under which it is sent if no field takes it. */
	extra?: string;
	isIgnored: boolean;
	isOfN8n: boolean;
}

/** Maps the columns of the input items by their names. */
export class NameMapper {
	/** The input items, also with what a failure added. */
	private readonly given: IDataObject[];
	private readonly rows: IDataObject[];
	private readonly names: Names;
	private readonly headers = new Map<string, Header>();
	/** The option as it stands in the node: undefined if it is not set. */
	private readonly emailColumn: unknown;

	/** @param ignored the keys of the names in Ignored Columns, if the option is set */
	constructor(
		private readonly spec: RowShape,
		parameters: Parameters,
		private readonly ignored: Set<string> | undefined,
	) {
		this.names = new Names(spec);
		this.given = parameters.rows;
		this.rows = this.given.map(withoutFailure);
		this.emailColumn = parameters.written('options.emailColumn');
	}

	/** The account explains the names of rows only where the mapper shows none. */
	readonly needsAccount = false;

	*extraIds(): Iterable<string> {
		for (const item of this.rows.keys()) {
			for (const { id } of this.extras(item)) yield id;
		}
	}

	extras(item: number): Cell[] {
		const row = this.rows[item] ?? {};
		return Object.keys(row).flatMap((label) => this.cellsIn(row, label));
	}

	addCells(row: MappedRow, options: MappingOptions): void {
		const { item } = row.context;
		const values = this.rows[item] ?? {};
		const email = this.addEmail(row, values, options.emailColumn);
		for (const label of Object.keys(values)) {
			const { field, extra, isIgnored, isOfN8n } = this.headerOf(label);
			const value = values[label];
			const isEmail =
				field?.id === 'email' &&
				(!options.emailColumn || isNested(value) || isSameAddress(value, email?.value));
			if (isIgnored || isEmail || label === email?.label) continue;
			if (isOfN8n || isIdOfN8n(label, values, this.ignored))
				row.leaveOut('ofN8n', { label, value });
			else if (isNested(value) && email?.label.startsWith(label))
				row.leaveOut('inside', { label, value });
			else if (this.spec.isLeftOut(label, values)) row.leaveOut('ofRecord', { label, value });
			else if (field && field.id !== 'email') row.addField(field, { label, value });
			else if (extra === undefined) {
				row.leaveOut(this.spec.extra ? 'emailTwin' : 'noField', { label, value });
			} else
				for (const cell of this.cellsIn(values, label)) this.addUnlessLeftOut(row, cell, options);
		}
		const given = this.given[item] ?? {};
		for (const label of addedByFailure(given))
			row.leaveOut('ofFailure', { label, value: given[label] });
	}

	/** Adds a cell that no field takes, unless it has to be left out. */
	private addUnlessLeftOut(row: MappedRow, cell: Cell, options: MappingOptions): void {
		const { isShown, isNew } = row.columns.of(cell.id);
		if (isShown) return row.addExtra(cell);
		if (cell.type === undefined && isNested(cell.value)) return row.leaveOut('nested', cell);
		if (options.extraColumns === 'ignore') return;
		if (options.extraColumns === 'error')
			return row.failCell({ ...cell, value: '' }, notShown(isNew));
		row.addExtra(cell);
	}

	private addEmail(row: MappedRow, values: IDataObject, asked: string | undefined) {
		try {
			// That the option has no value is a failure of its own.
			if (asked === undefined && this.emailColumn !== undefined) return undefined;
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
		const isEmail = ({ key, field }: Header) => (wanted ? key === wanted : field?.id === 'email');
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
		const isLeftOut = isIdOfN8n(label, row, this.ignored) || this.spec.isLeftOut(label, row);
		if (extra === undefined || isLeftOut) return NO_CELLS;
		return this.spec.expand?.(label, row) ?? [{ id: extra, label, value: row[label] }];
	}

	private headerOf(name: string): Header {
		const header = this.headers.get(name) ?? this.readHeader(name);
		this.headers.set(name, header);
		return header;
	}

	private readHeader(name: string): Header {
		const key = columnKey(name);
		const field = this.names.fieldOf(name);
		const isIgnored = name.trim() === '' || this.ignored?.has(key) === true;
		const isOfN8n = this.ignored === undefined && COLUMNS_OF_N8N.includes(name);
		const header = { key, field, isIgnored, isOfN8n };
		const hasEmailColumn = this.emailColumn !== undefined;
		const isEmail = hasEmailColumn && key === columnKey(String(this.emailColumn));
		// With Email Column, a column called Email is a value of its own.
		const isTaken = isEmail || (field !== undefined && !(field.id === 'email' && hasEmailColumn));
		if (isTaken || isIgnored || isOfN8n) return header;
		return { ...header, extra: this.names.extraOf(name.trim()) };
	}
}

const NO_CELLS: Cell[] = [];

/** A row of n8n's data tables has an ID beside its two dates. Those of services are texts, as in HubSpot. */
function isIdOfN8n(label: string, row: IDataObject, ignored: Set<string> | undefined): boolean {
	const isRow = typeof row.id === 'number' && 'createdAt' in row && 'updatedAt' in row;
	return label === 'id' && isRow && ignored === undefined;
}

function notShown(isNew: boolean): Failure {
	const hint = "Remove the column, or change Options → 'Extra Columns'";
	const where = isNew ? 'in the account yet' : 'among those that the Columns field shows';
	return Failure.value(`is not ${where}`, hint);
}

function isSameAddress(one: unknown, other: unknown): boolean {
	return normalizeEmail(String(one)) === normalizeEmail(String(other));
}

function severalEmails(names: string[]): Failure {
	const columns = names.map((name) => `'${name}'`).join(' and ');
	const hint = "Set Options → 'Email Column' to the one with the email address";
	return Failure.at('Email', undefined, Failure.value(`could be in the columns ${columns}`, hint));
}

function nestedEmail({ label, value }: Pick<Cell, 'label' | 'value'>): Failure {
	if (Array.isArray(value) && value.length > 1) return severalEntries(label, value.length);
	const path = Array.isArray(value) ? `${label}[0].value` : `${label}.value`;
	const hint = `Set Options → 'Email Column' to the path of the address, such as ${path}`;
	return Failure.value('must be text', hint);
}

function severalEntries(list: string, count: number): Failure {
	return Failure.value(
		`is in a list of ${count} entries, of which only one would be sent`,
		split(list),
	);
}

function split(list: string): string {
	return `Put a Split Out node before this one, with Fields To Split Out = ${list}`;
}

function withoutEmail(row: IDataObject): Failure {
	const names = Object.keys(row);
	const nested = names.filter((name) => isNested(row[name]));
	const list = nested.find((name) => Array.isArray(row[name]));
	const object = nested.find((name) => !Array.isArray(row[name]));
	const [only = ''] = names.length === 1 ? names : [];
	const hints = [
		"Set Options → 'Email Column' to the column with the email address",
		names.length > 0 && `This row has: ${names.join(', ')}`,
		nested.length > 0 && `Values inside ${nested.join(', ')} are not columns`,
		list !== undefined && split(list),
		object !== undefined &&
			`Drag the email from ${object} onto 'Email Column', or put an Edit Fields node before this one, with Mode = JSON and {{ ${inRow(object)} }}`,
		/[;\t|]/.test(only) &&
			'The file was read with another delimiter than it has: set it in the node that reads it',
	];
	return Failure.value('is not in the row', hints.filter(Boolean).join('. '));
}

/** Returns the expression of a column's value. */
function inRow(name: string): string {
	return /^[a-z_]\w*$/i.test(name) ? `$json.${name}` : `$json[${JSON.stringify(name)}]`;
}

const PART = /\[\s*(?:"([^"]*)"|'([^']*)')\s*\]|([^.[\]]+)/g;

/**
 * Returns the value at a path as n8n's editor writes it when a nested value is dragged onto a field: `body.email`,
 * `email[0].value`, `body["Email Address"]`. Undefined when the row has no such value.
 *
 * @throws Failure for a path into a list with more entries, which would be left out
 */
function valueAtPath(row: object, path: string): unknown {
	let value: unknown = row;
	for (const part of path.matchAll(PART)) {
		const [, double, single, plain] = part;
		const name = String(double ?? single ?? plain);
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name))
			return undefined;
		const list = path.slice(0, part.index).replace(/[.[]$/, '');
		if (Array.isArray(value) && value.length > 1) throw severalEntries(list, value.length);
		value = Reflect.get(value, name);
	}
	return value;
}
