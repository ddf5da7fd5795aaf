import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isObject, objectsIn } from '../base/json';
import { contextIn, optionsReader, readFields } from './field';
import type {
	Field,
	FieldsOf,
	Mapping,
	Parameters,
	ReadContext,
	ReadRecords,
	Shown,
} from './field';
import { choice, id, textList } from './fields';
import { MappedItem, columnKey, nameInId, RunColumns } from './mappedItem';
import type { Cell, Column, Extra, ItemShape } from './mappedItem';
import { HandMapper, NameMapper } from './mappers';
import type { MappingOptions } from './mappers';
import { parsedJson } from './values';

// Items that n8n's resource mapper maps: each column by hand, or the columns of the input items by name.

/** How a service maps and reads an item. */
interface ColumnSpec<Options extends MappingOptions, Value> extends ItemShape {
	/** The columns' IDs and a worked example, for agents that build workflows. */
	example: string;
	/** Options of `mappingOptions`, and those that say how values are read. */
	options: FieldsOf<Options>;
	/** Reads the item. The failures of its cells are collected in the item. */
	read(item: MappedItem, options: Options): Value;
}

/** Returns the mapping of a service's items, which n8n shows as a resource mapper. Its input is called `columns`. */
export function columns<Options extends MappingOptions, Value>(
	service: string,
	spec: ColumnSpec<Options, Value>,
): Mapping<Value> {
	return {
		label: 'Columns',
		example: spec.example,
		options: spec.options,
		property: (name) => mapperProperty(name, true),
		// An agent has no input items whose columns could be mapped by name.
		toolProperty: (name) => mapperProperty(name, false),
		start: async (...run) => await start(service, spec, ...run),
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
	};
}

/**
 * Computes in the editor which columns the node maps. n8n 2.41 evaluates it with the other parameters for `getColumns`, and
 * stores no parameter that has its default in a workflow. HubSpot and Notion have such parameters.
 */
export const mappedColumnIds: Shown = {
	label: 'Mapped Columns',
	property: (name) => ({
		displayName: 'Mapped Columns',
		name,
		type: 'hidden',
		default: '={{ Object.keys($parameter.columns.value || {}) }}',
	}),
};

const AUTOMATIC = 'autoMapInputData';

/** Shows an option only with Map Automatically. */
const onlyAutomatic: INodeProperties['displayOptions'] = {
	show: { '/columns.mappingMode': [AUTOMATIC] },
};

const EXTRA_COLUMNS = 'Extra Columns';

const ignoredColumns = textList({
	displayName: 'Ignored Columns',
	displayOptions: onlyAutomatic,
	placeholder: 'e.g. row_number, notes',
	description:
		'Input columns to leave out, separated by commas. Without this option, those that n8n adds are left out, such as row_number.',
});

/**
 * Returns the options of every mapped item.
 *
 * @param plural the service's word for columns that no field takes: `Properties`
 * @param clears the fields that an empty value may clear
 */
export function mappingOptions(plural: string, clears: string) {
	return {
		emailColumn: id({
			displayName: 'Email Column',
			requiresDataPath: 'single',
			displayOptions: onlyAutomatic,
			placeholder: 'e.g. Work Email',
			description:
				'Column with the email address; you can drag it here. Without this option, it is the one named Email or Email Address.',
		}),
		emptyValues: choice({
			displayName: 'Empty Values',
			options: [
				{ name: 'Clear', value: 'clear', description: 'Send an empty text or list' },
				{ name: 'Ignore', value: 'ignore', description: 'Leave the field unchanged' },
			],
			default: 'clear',
			description: `What to do with ${clears} that are empty; numbers and booleans cannot be cleared. Without this option, empty values change nothing.`,
		}),
		extraColumns: choice({
			displayName: EXTRA_COLUMNS,
			displayOptions: onlyAutomatic,
			options: [
				{ name: `Add as ${plural}`, value: 'add', description: 'Create what the account lacks' },
				{ name: 'Error', value: 'error', description: 'The row fails' },
				{ name: 'Ignore', value: 'ignore', description: 'Leave these columns out' },
			],
			description: `What to do with input columns that match none of the columns to map. Without this option, they are added as ${plural.toLowerCase()}.`,
		}),
		ignoredColumns,
	};
}

/** Looks at all items of a run, and returns the reader of its items. */
async function start<Options extends MappingOptions, Value>(
	service: string,
	spec: ColumnSpec<Options, Value>,
	parameters: Parameters,
	readRecords: ReadRecords,
): Promise<(context: ReadContext) => Value> {
	const { extra } = spec;
	const stored = storedColumns(parameters.written('columns.schema'));
	const isAutomatic = parameters.value('columns.mappingMode', 0) === AUTOMATIC;
	const ignored = ignoredKeys(parameters);
	parameters.ofRun('options.extraColumns', EXTRA_COLUMNS);
	const mapper = isAutomatic
		? new NameMapper(spec, parameters, ignored)
		: new HandMapper(spec, parameters, stored);
	const json = jsonOptions(extra, spec.options);
	const further = json.flatMap((one) => jsonCells(parameters, one));
	const columns = extra
		? await columnsOfRun(extra, mapper, stored, further, parameters, readRecords)
		: new RunColumns();
	const readOptions = optionsReader(spec.options);
	return (context) => {
		const options = readOptions(context);
		const clears = options.emptyValues === 'clear';
		const item = new MappedItem(context, service, columns, extra?.typeNames, clears, isAutomatic);
		mapper.addCells(item, options);
		for (const one of json) {
			cellsOf(Reflect.get(options, one.option), one).forEach((cell) => item.addExtra(cell));
		}
		return spec.read(item, options);
	};
}

/** Decides for all items of a run which columns it has that no field takes, and their types. */
async function columnsOfRun(
	extra: Extra,
	mapper: HandMapper | NameMapper,
	stored: Column[],
	json: Cell[],
	parameters: Parameters,
	readRecords: ReadRecords,
): Promise<RunColumns> {
	const ids = new Set(mapper.extraIds());
	for (const cell of json) ids.add(cell.id);
	const typed = stored.filter(({ type }) => type !== undefined);
	let columns = new RunColumns(typed, [], extra.isNumber);
	const hasNew = () => [...ids].some((one) => columns.of(one).isNew);

	// Only what the account has can be cleared.
	const clears = parameters.written('options.emptyValues') !== undefined;
	const mayRead = typed.length === 0 || extra.hasAliases || mapper.needsAccount || clears;
	if (mayRead && hasNew()) {
		columns = new RunColumns(typed, await extra.read(readRecords), extra.isNumber);
	}
	// promise: one-type-all
	const count = hasNew() ? parameters.count : 0;
	for (let itemIndex = 0; itemIndex < count; itemIndex++) {
		for (const cell of mapper.extras(itemIndex)) columns.add(cell);
	}
	for (const cell of json) columns.add(cell);
	return columns;
}

/** Returns the keys of the names in Ignored Columns, which has one value for all items; undefined if it is not set. */
function ignoredKeys(parameters: Parameters): Set<string> | undefined {
	const value = parameters.ofRun('options.ignoredColumns', ignoredColumns.label);
	if (value === undefined) return undefined;
	const { names } = readFields({ names: ignoredColumns }, () => value, contextIn());
	return new Set(names?.map(columnKey));
}

type JsonOption = ReturnType<typeof jsonOptions>[number];

/** Returns the options with further columns as JSON. */
function jsonOptions(extra: Extra | undefined, fields: Record<string, Field<unknown>>) {
	return Object.entries(extra?.prefixes ?? {}).map(([option, prefix]) => {
		return { option, prefix, label: fields[option]?.label, typed: extra?.typed };
	});
}

/** Returns the cells of a JSON option of all items. What cannot be read fails its item later. */
function jsonCells(parameters: Parameters, json: JsonOption): Cell[] {
	const name = `options.${json.option}`;
	const count = parameters.hasExpression(name) ? parameters.count : 1;
	return Array.from({ length: count }).flatMap((_, itemIndex) => {
		const value = parameters.tryValue(name, itemIndex);
		return cellsOf(typeof value === 'string' ? parsedJson(value) : value, json);
	});
}

function cellsOf(value: unknown, { prefix, label, typed }: JsonOption): Cell[] {
	if (!isObject(value)) return [];
	return Object.entries(value).map(([name, cell]) => {
		const stated = typed?.(cell) ?? { value: cell };
		return { id: prefix + name, label: `${label}: ${name}`, source: 'option', ...stated };
	});
}

const TYPES = ['string', 'number', 'boolean', 'dateTime', 'array', 'object'] as const;

/** Returns the columns that the resource mapper stored in the node. */
function storedColumns(schema: unknown): Column[] {
	return objectsIn(schema).map(({ id: column, displayName, type, removed }) => ({
		id: String(column),
		displayName: String(displayName ?? column),
		type: TYPES.find((one) => one === type),
		isRemoved: removed === true,
	}));
}

/**
 * Returns the columns that a node maps by hand, also those that no schema has.
 *
 * @param columns has the values for the item that the editor shows: one that the item does not have is null, or absent
 * @param mapped the value of `mappedColumnIds`, if n8n evaluated it
 */
export function mappedColumns(columns: unknown, mapped: unknown): Column[] {
	const { value, schema }: IDataObject = isObject(columns) ? columns : {};
	const stored = storedColumns(schema);
	const ids = new Set(stored.map(({ id }) => id));
	const written = Array.isArray(mapped)
		? mapped.map(String)
		: Object.keys(isObject(value) ? value : {});
	const others = written.filter((id) => !ids.has(id));
	return [
		...stored.filter(({ isRemoved }) => !isRemoved),
		...others.map((id) => ({ id, displayName: nameInId(id) })),
	];
}
