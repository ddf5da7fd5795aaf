import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import { isBlank } from '../base/text';
import type { Parameters } from './field';
import { COLUMNS_OF_N8N } from './leftOut';
import { addedByFailure, withoutFailure } from './failedItem';
import { isExtra, isNested, columnKey, nameInId, namesOf } from './mappedItem';
import type { Cell, Column, MappedItem, ItemShape } from './mappedItem';
import { isAddress, normalizeEmail } from './values';

/** The values of the options that every mapped item has. */
export interface MappingOptions {
	emailColumn?: string;
	extraColumns?: 'add' | 'error' | 'ignore';
	emptyValues?: 'clear' | 'ignore';
}

/** The names under which items and mappings have the columns of a service. By name and by hand they are the same. */
class Names {
	private readonly fields: Map<string, Column>;

	constructor(private readonly spec: ItemShape) {
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
		private readonly spec: ItemShape,
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

	/** Returns an item's cells of such columns; none if an expression fails, as it does again when the item is read. */
	extras(itemIndex: number): Cell[] {
		const values = this.mapped(this.parameters.tryValue('columns.value', itemIndex));
		return Object.entries(values).flatMap(([written, value]) => {
			const id = this.extraOf(written);
			return id === undefined ? [] : [{ id, label: this.labelOf(written), value }];
		});
	}

	/** Adds the cells of an input item to its mapped item. */
	addCells(item: MappedItem): void {
		const values = this.mapped(this.parameters.value('columns.value', item.context.itemIndex));
		let email: unknown;
		for (const [written, value] of Object.entries(values)) {
			const label = this.labelOf(written);
			const field = this.names.fieldOf(written);
			const id = this.extraOf(written);
			if (field?.id === 'email') email = value;
			else if (field) item.addField(field, { label, value });
			else if (id !== undefined && (this.names.isExtra(written) || !item.columns.of(id).isNew)) {
				item.addExtra({ id, label, value });
			} else if (value !== null && value !== '') {
				item.failCell({ label: written, value }, this.unknown(item, written));
			}
		}
		item.addEmail({ label: 'Email', value: email }, 'Email');
	}

	private get written(): string[] {
		return Object.keys(this.mapped(this.parameters.written('columns.value')));
	}

	private labelOf(written: string): string {
		return this.labels.get(written) ?? nameInId(written);
	}

	private extraOf(written: string): string | undefined {
		return this.names.fieldOf(written) ? undefined : this.names.extraOf(written);
	}

	private unknown(item: MappedItem, written: string): Failure {
		const { spec } = this;
		const ids = [...spec.fixed.map(({ id }) => id), ...item.columns.known];
		const fresh = this.names.extraOf(nameInId(written));
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
	private readonly items: IDataObject[];
	private readonly names: Names;
	private readonly headers = new Map<string, Header>();
	/** The option as it stands in the node: undefined if it is not set. */
	private readonly emailColumn: unknown;

	/** @param ignored the keys of the names in Ignored Columns, if the option is set */
	constructor(
		private readonly spec: ItemShape,
		parameters: Parameters,
		private readonly ignored: Set<string> | undefined,
	) {
		this.names = new Names(spec);
		this.given = parameters.rows;
		this.items = this.given.map(withoutFailure);
		this.emailColumn = parameters.written('options.emailColumn');
	}

	/** The account explains the names of items only where the mapper shows none. */
	readonly needsAccount = false;

	*extraIds(): Iterable<string> {
		for (const itemIndex of this.items.keys()) {
			for (const { id } of this.extras(itemIndex)) yield id;
		}
	}

	extras(itemIndex: number): Cell[] {
		const item = this.items[itemIndex] ?? {};
		return Object.keys(item).flatMap((label) => this.cellsIn(item, label));
	}

	addCells(item: MappedItem, options: MappingOptions): void {
		const { itemIndex } = item.context;
		const values = this.items[itemIndex] ?? {};
		const email = this.addEmail(item, values, options.emailColumn);
		for (const label of Object.keys(values)) {
			const { field, extra, isIgnored, isOfN8n } = this.headerOf(label);
			const value = values[label];
			const isEmail =
				field?.id === 'email' &&
				(!options.emailColumn || isNested(value) || isSameAddress(value, email?.value));
			if (isIgnored || isEmail || label === email?.label) continue;
			if (isOfN8n || isIdOfN8n(label, values, this.ignored))
				item.leaveOut('ofN8n', { label, value });
			else if (isNested(value) && email?.label.startsWith(label))
				item.leaveOut('inside', { label, value });
			else if (this.spec.isLeftOut(label, values)) item.leaveOut('ofRecord', { label, value });
			else if (field && field.id !== 'email') item.addField(field, { label, value });
			else if (extra === undefined) {
				item.leaveOut(this.spec.extra ? 'emailTwin' : 'noField', { label, value });
			} else
				for (const cell of this.cellsIn(values, label)) this.addUnlessLeftOut(item, cell, options);
		}
		const given = this.given[itemIndex] ?? {};
		for (const label of addedByFailure(given))
			item.leaveOut('ofFailure', { label, value: given[label] });
	}

	/** Adds a cell that no field takes, unless it has to be left out. */
	private addUnlessLeftOut(item: MappedItem, cell: Cell, options: MappingOptions): void {
		const { isShown, isNew } = item.columns.of(cell.id);
		if (isShown) return item.addExtra(cell);
		if (cell.type === undefined && isNested(cell.value)) return item.leaveOut('nested', cell);
		if (options.extraColumns === 'ignore') return;
		if (options.extraColumns === 'error')
			return item.failCell({ ...cell, value: '' }, notShown(isNew));
		item.addExtra(cell);
	}

	private addEmail(item: MappedItem, values: IDataObject, asked: string | undefined) {
		try {
			// That the option has no value is a failure of its own.
			if (asked === undefined && this.emailColumn !== undefined) return undefined;
			const email = this.emailCell(values, asked);
			const name = `Column '${email.label}'`;
			if (isNested(email.value)) throw Failure.at(name, email.value, nestedEmail(email));
			item.addEmail(email, name);
			return email;
		} catch (error) {
			item.failCell({ label: asked ?? 'email', value: undefined }, error);
			return undefined;
		}
	}

	/** Returns the cell with the item's address. @throws Failure if the item has none, or several */
	private emailCell(item: IDataObject, asked: string | undefined) {
		if (asked !== undefined && isAddress(asked)) return { label: 'Email Column', value: asked };
		const wanted = asked === undefined ? undefined : columnKey(asked);
		const isEmail = ({ key, field }: Header) => (wanted ? key === wanted : field?.id === 'email');
		const hasExact = asked !== undefined && Object.hasOwn(item, asked);
		const names = hasExact
			? [asked]
			: Object.keys(item).filter((name) => isEmail(this.headerOf(name)));
		const filled = names.filter((name) => !isBlank(item[name]));
		const [label = names[0], ...others] = filled;
		if (label !== undefined) {
			const isOther = others.some((name) => !isSameAddress(item[name], item[label]));
			if (isOther) throw severalEmails(filled);
			return { label, value: item[label] };
		}
		const value = asked === undefined ? undefined : valueAtPath(item, asked);
		if (asked === undefined || value === undefined) throw withoutEmail(item);
		return { label: asked, value };
	}

	/** Returns the cells of a column that no field takes; several for a column of the service's own record. */
	private cellsIn(item: IDataObject, label: string): Cell[] {
		const { extra } = this.headerOf(label);
		const isLeftOut = isIdOfN8n(label, item, this.ignored) || this.spec.isLeftOut(label, item);
		if (extra === undefined || isLeftOut) return NO_CELLS;
		return this.spec.expand?.(label, item) ?? [{ id: extra, label, value: item[label] }];
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
function isIdOfN8n(label: string, item: IDataObject, ignored: Set<string> | undefined): boolean {
	const isRow = typeof item.id === 'number' && 'createdAt' in item && 'updatedAt' in item;
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

function withoutEmail(item: IDataObject): Failure {
	const names = Object.keys(item);
	const nested = names.filter((name) => isNested(item[name]));
	const list = nested.find((name) => Array.isArray(item[name]));
	const object = nested.find((name) => !Array.isArray(item[name]));
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
 * `email[0].value`, `body["Email Address"]`. Undefined when the item has no such value.
 *
 * @throws Failure for a path into a list with more entries, which would be left out
 */
function valueAtPath(item: object, path: string): unknown {
	let value: unknown = item;
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
