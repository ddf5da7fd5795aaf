import type { FieldType, IDataObject, INodeProperties, ResourceMapperField } from 'n8n-workflow';

import { Failure } from '../http/failure';
import { isObject, rowsOf } from '../http/json';
import type { ReadContext, Warning } from './context';
import { isDateObject } from './dates';
import { isAddress } from './emails';
import { InvalidFields, problemsIn, readFields } from './field';
import type { Field, FieldsOf, Problem } from './field';
import { choice, id, list, optionsOf } from './fields';
import type { ReadRows, RunSource } from './parameters';
import { InvalidValue, isBlank, readText } from './values';

// Rows that n8n's resource mapper maps: each column by hand, or the columns of the input items by name.

/** The name of the `resourceMapping` method of every node. */
export const COLUMNS_METHOD = 'getColumns';

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
	/** The service's type, when the account or all rows of the run decide it. */
	type?: string;
}

/** How a service maps a row, and what it takes. */
export interface ColumnSpec<Options extends object, Value> {
	/** The columns that every account has. The first one is the email. */
	fixed: Column[];
	/** How other columns are sent. Absent when the endpoint takes no others. */
	extra?: {
		/** Returns the ID of an input column: `property:Plan` for `Plan`. */
		idOf(name: string): string;
		/** How the service and the hint call them: `Properties`. */
		plural: string;
		/** Decides the service's type of a column from all its values in the run. */
		typeOf(values: unknown[]): string;
		/** Returns whether the account may know another type for these values than `typeOf` decides. */
		isAmbiguous(values: unknown[]): boolean;
		/** Returns the service's type for the type that the resource mapper stores. */
		typeOfField(type: FieldType | undefined): string;
		/** Returns the type's name in hints. */
		typeName(type: string): string;
		/** Reads the columns that the account has beyond the fixed ones. */
		read(readRows: ReadRows): Promise<Column[]>;
	};
	/** Returns the names of columns that cannot be sent, such as those that the service writes itself. */
	ownNames(row: IDataObject): string[];
	/** Returns the cells inside a column of the service's own record, such as a list of properties. */
	expand(name: string, value: unknown): Cell[] | undefined;
	/** Options that say how values are read. */
	options: FieldsOf<Options>;
	/** Reads the row. */
	read(cells: Cell[], options: Options, context: ReadContext, isAutomatic: boolean): Value;
}

const AUTOMATIC = 'autoMapInputData';
const onlyAutomatic: INodeProperties['displayOptions'] = {
	show: { '/columns.mappingMode': [AUTOMATIC] },
};

/** Returns the field for mapped rows, which n8n shows as a resource mapper. */
export function columns<Options extends object, Value>(
	service: string,
	spec: ColumnSpec<Options, Value>,
): Field<Value> {
	const options = { ...mappingOptions(spec.extra?.plural), ...optionsFrom(spec.options) };
	const field: Field<Value> = {
		label: 'Columns',
		path: '.value',
		options,
		property: (name) => mapperProperty(name, true),
		// An agent has no input items whose columns could be mapped by name.
		toolProperty: (name) => mapperProperty(name, false),
		read: () => {
			throw new InvalidValue('can be read in a run only');
		},
		async forRun(source) {
			const run = await MappedRun.start(service, spec, source);
			return {
				...field,
				read: (value, context) => run.read(value, context),
				identify: (value, context) => run.emailOf(value, context),
			};
		},
	};
	return field;
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
				resourceMapperMethod: COLUMNS_METHOD,
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

function optionsFrom(fields: Record<string, Field<unknown>>): Record<string, Field<unknown>> {
	return { ...fields, ...optionsOf(fields) };
}

/** The options of every mapped row. */
function mappingOptions(plural = 'Columns') {
	return {
		emailColumn: id({
			displayName: 'Email Column',
			requiresDataPath: 'single',
			displayOptions: onlyAutomatic,
			placeholder: 'e.g. Email Address',
			description:
				'Column with the email address: enter its name, or drag the column here. Uppercase, spaces and underscores do not matter.',
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
		ignoredColumns: list({
			displayName: 'Ignored Columns',
			displayOptions: onlyAutomatic,
			placeholder: 'e.g. row_number, notes',
			description: 'Names of input columns to leave out, separated by commas',
		}),
	};
}

/** Returns the form in which column names are compared: `First Name` and `first_name` are equal. */
export function columnKey(name: string): string {
	return name.toLowerCase().replace(/[\s_-]+/g, '');
}

/** Returns whether no single field can hold a value: objects, and arrays with objects in them. */
export function isNested(value: unknown): boolean {
	if (Array.isArray(value)) return value.some(isNestedEntry);
	return isNestedEntry(value) && !isDateObject(value);
}

function isNestedEntry(value: unknown): boolean {
	return typeof value === 'object' && value !== null;
}

/** What happens to a column that is empty: it stays as it is at the service, or is cleared. */
export type EmptyValues = 'ignore' | 'clear';

/** Reads the cells of a row and collects what is wrong with any of them. */
export class CellReader {
	private readonly problems: Problem[] = [];

	constructor(
		private readonly cells: Cell[],
		private readonly emptyValues: EmptyValues = 'ignore',
	) {}

	/** Reads a cell; undefined when it cannot be read. */
	read<Value>(cell: Cell, read: (value: unknown) => Value): Value | undefined {
		try {
			return read(cell.value);
		} catch (error) {
			this.problems.push(...problemsIn(error, `Column '${cell.label}'`, cell.value));
			return undefined;
		}
	}

	/** Reads a column that the service has a field for; undefined when it is empty or absent. */
	fixed<Value>(id: string, read: (value: unknown) => Value): Value | undefined {
		const cell = this.cells.find((one) => one.id === id);
		return cell === undefined || isBlank(cell.value) ? undefined : this.read(cell, read);
	}

	/** Reads a text column, which an empty value may clear. */
	text(id: string): string | undefined {
		const cell = this.cells.find((one) => one.id === id);
		return cell && isBlank(cell.value) ? this.cleared(cell.value) : this.fixed(id, readText);
	}

	/** Returns the empty text that clears a column, when the row has the column and the user chose to clear. */
	cleared(value: unknown): '' | undefined {
		return value !== undefined && this.emptyValues === 'clear' ? '' : undefined;
	}

	/** @throws InvalidFields when a cell could not be read */
	finish(): void {
		if (this.problems.length > 0) throw new InvalidFields(this.problems);
	}
}

const repeatedOrUnknown =
	(service: string): Warning =>
	(_, names) =>
		`Columns that were not sent because ${service} has no field for them: ${names.join(', ')}`;
const created =
	(service: string): Warning =>
	(_, names) =>
		`New in ${service}: ${names.join(', ')}`;
const guessedEmail: Warning = (_, [name]) =>
	`The email addresses were taken from the column '${name}'. To choose another one, set 'Email Column'`;
const unreadAccount: Warning = (_, [reason]) =>
	`The columns of the account could not be read, so the types were decided from the values: ${reason}`;

/** The mapping of one run: what its rows and the account say about each column. */
class MappedRun<Options extends object, Value> {
	private readonly fixed = new Map<string, string>();
	private readonly types = new Map<string, string>();
	private readonly leftOut: Warning;
	private readonly created: Warning;
	private guessed?: { column?: string };

	private constructor(
		service: string,
		private readonly spec: ColumnSpec<Options, Value>,
		private readonly rows: IDataObject[],
		private readonly isAutomatic: boolean,
		/** The columns that the account has, by ID; undefined when they are not known. */
		private readonly known: Map<string, Column> | undefined,
		/** Why the account could not be asked. */
		private readonly unread: string | undefined,
	) {
		for (const { id, displayName, aliases = [] } of spec.fixed) {
			for (const name of [id, displayName, ...aliases]) this.fixed.set(columnKey(name), id);
		}
		this.leftOut = repeatedOrUnknown(service);
		this.created = created(service);
	}

	/** Looks at the stored columns, and asks the account when the values alone do not decide their types. */
	static async start<Options extends object, Value>(
		service: string,
		spec: ColumnSpec<Options, Value>,
		{ parameters, name, readRows }: RunSource,
	): Promise<MappedRun<Options, Value>> {
		const isAutomatic = parameters.value(`${name}.mappingMode`, 0) === AUTOMATIC;
		const stored = columnsIn(parameters.value(`${name}.schema`, 0));
		const rows = isAutomatic ? parameters.rows : [];
		const known = stored.length > 0 ? byId(stored) : undefined;
		const make = (columns = known, unread?: string) =>
			new MappedRun(service, spec, rows, isAutomatic, columns, unread);
		const guess = make();
		const mustKnown = parameters.value('options.extraColumns', 0) ?? 'add';
		if (known || !spec.extra || !guess.needsAccount(mustKnown !== 'add')) return guess;
		try {
			return make(byId(await spec.extra.read(readRows)));
		} catch (error) {
			const failure = Failure.from(error);
			if (mustKnown !== 'add') throw failure;
			return make(undefined, failure.headline);
		}
	}

	/** Reads one row. */
	read(value: unknown, context: ReadContext): Value {
		const { spec } = this;
		const options = readFields(spec.options, (name) => context.options[name], context);
		if (this.unread !== undefined) context.warnings.add(unreadAccount, this.unread);
		const cells = this.isAutomatic ? this.cellsOfRow(context) : this.cellsByHand(value);
		const email = cells.find(({ id }) => id === 'email');
		if (email === undefined || isBlank(email.value)) {
			const label = this.isAutomatic ? `Column '${email?.label ?? 'email'}'` : 'Email';
			throw new InvalidFields([{ label, value: undefined, message: 'is missing' }]);
		}
		return spec.read(cells, options, context, this.isAutomatic);
	}

	/** Returns the row's address, to name the row in messages. */
	emailOf(value: unknown, context: ReadContext): string | undefined {
		const cells = this.isAutomatic ? this.cellsOfRow(context) : this.cellsByHand(value);
		const email = cells.find(({ id }) => id === 'email')?.value;
		return isBlank(email) ? undefined : String(email);
	}

	private cellsByHand(value: unknown): Cell[] {
		if (!isObject(value)) return [];
		return Object.entries(value).map(([id, value]) => {
			const column = this.known?.get(id) ?? this.spec.fixed.find((fixed) => fixed.id === id);
			const label = column?.displayName ?? id.slice(id.indexOf(':') + 1);
			const { extra } = this.spec;
			const type = column ? extra?.typeOfField(column.type) : extra?.typeOf([value]);
			return { id, label, value, type };
		});
	}

	private cellsOfRow(context: ReadContext): Cell[] {
		const row = this.rows[context.item] ?? {};
		const settings = readFields(mappingOptions(), (name) => context.options[name], context);
		const ignored = new Set((settings.ignoredColumns ?? []).map(columnKey));
		const own = new Set(this.spec.ownNames(row).map(columnKey));
		const email = this.emailCell(row, settings.emailColumn, context);
		const cells = new Map<string, Cell>([[email.id, email]]);
		const leaveOut = (name: string, value: unknown) => {
			if (!isBlank(value)) context.warnings.add(this.leftOut, name);
		};
		for (const [name, value] of Object.entries(row)) {
			const key = columnKey(name);
			if (name === email.label || ignored.has(key)) continue;
			const id = this.fixed.get(key);
			if (own.has(key)) leaveOut(name, value);
			else if (id !== undefined) {
				const earlier = cells.get(id);
				if (earlier === undefined || isBlank(earlier.value))
					cells.set(id, { id, label: name, value });
				else leaveOut(name, value);
			} else {
				const found = this.extraCells(name, value, settings.extraColumns, context);
				if (found === undefined) leaveOut(name, value);
				else for (const cell of found) cells.set(cell.id, cell);
			}
		}
		return [...cells.values()];
	}

	/** Returns the cells of a column without a field of its own; undefined when it cannot be sent. */
	private extraCells(
		name: string,
		value: unknown,
		extraColumns: string | undefined,
		context: ReadContext,
	): Cell[] | undefined {
		const { extra } = this.spec;
		const expanded = this.spec.expand(name, value);
		if (expanded) return expanded;
		if (!extra || name.trim() === '' || isNested(value)) return undefined;
		const id = extra.idOf(name);
		const known = this.known?.get(id);
		if (known === undefined && extraColumns === 'ignore') return [];
		if (known === undefined && extraColumns === 'error') {
			const hint = "Remove the column, or change 'Extra Columns'";
			const message = 'is not in the account yet';
			throw new InvalidFields([{ label: `Column '${name}'`, value: undefined, message, hint }]);
		}
		const type = known ? extra.typeOfField(known.type) : this.typeOf(name);
		if (this.known && known === undefined && !isBlank(value)) {
			context.warnings.add(this.created, `${name} (${extra.typeName(type)})`);
		}
		return [{ id: known?.id ?? id, label: name, value, type }];
	}

	private typeOf(name: string): string {
		const known = this.types.get(name) ?? this.spec.extra?.typeOf(this.valuesOf(name)) ?? '';
		this.types.set(name, known);
		return known;
	}

	private valuesOf(name: string): unknown[] {
		return this.rows.map((row) => row[name]).filter((value) => !isBlank(value));
	}

	/** Returns the cell with the row's address. */
	private emailCell(row: IDataObject, asked: string | undefined, context: ReadContext): Cell {
		if (asked !== undefined && isAddress(asked)) return { id: 'email', label: '', value: asked };
		if (asked !== undefined) {
			const name = Object.keys(row).find((column) => columnKey(column) === columnKey(asked));
			if (name !== undefined) return { id: 'email', label: name, value: row[name] };
			throw withoutEmail(asked, Object.keys(row));
		}
		const named = Object.keys(row).filter((name) => this.fixed.get(columnKey(name)) === 'email');
		const name = named.find((one) => !isBlank(row[one])) ?? named[0];
		if (name !== undefined) return { id: 'email', label: name, value: row[name] };
		this.guessed ??= { column: this.guessEmailColumn() };
		const { column } = this.guessed;
		if (column === undefined) throw withoutEmail('email', Object.keys(row));
		context.warnings.add(guessedEmail, column);
		return { id: 'email', label: column, value: row[column] };
	}

	/** Returns the only column that holds an address in every row of the run. */
	private guessEmailColumn(): string | undefined {
		const names = Object.keys(this.rows[0] ?? {}).filter((name) =>
			this.rows.every((row) => isAddress(String(row[name] ?? '').trim())),
		);
		return names.length === 1 ? names[0] : undefined;
	}

	private needsAccount(always: boolean): boolean {
		const names = new Set(this.rows.flatMap((row) => Object.keys(row)));
		return [...names].some((name) => {
			if (this.fixed.has(columnKey(name))) return false;
			return always || this.spec.extra?.isAmbiguous(this.valuesOf(name)) === true;
		});
	}
}

function withoutEmail(column: string, names: string[]): InvalidFields {
	const has = names.length > 0 ? ` This row has: ${names.join(', ')}` : '';
	const hint = `Set 'Email Column' to the column with the email address.${has}`;
	const message = 'is not in the row';
	return new InvalidFields([{ label: `Column '${column}'`, value: undefined, message, hint }]);
}

/** Returns the columns that the resource mapper stored in the node. */
function columnsIn(schema: unknown): Column[] {
	return (rowsOf(schema) ?? []).flatMap(({ id, displayName, type }) =>
		typeof id === 'string'
			? [{ id, displayName: String(displayName ?? id), type: fieldTypeOf(type) }]
			: [],
	);
}

const FIELD_TYPES: FieldType[] = ['string', 'number', 'boolean', 'dateTime', 'array', 'options'];

function fieldTypeOf(type: unknown): FieldType {
	return FIELD_TYPES.find((known) => known === type) ?? 'string';
}

function byId(columns: Column[]): Map<string, Column> {
	return new Map(columns.map((column) => [column.id, column]));
}

/** Returns the columns as n8n's resource mapper lists them. */
export function mapperFields(columns: Column[]): ResourceMapperField[] {
	return columns.map(({ id, displayName, type, required = false, options }) => ({
		id,
		displayName,
		type,
		required,
		options,
		defaultMatch: false,
		canBeUsedToMatch: false,
		display: true,
	}));
}
