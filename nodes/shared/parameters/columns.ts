import type { FieldType, IDataObject, INodeProperties, ResourceMapperField } from 'n8n-workflow';

import { SurveyError } from '../http/surveyError';
import { isObject, rowsOf } from '../http/json';
import type { ReadContext, Warning } from './context';
import { isDateObject } from './dates';
import { isAddress, normalizeEmail } from './emails';
import { InvalidFields, problemsIn, readInto } from './field';
import type { Field, FieldsOf, Problem } from './field';
import { choice, id, list, optionsOf } from './fields';
import type { ReadRows, RunSource } from './parameters';
import { InvalidValue, isBlank, readText } from './values';

// Rows that n8n's resource mapper maps: each column by hand, or the columns of the input items by name.

/** The name of the `resourceMapping` method of every node. */
const COLUMNS_METHOD = 'getColumns';

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

/** How a service takes columns that it has no field for. */
interface Extra {
	/** Returns the ID of an input column: `property:Plan` for `Plan`. */
	idOf(name: string): string;
	/** What the service calls them: `Properties`. */
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
}

/** How a service maps a row, and what it takes. */
export interface ColumnSpec<Options extends object, Value> {
	/** The columns that every account has. The first one is the email. */
	fixed: Column[];
	/** How other columns are sent. Absent when the endpoint takes no others. */
	extra?: Extra;
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
		identity: { name: 'email', label: 'Email' },
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

/** How the mapping options are read; only the labels differ between the services. */
const MAPPING_OPTIONS = mappingOptions();

/** Returns the form in which column names are compared: `First Name` and `first_name` are equal. @internal */
export function columnKey(name: string): string {
	return name.toLowerCase().replace(/[\s_-]+/g, '');
}

/** Returns whether no single field can hold a value: objects, and arrays with objects in them. @internal */
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

/** The cells of one row, and what is wrong with its columns. */
interface Mapping {
	cells: Map<string, Cell>;
	problems: Problem[];
	context: ReadContext;
	options: { extraColumns?: string };
}

/** The mapping of one run: what its rows and the account say about each column. */
class MappedRun<Options extends object, Value> {
	/** The IDs of the fixed columns by their names. */
	private readonly fixed = new Map<string, string>();
	private readonly types = new Map<string, string>();
	private readonly leftOut: Warning;
	private readonly created: Warning;
	private guessed?: { column?: string };

	private constructor(
		service: string,
		private readonly spec: ColumnSpec<Options, Value>,
		/** The input items; empty when the columns are mapped by hand. */
		private readonly rows: IDataObject[],
		private readonly isAutomatic: boolean,
		/** The columns that the account has, by ID; undefined when they are not known. */
		private readonly known: Map<string, Column> | undefined,
		/** Why the account could not be asked. */
		private readonly unread?: string,
	) {
		for (const { id, displayName, aliases = [] } of spec.fixed) {
			for (const name of [id, displayName, ...aliases]) this.fixed.set(columnKey(name), id);
		}
		this.leftOut = repeatedOrUnknown(service);
		this.created = created(service);
	}

	/** Looks at the stored columns, and asks the account about those that it does not find there. */
	static async start<Options extends object, Value>(
		service: string,
		spec: ColumnSpec<Options, Value>,
		{ parameters, name, readRows }: RunSource,
	): Promise<MappedRun<Options, Value>> {
		const isAutomatic = parameters.value(`${name}.mappingMode`, 0) === AUTOMATIC;
		const stored = columnsIn(parameters.value(`${name}.schema`, 0));
		const rows = isAutomatic ? parameters.rows : [];
		const make = (columns?: Column[], unread?: string) => {
			const known = columns && new Map(columns.map((one) => [one.id, one]));
			return new MappedRun(service, spec, rows, isAutomatic, known, unread);
		};
		const run = make(stored);
		const mustKnow = (parameters.value('options.extraColumns', 0) ?? 'add') !== 'add';
		if (!spec.extra || !run.needsAccount(spec.extra, mustKnow)) return run;
		try {
			return make([...(stored ?? []), ...(await spec.extra.read(readRows))]);
		} catch (error) {
			const failure = SurveyError.from(error);
			if (mustKnow) throw failure;
			return make(stored, failure.headline);
		}
	}

	/** Reads one row. @throws InvalidFields with all problems of the row */
	read(value: unknown, context: ReadContext): Value {
		const { spec, unread } = this;
		const valueOf = (name: string) => context.options[name];
		const problems: Problem[] = [];
		const options = readInto(problems, spec.options, valueOf, context);
		const mapping = readInto(problems, MAPPING_OPTIONS, valueOf, context);
		const row = { cells: new Map<string, Cell>(), problems, context, options: mapping };
		if (unread !== undefined) context.warnings.add(unreadAccount, unread);
		if (this.isAutomatic) this.mapItem(row, mapping.emailColumn, mapping.ignoredColumns);
		else this.mapByHand(row, value);
		try {
			const read = spec.read([...row.cells.values()], options, context, this.isAutomatic);
			if (problems.length === 0) return read;
		} catch (error) {
			problems.push(...problemsIn(error, 'Columns', undefined));
		}
		throw new InvalidFields(problems);
	}

	/** Returns the row's address, to name the row in messages. */
	emailOf(value: unknown, context: ReadContext): string | undefined {
		const asked = MAPPING_OPTIONS.emailColumn.read(context.options.emailColumn, context);
		const email = this.isAutomatic
			? this.emailCell(this.rows[context.item] ?? {}, asked)?.value
			: isObject(value)
				? value.email
				: undefined;
		return isBlank(email) ? undefined : String(email);
	}

	private mapByHand(row: Mapping, values: unknown): void {
		const { extra, fixed } = this.spec;
		const { cells, problems, context } = row;
		for (const [id, value] of Object.entries(isObject(values) ? values : {})) {
			const column = this.known?.get(id) ?? fixed.find((one) => one.id === id);
			const label = column?.displayName ?? id.slice(id.indexOf(':') + 1);
			const type = column ? extra?.typeOfField(column.type) : extra?.typeOf([value]);
			if (extra || fixed.some((one) => one.id === id)) cells.set(id, { id, label, value, type });
			else if (!isBlank(value)) context.warnings.add(this.leftOut, label);
		}
		if (isBlank(cells.get('email')?.value)) problems.push(missing('Email'));
	}

	private mapItem(row: Mapping, asked: string | undefined, ignoredColumns: string[] = []): void {
		const { cells, problems, context } = row;
		const item = this.rows[context.item] ?? {};
		const ignored = new Set(ignoredColumns.map(columnKey));
		const own = this.ownKeys(item);
		const email = this.emailCell(item, asked);
		if (asked === undefined && 'emailColumn' in context.options) {
			problems.push(missing('Email Column'));
		} else if (email === undefined)
			problems.push(withoutEmail(asked ?? 'email', Object.keys(item)));
		else if (isBlank(email.value)) problems.push(missing(`Column '${email.label}'`));
		if (email) cells.set('email', email);
		if (email && email.label === this.guessed?.column) {
			context.warnings.add(guessedEmail, email.label);
		}
		for (const [name, value] of Object.entries(item)) {
			const key = columnKey(name);
			if (name === email?.label || ignored.has(key)) continue;
			const id = this.fixed.get(key);
			if (own.has(key)) this.leaveOut(row, name, value);
			else if (id === 'email') this.addOtherEmail(row, name, value, email);
			else if (id !== undefined) this.add(row, { id, label: name, value });
			else this.addExtra(row, name, value);
		}
	}

	/** Adds a column for an email that is not the row's address: a repetition, or a value of its own. */
	private addOtherEmail(row: Mapping, name: string, value: unknown, email?: Cell): void {
		if (normalizeEmail(String(value)) === normalizeEmail(String(email?.value))) return;
		if (this.isEmail(email?.label ?? name)) this.leaveOut(row, name, value);
		else this.addExtra(row, name, value);
	}

	private isEmail(name: string): boolean {
		return this.fixed.get(columnKey(name)) === 'email';
	}

	/** Adds a column that the service has no field for. */
	private addExtra(row: Mapping, name: string, value: unknown): void {
		const { extra, expand } = this.spec;
		const inside = expand(name, value);
		if (extra && inside) {
			for (const cell of inside) this.addKnownOrNew(row, extra, cell);
		} else if (!extra || name.trim() === '' || isNested(value)) {
			this.leaveOut(row, name, value);
		} else {
			const id = extra.idOf(name.trim());
			const known = this.known?.get(id);
			const type = known ? extra.typeOfField(known.type) : this.typeOf(extra, name);
			this.addKnownOrNew(row, extra, { id, label: name, value, type });
		}
	}

	private addKnownOrNew(row: Mapping, extra: Extra, cell: Cell): void {
		const { problems, context, options } = row;
		const { id, label, value, type = '' } = cell;
		const isNew = this.known !== undefined && !this.known.has(id);
		if (isNew && options.extraColumns === 'ignore') return;
		if (isNew && options.extraColumns === 'error') problems.push(notInAccount(label));
		else if (isNew && !isBlank(value)) {
			context.warnings.add(this.created, `${label} (${extra.typeName(type)})`);
		}
		this.add(row, cell);
	}

	/** Adds a cell, unless the row has another value for the same column. */
	private add(row: Mapping, cell: Cell): void {
		if (isBlank(row.cells.get(cell.id)?.value)) row.cells.set(cell.id, cell);
		else this.leaveOut(row, cell.label, cell.value);
	}

	private leaveOut({ context }: Mapping, name: string, value: unknown): void {
		if (!isBlank(value)) context.warnings.add(this.leftOut, name);
	}

	private typeOf(extra: Extra, name: string): string {
		const type = this.types.get(name) ?? extra.typeOf(this.valuesOf(name));
		this.types.set(name, type);
		return type;
	}

	/** Returns the names that the service itself writes into a record, in the form of `columnKey`. */
	private ownKeys(row: IDataObject): Set<string> {
		return new Set(this.spec.ownNames(row).map(columnKey));
	}

	private valuesOf(name: string): unknown[] {
		return this.rows.map((row) => row[name]).filter((value) => !isBlank(value));
	}

	/** Returns the cell with the row's address; undefined when the row has no such column. */
	private emailCell(row: IDataObject, asked: string | undefined): Cell | undefined {
		if (asked !== undefined && isAddress(asked)) {
			return { id: 'email', label: 'Email Column', value: asked };
		}
		const wanted = asked ?? 'email';
		const names = Object.keys(row).filter(
			(name) => columnKey(name) === columnKey(wanted) || (!asked && this.isEmail(name)),
		);
		const filled = names.filter((name) => !isBlank(row[name]));
		const label = filled.includes(wanted) ? wanted : (filled[0] ?? names[0]);
		if (label !== undefined) return { id: 'email', label, value: row[label] };
		if (asked !== undefined) return undefined;
		this.guessed ??= { column: this.guessEmailColumn() };
		const { column } = this.guessed;
		return column === undefined ? undefined : { id: 'email', label: column, value: row[column] };
	}

	/** Returns the only column that holds an address in every row of the run. */
	private guessEmailColumn(): string | undefined {
		const names = Object.keys(this.rows[0] ?? {}).filter((name) =>
			this.rows.every((row) => isAddress(String(row[name] ?? '').trim())),
		);
		return names.length === 1 ? names[0] : undefined;
	}

	/** Returns whether the rows have columns that only the account can decide about. */
	private needsAccount(extra: Extra, mustKnow: boolean): boolean {
		const names = new Set(
			this.rows.flatMap((row) => {
				const own = this.ownKeys(row);
				return Object.keys(row).filter((name) => !own.has(columnKey(name)));
			}),
		);
		return [...names].some((name) => {
			if (this.fixed.has(columnKey(name)) || this.known?.has(extra.idOf(name.trim()))) return false;
			return mustKnow || extra.isAmbiguous(this.valuesOf(name));
		});
	}
}

function missing(label: string): Problem {
	return { label, value: undefined, message: 'is missing' };
}

function notInAccount(name: string): Problem {
	const hint = "Remove the column, or change 'Extra Columns'";
	return {
		label: `Column '${name}'`,
		value: undefined,
		message: 'is not in the account yet',
		hint,
	};
}

function withoutEmail(column: string, names: string[]): Problem {
	const has = names.length > 0 ? `. This row has: ${names.join(', ')}` : '';
	const hint = `Set 'Email Column' to the column with the email address${has}`;
	return { label: `Column '${column}'`, value: undefined, message: 'is not in the row', hint };
}

/** Returns the columns that the resource mapper stored in the node; undefined when it stored none. */
function columnsIn(schema: unknown): Column[] | undefined {
	const columns = (rowsOf(schema) ?? []).flatMap(({ id, displayName, type }) =>
		typeof id === 'string'
			? [{ id, displayName: String(displayName ?? id), type: fieldTypeOf(type) }]
			: [],
	);
	return columns.length > 0 ? columns : undefined;
}

const FIELD_TYPES: FieldType[] = [
	...(['string', 'number', 'boolean', 'dateTime'] as const),
	...(['array', 'object', 'options'] as const),
];

function fieldTypeOf(type: unknown): FieldType {
	return FIELD_TYPES.find((known) => known === type) ?? 'string';
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
