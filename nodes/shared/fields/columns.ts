import type { FieldType, IDataObject, INodeProperties, ResourceMapperField } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject, rowsOf } from '../http/json';
import type { Parameters, ReadContext, Warning } from './context';
import type { Mapping, MappedRows, MappingRun, ReadRows } from './mapping';
import { isDateObject } from './dates';
import { isAddress, normalizeEmail } from './emails';
import { valueAtPath } from './path';
import { readInto } from './field';
import type { FieldsOf } from './field';
import { choice, id, textList } from './fields';
import { isBlank, readText } from './values';

// Rows that n8n's resource mapper maps: each column by hand, or the columns of the input items by name.

/** A column that can be mapped. */
export interface Column {
	/** Stable and readable: `email`, `property:Renewal Date`. */
	id: string;
	displayName: string;
	type: FieldType;
	required?: boolean;
	options?: ResourceMapperField['options'];
	/** Other names under which input items have this column. */
	aliases?: string[];
}

/** One value of a row. */
export interface Cell {
	id: string;
	/** The name of the column in error messages. */
	label: string;
	value: unknown;
	/** A type of the resource mapper, or the service's own; undefined when only the value decides it. */
	type?: string;
}

/** How a service takes columns that it has no field for. */
interface Extra {
	/** Returns the ID of an input column: `property:Plan` for `Plan`. */
	idOf(name: string): string;
	/** The service's word for them: `Properties`. */
	plural: string;
	/** Decides the type of a column from all its values in the run. */
	typeOf(values: unknown[]): string;
	/** Returns whether the account may know another type for a value than `typeOf` decides. */
	isAmbiguous(value: unknown): boolean;
	/** Returns the type's name in hints. */
	typeName(type: string): string;
	/** Reads the columns that the account has beyond the fixed ones. */
	read(readRows: ReadRows): Promise<Column[]>;
}

/** How a service maps and reads a row. */
interface ColumnSpec<Options extends object, Value> {
	/** The columns that every account has. The first one is the email. */
	fixed: Column[];
	/** How other columns are sent. Absent when the endpoint takes no others. */
	extra?: Extra;
	/** Returns the names of columns that cannot be sent, such as those that the service writes itself. */
	ownNames(row: IDataObject): string[];
	/** Returns the cells inside a column of the service's own record, such as a list of properties. */
	expand?(name: string, value: unknown): Cell[] | undefined;
	/** Options that say how values are read. */
	options: FieldsOf<Options>;
	/** Reads the row. Problems with its cells are collected in the row. */
	read(row: MappedRow, options: Options): Value;
}

const AUTOMATIC = 'autoMapInputData';

/** Shows an option only with Map Automatically. */
export const onlyAutomatic: INodeProperties['displayOptions'] = {
	show: { '/columns.mappingMode': [AUTOMATIC] },
};

/** Returns the mapping of a service's rows, which n8n shows as a resource mapper. */
export function columns<Options extends { emptyValues?: EmptyValues }, Value>(
	service: string,
	spec: ColumnSpec<Options, Value>,
): Mapping<Value> {
	return {
		label: 'Columns',
		options: { ...mappingOptions(spec.extra?.plural), ...spec.options },
		property: (name) => mapperProperty(name, true),
		// An agent has no input items whose columns could be mapped by name.
		toolProperty: (name) => mapperProperty(name, false),
		start: async (run) => await MappedRun.start(service, spec, run),
	};
}

function mapperProperty(name: string, supportAutoMap: boolean): INodeProperties {
	return {
		displayName: 'Columns',
		name,
		type: 'resourceMapper',
		noDataExpression: true,
		required: true,
		default: { mappingMode: 'defineBelow', value: null },
		typeOptions: {
			resourceMapper: {
				resourceMapperMethod: 'getColumns',
				mode: 'add',
				fieldWords: { singular: 'column', plural: 'columns' },
				addAllFields: false,
				supportAutoMap,
			},
			loadOptionsDependsOn: ['resource', 'operation'],
		},
		builderHint: {
			propertyHint:
				'With mappingMode defineBelow, value holds one entry for each column ID; email is required. With autoMapInputData, value is null and the input columns are matched by name.',
		},
	};
}

/** Returns the options of every mapped row. */
function mappingOptions(plural = 'Columns') {
	return {
		emailColumn: id({
			displayName: 'Email Column',
			requiresDataPath: 'single',
			displayOptions: onlyAutomatic,
			placeholder: 'e.g. Email Address',
			description:
				'Column with the email address: enter its name, or drag the column here, also from inside another one. Uppercase, spaces and underscores do not matter. Needed when no column is named Email.',
		}),
		extraColumns: choice({
			displayName: 'Extra Columns',
			displayOptions: onlyAutomatic,
			options: [
				{ name: `Add as ${plural}`, value: 'add', description: 'Create what the account lacks' },
				{ name: 'Error', value: 'error', description: 'The row fails' },
				{ name: 'Ignore', value: 'ignore', description: 'Leave these columns out' },
			],
			description: 'What to do with input columns that the account does not have yet',
		}),
		ignoredColumns: textList({
			displayName: 'Ignored Columns',
			displayOptions: onlyAutomatic,
			placeholder: 'e.g. row_number, notes',
			description:
				'Names of input columns to leave out, separated by commas. Without this option, columns that n8n adds itself are left out: row_number, createdAt, updatedAt, submittedAt and formMode.',
		}),
	};
}

/** Reads the mapping options of both services, which differ only in labels. */
const MAPPING_OPTIONS = mappingOptions();

/** Returns the form in which column names are compared: `First Name` and `first_name` are equal. @internal */
export function columnKey(name: string): string {
	return name.toLowerCase().replace(/[\s_-]/g, '');
}

/** Returns whether no single field can hold a value: objects, and arrays with objects in them. @internal */
export function isNested(value: unknown): boolean {
	const isEntry = (entry: unknown) => typeof entry === 'object' && entry !== null;
	if (Array.isArray(value)) return value.some(isEntry);
	return isEntry(value) && !isDateObject(value);
}

/** Returns the type that all values share that are not blank; text when they differ. */
export function sharedType(
	values: unknown[],
	isNumber: (value: unknown) => boolean,
	isDate: (value: unknown) => boolean,
): FieldType {
	const filled = values.filter((value) => !isBlank(value));
	const all = (test: (value: unknown) => boolean) => filled.length > 0 && filled.every(test);
	if (all((value) => typeof value === 'boolean')) return 'boolean';
	if (all(isNumber)) return 'number';
	if (all(Array.isArray)) return 'array';
	if (all((value) => isDateObject(value) || isDate(value))) return 'dateTime';
	return all(isObject) ? 'object' : 'string';
}

/** Says whether an empty column leaves the value at the service unchanged or clears it. */
export type EmptyValues = 'ignore' | 'clear';

/** The cells of one row, and the failures of any of them. */
export class MappedRow {
	private readonly cells = new Map<string, Cell>();

	constructor(
		readonly context: ReadContext,
		readonly isAutomatic: boolean,
		readonly failures: Failure[],
		private readonly emptyValues: EmptyValues | undefined,
	) {}

	/** Adds a cell, and returns true, unless the row has another value for its column. */
	add(cell: Cell): boolean {
		if (!isBlank(this.cells.get(cell.id)?.value)) return false;
		this.cells.set(cell.id, cell);
		return true;
	}

	/** Reads a cell; undefined when it cannot be read. */
	read<Value>({ label, value }: Cell, read: (value: unknown) => Value): Value | undefined {
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
		return this.cleared(this.cells.get(id)?.value) ?? this.fixed(id, readText);
	}

	/**
	 * Reads the columns whose IDs have a prefix, and the entries of a JSON option that no column has.
	 *
	 * @param labelOf returns the label of a JSON entry in error messages
	 * @param read gets the name of the column; '' as the value clears it
	 */
	extras<Entry>(
		prefix: string,
		json: IDataObject = {},
		labelOf: (name: string) => string,
		read: (name: string, value: unknown, type?: string) => Entry | undefined,
	): Entry[] {
		const entries: Entry[] = [];
		const add = (cell: Cell) => {
			const value = isBlank(cell.value) ? this.cleared(cell.value) : cell.value;
			if (value === undefined) return;
			const entry = this.read(cell, () => read(cell.id.slice(prefix.length), value, cell.type));
			if (entry !== undefined) entries.push(entry);
		};
		for (const [name, value] of Object.entries(json)) {
			const id = prefix + name;
			if (!this.cells.has(id)) add({ id, label: labelOf(name), value });
		}
		for (const cell of this.cells.values()) if (cell.id.startsWith(prefix)) add(cell);
		return entries;
	}

	/** Returns the empty text that clears a blank column, when the user chose to clear. */
	private cleared(value: unknown): '' | undefined {
		const isEmpty = value !== undefined && isBlank(value);
		return isEmpty && this.emptyValues === 'clear' ? '' : undefined;
	}
}

/** Columns that n8n's Google Sheets, Data Table and Form nodes add to their rows. */
const COLUMNS_OF_N8N = ['row_number', 'createdAt', 'updatedAt', 'submittedAt', 'formMode'];

const ofN8n: Warning = (_, names) =>
	`Columns of n8n that were not sent: ${names.join(', ')}. To send them, list in 'Ignored Columns' only what to leave out`;
const unreadAccount: Warning = (_, [reason]) =>
	`The columns of the account could not be read, so the types were decided from the values: ${reason}`;

/** The columns that the account has, by ID; undefined when they are not known. */
type KnownColumns = Map<string, { displayName: string; type: string }> | undefined;

/** The mapping of one run: what its rows and the account say about each column. */
class MappedRun<Options extends { emptyValues?: EmptyValues }, Value> implements MappedRows<Value> {
	/** The IDs of the fixed columns by their names. */
	private readonly fixed = new Map<string, string>();
	private readonly types = new Map<string, string>();
	private readonly keys = new Map<string, string>();
	private readonly leftOut: Warning;
	private readonly created: Warning;

	private constructor(
		service: string,
		private readonly spec: ColumnSpec<Options, Value>,
		private readonly parameters: Parameters,
		private readonly name: string,
		/** The input items; undefined when the columns are mapped by hand. */
		private readonly rows: IDataObject[] | undefined,
		private readonly known: KnownColumns,
		/** Why the account could not be asked. */
		private readonly unread?: string,
	) {
		for (const { id, displayName, aliases = [] } of spec.fixed) {
			for (const name of [id, displayName, ...aliases]) this.fixed.set(columnKey(name), id);
		}
		this.leftOut = (_, names) =>
			`Columns that were not sent because ${service} has no field for them: ${names.join(', ')}`;
		this.created = (_, names) => `New in ${service}: ${names.join(', ')}`;
	}

	/** Looks at the stored columns, and asks the account about those that it does not find there. */
	static async start<Options extends { emptyValues?: EmptyValues }, Value>(
		service: string,
		spec: ColumnSpec<Options, Value>,
		{ parameters, name, readRows }: MappingRun,
	): Promise<MappedRun<Options, Value>> {
		const isAutomatic = parameters.value(`${name}.mappingMode`, 0) === AUTOMATIC;
		const rows = isAutomatic ? parameters.rows : undefined;
		const stored = storedColumns(parameters.value(`${name}.schema`, 0));
		const run = new MappedRun(service, spec, parameters, name, rows, stored);
		const mustKnow = (parameters.value('options.extraColumns', 0) ?? 'add') !== 'add';
		if (!spec.extra || !run.needsAccount(spec.extra, mustKnow)) return run;
		try {
			const found = await spec.extra.read(readRows);
			const known = new Map([...(stored ?? []), ...found.map((one) => [one.id, one] as const)]);
			return new MappedRun(service, spec, parameters, name, rows, known);
		} catch (error) {
			const failure = Failure.from(error);
			if (mustKnow) throw failure;
			return new MappedRun(service, spec, parameters, name, rows, stored, failure.headline);
		}
	}

	read(context: ReadContext): Value {
		const { spec, unread } = this;
		const valueOf = (name: string) => context.options[name];
		const failures: Failure[] = [];
		const options = readInto(failures, spec.options, valueOf, context);
		const mapping = readInto(failures, MAPPING_OPTIONS, valueOf, context);
		const row = new MappedRow(context, this.rows !== undefined, failures, options.emptyValues);
		if (unread !== undefined) context.warnings.add(unreadAccount, unread);
		if (this.rows) this.mapByName(row, mapping);
		else this.mapByHand(row, this.valuesFor(context));
		const read = spec.read(row, options);
		if (failures.length > 0) throw Failure.all(failures);
		return read;
	}

	emailOf(context: ReadContext): string | undefined {
		const value = this.valuesFor(context);
		const asked = MAPPING_OPTIONS.emailColumn.read(context.options.emailColumn, context);
		const byHand = isObject(value) ? value.email : undefined;
		const email = this.rows ? this.emailCell(this.itemOf(context), asked)?.value : byHand;
		return isBlank(email) || typeof email === 'object' ? undefined : String(email);
	}

	private valuesFor({ item }: ReadContext): unknown {
		return this.rows ? undefined : this.parameters.value(`${this.name}.value`, item);
	}

	private itemOf({ item }: ReadContext): IDataObject {
		return this.rows?.[item] ?? {};
	}

	private mapByHand(row: MappedRow, values: unknown): void {
		const { extra, fixed } = this.spec;
		const given = isObject(values) ? values : {};
		for (const [id, value] of Object.entries(given)) {
			const column = this.known?.get(id) ?? fixed.find((one) => one.id === id);
			const label = column?.displayName ?? id.slice(id.indexOf(':') + 1);
			const type = column?.type ?? extra?.typeOf([value]);
			if (extra || fixed.some((one) => one.id === id)) row.add({ id, label, value, type });
			else this.leaveOut(row, label, value);
		}
		if (isBlank(given.email)) row.failures.push(missing('Email'));
	}

	private mapByName(
		row: MappedRow,
		options: { emailColumn?: string; extraColumns?: string; ignoredColumns?: string[] },
	): void {
		const { emailColumn, extraColumns, ignoredColumns = [] } = options;
		const { context } = row;
		const item = this.itemOf(context);
		const ignored = new Set(ignoredColumns.map(columnKey));
		const isReplaced = 'ignoredColumns' in context.options;
		const own = this.ownKeys(item);
		const email = this.addEmail(row, item, emailColumn);
		for (const [name, value] of Object.entries(item)) {
			const key = this.keyOf(name);
			if (name === email?.label || ignored.has(key)) continue;
			if (!isReplaced && COLUMNS_OF_N8N.includes(name)) {
				context.warnings.add(ofN8n, name);
				continue;
			}
			const id = this.fixed.get(key);
			if (id === 'email' && isSameAddress(value, email?.value)) continue;
			// With 'Email Column', a column called Email is a value of its own.
			const isOther = id === 'email' && email !== undefined && !this.isEmail(email.label);
			if (own.has(key)) this.leaveOut(row, name, value);
			else if (id !== undefined && !isOther) this.add(row, { id, label: name, value });
			else {
				for (const cell of this.extraCells(row, name, value)) {
					if (this.isWanted(row, cell, extraColumns)) this.add(row, cell);
				}
			}
		}
	}

	private addEmail(row: MappedRow, item: IDataObject, asked: string | undefined) {
		const { failures, context } = row;
		const email = this.emailCell(item, asked);
		if (asked === undefined && 'emailColumn' in context.options) {
			failures.push(missing('Email Column'));
		} else if (email === undefined) {
			failures.push(withoutEmail(asked ?? 'email', item));
		} else if (isBlank(email.value)) failures.push(missing(`Column '${email.label}'`));
		if (email) row.add(email);
		return email;
	}

	private keyOf(name: string): string {
		const key = this.keys.get(name) ?? columnKey(name);
		this.keys.set(name, key);
		return key;
	}

	private isEmail(name: string): boolean {
		return this.fixed.get(this.keyOf(name)) === 'email';
	}

	/** Returns the cells of a column that the service has no field for; none when they cannot be sent. */
	private extraCells(row: MappedRow, name: string, value: unknown): Cell[] {
		const { extra, expand } = this.spec;
		const inside = extra && expand?.(name, value);
		if (inside) return inside;
		if (!extra || name.trim() === '' || isNested(value)) {
			this.leaveOut(row, name, value);
			return [];
		}
		const id = extra.idOf(name.trim());
		const type = this.known?.get(id)?.type ?? this.typeOf(extra, name);
		return [{ id, label: name, value, type }];
	}

	/** Decides about a column that the account may not have. */
	private isWanted(
		{ failures, context }: MappedRow,
		{ id, label, value, type }: Cell,
		extraColumns: string | undefined,
	): boolean {
		const { extra } = this.spec;
		if (this.known === undefined || this.known.has(id)) return true;
		if (extraColumns === 'error') failures.push(notInAccount(label));
		else if (extra && extraColumns !== 'ignore' && !isBlank(value)) {
			const typeName = extra.typeName(type ?? extra.typeOf([value]));
			context.warnings.add(this.created, `${label} (${typeName})`);
		}
		return extraColumns !== 'ignore';
	}

	private add(row: MappedRow, cell: Cell): void {
		if (!row.add(cell)) this.leaveOut(row, cell.label, cell.value);
	}

	private leaveOut({ context }: MappedRow, name: string, value: unknown): void {
		if (!isBlank(value)) context.warnings.add(this.leftOut, name);
	}

	private typeOf(extra: Extra, name: string): string {
		const type = this.types.get(name) ?? extra.typeOf(this.valuesOf(name));
		this.types.set(name, type);
		return type;
	}

	private ownKeys(row: IDataObject): Set<string> {
		return new Set(this.spec.ownNames(row).map(columnKey));
	}

	private valuesOf(name: string): unknown[] {
		return this.rows?.map((row) => row[name]).filter((value) => !isBlank(value)) ?? [];
	}

	/** Returns the cell with the row's address; undefined when the row has no such column. */
	private emailCell(row: IDataObject, asked: string | undefined): Cell | undefined {
		if (asked !== undefined && isAddress(asked)) {
			return { id: 'email', label: 'Email Column', value: asked };
		}
		const wanted = asked ?? 'email';
		const names = Object.keys(row).filter((name) =>
			asked === undefined ? this.isEmail(name) : this.keyOf(name) === columnKey(asked),
		);
		const filled = names.filter((name) => !isBlank(row[name]));
		const label = filled.includes(wanted) ? wanted : (filled[0] ?? names[0]);
		if (label !== undefined) return { id: 'email', label, value: row[label] };
		const nested = asked === undefined ? undefined : valueAtPath(row, asked);
		return nested === undefined ? undefined : { id: 'email', label: wanted, value: nested };
	}

	/** Returns whether the rows have columns that only the account can decide about. */
	private needsAccount(extra: Extra, mustKnow: boolean): boolean {
		const names = (this.rows ?? []).flatMap((row) => {
			const own = this.ownKeys(row);
			return Object.keys(row).filter((name) => !own.has(this.keyOf(name)));
		});
		return [...new Set(names)].some((name) => {
			if (this.fixed.has(this.keyOf(name)) || this.known?.has(extra.idOf(name.trim())))
				return false;
			return mustKnow || this.valuesOf(name).some((value) => extra.isAmbiguous(value));
		});
	}
}

function isSameAddress(one: unknown, other: unknown): boolean {
	return normalizeEmail(String(one)) === normalizeEmail(String(other));
}

function missing(label: string): Failure {
	return Failure.at(label, undefined, Failure.value('is missing'));
}

function notInAccount(name: string): Failure {
	const hint = "Remove the column, or change 'Extra Columns'";
	const failure = Failure.value('is not in the account yet', hint);
	return Failure.at(`Column '${name}'`, undefined, failure);
}

function withoutEmail(column: string, row: IDataObject): Failure {
	const names = Object.keys(row);
	const nested = names.filter((name) => isNested(row[name])).join(', ');
	const hints = [
		"Set 'Email Column' to the column with the email address",
		names.length > 0 ? `This row has: ${names.join(', ')}` : '',
		nested &&
			`Values inside ${nested} are not columns: drag the email from there onto 'Email Column', or put an Edit Fields or Split Out node before this one`,
	];
	const hint = hints.filter(Boolean).join('. ');
	return Failure.at(`Column '${column}'`, undefined, Failure.value('is not in the row', hint));
}

/** Returns the columns that the resource mapper stored in the node. */
function storedColumns(schema: unknown): KnownColumns {
	const stored = (rowsOf(schema) ?? []).map(({ id, displayName, type }) => {
		const name = String(id);
		return [name, { displayName: String(displayName ?? id), type: String(type) }] as const;
	});
	return stored.length > 0 ? new Map(stored) : undefined;
}

/** Returns the columns as n8n's resource mapper lists them. */
export function mapperFields(columns: Column[]): ResourceMapperField[] {
	return columns.map(({ id, displayName, type, required = false, options }) => ({
		...{ id, displayName, type, required, options },
		...{ defaultMatch: false, canBeUsedToMatch: false, display: true },
	}));
}
