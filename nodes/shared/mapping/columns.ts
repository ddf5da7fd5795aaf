import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isObject, objectsIn, parsedJson } from '../base/json';
import { isBlank } from '../base/text';
import { contextIn, optionsReader, readFields } from '../fields/field';
import type { Field, FieldsOf, Mapping, Parameters, ReadRecords, Shown } from '../fields/field';
import { choice, id, json, perItem, textList } from '../fields/kinds';
import { HandMapper } from './byHand';
import { NameMapper } from './byName';
import type { MappingOptions } from './byName';
import { MappedItem } from './mappedItem';
import { RunProperties, typeOf } from './runProperties';
import { Names, wordsKey, nameInId } from './shape';
import type { Cell, Column, ItemShape, PropertyRules } from './shape';

interface ColumnSpec<Options extends MappingOptions, Value> extends ItemShape {
	example: string;
	/** Options of `mappingOptions`, and those that say how values are read. */
	options: FieldsOf<Options>;
	/** Reads the item. The failures of its cells are collected in the item. */
	read(item: MappedItem, options: Options): Value;
}

/** The name of a mapping in its operation. n8n shows it as a resource mapper. */
export const COLUMNS = 'columns';

export function columns<Options extends MappingOptions, Value>(
	service: string,
	spec: ColumnSpec<Options, Value>,
): Mapping<Value> {
	const names = new Names(spec);
	return {
		label: 'Columns',
		example: spec.example,
		takes: (name) => names.fixedColumn(name) !== undefined || name === spec.ownRecord?.column,
		fields: spec.options,
		property: mapperProperty,
		start: async (parameters, readRecords) => await start(service, spec, parameters, readRecords),
	};
}

function mapperProperty(name: string): INodeProperties {
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
				supportAutoMap: true,
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

const onlyAutomatic: INodeProperties['displayOptions'] = {
	show: { '/columns.mappingMode': [AUTOMATIC] },
};

const ignoredColumns = textList({
	displayName: 'Ignored Columns',
	displayOptions: onlyAutomatic,
	placeholder: 'e.g. notes, owner',
	description:
		'Input columns to leave out, separated by commas. Without this option, those that n8n adds are left out, such as row_number.',
});

/** @param plural the service's word for columns that no field takes: `Properties` */
export function mappingOptions(plural: string, clears: string) {
	return {
		emailColumn: perItem(
			id({
				displayName: 'Email Column',
				displayOptions: onlyAutomatic,
				placeholder: 'e.g. Work Email',
				description:
					'Name of the column with the email, or the email by an expression. Without this option, a column such as Email or E-Mail.',
			}),
		),
		emptyValues: choice({
			displayName: 'Empty Values',
			options: [
				{ name: 'Clear', value: 'clear', description: 'Send an empty text or list' },
				{ name: 'Ignore', value: 'ignore', description: 'Leave the field unchanged' },
			],
			description: `What to do with empty ${clears}. Without this option, they change nothing.`,
		}),
		extraColumns: choice({
			displayName: 'Extra Columns',
			displayOptions: onlyAutomatic,
			options: [
				{ name: `Add as ${plural}`, value: 'add', description: 'Create what the account lacks' },
				{ name: 'Ignore', value: 'ignore', description: 'Leave these columns out' },
			],
			description: `What to do with input columns that are not in Columns. Without this option, they become ${plural.toLowerCase()}.`,
		}),
		ignoredColumns,
	};
}

export function jsonOption(displayName: string, placeholder: string, values: string, key = 'name') {
	const description = `${values} as a JSON object of ${key}s and values`;
	return perItem(json({ displayName, placeholder, description }));
}

async function start<Options extends MappingOptions, Value>(
	service: string,
	spec: ColumnSpec<Options, Value>,
	parameters: Parameters,
	readRecords: ReadRecords,
): ReturnType<Mapping<Value>['start']> {
	const { properties: rules } = spec;
	const stored = storedColumns(parameters.written('columns.schema'));
	const isAutomatic = parameters.value('columns.mappingMode', 0) === AUTOMATIC;
	const isIgnored = ignoredNames(parameters);
	const mapper = isAutomatic
		? new NameMapper(spec, parameters, isIgnored)
		: new HandMapper(spec, parameters, stored);
	const jsonFields = jsonOptions(rules, spec.options);
	const ofOptions = jsonFields.flatMap((field) => jsonCells(parameters, field));
	const properties = rules
		? await propertiesOfRun(rules, mapper, stored, ofOptions, parameters, readRecords)
		: new RunProperties();
	const readOptions = optionsReader(spec.options);
	const mapping = { service, properties, typeNames: rules?.typeNames, isAutomatic, isIgnored };
	return (context) => {
		const options = readOptions(context);
		const item = new MappedItem(context, mapping, options.emptyValues === 'clear');
		mapper.addCells(item, options);
		for (const field of jsonFields) addJson(item, options, field);
		return spec.read(item, options);
	};
}

async function propertiesOfRun(
	rules: PropertyRules,
	mapper: HandMapper | NameMapper,
	stored: Column[],
	ofOptions: Cell[],
	parameters: Parameters,
	readRecords: ReadRecords,
): Promise<RunProperties> {
	const ids = new Set(mapper.propertyIds());
	for (const cell of ofOptions) ids.add(cell.id);
	const shown = stored.filter(({ type }) => type !== undefined);
	const hasDateOrder = !isBlank(parameters.tryValue('options.dateOrder', 0));
	const typeOfValue = (value: unknown) => typeOf(value, rules.isNumber, hasDateOrder);
	let properties = new RunProperties({ shown }, typeOfValue);
	const hasNew = () => [...ids].some((id) => properties.of(id).isNew);

	// Only what the account has can be cleared.
	const clears = parameters.written('options.emptyValues') !== undefined;
	const mayRead = shown.length === 0 || rules.hasAliases || mapper.needsAccount || clears;
	if (mayRead && hasNew()) {
		const account = await rules.read(readRecords);
		properties = new RunProperties({ shown, account }, typeOfValue);
	}
	// promise: one-type-all
	const count = hasNew() ? parameters.count : 0;
	for (let itemIndex = 0; itemIndex < count; itemIndex++) {
		for (const cell of mapper.propertiesOf(itemIndex)) properties.add(cell);
	}
	for (const cell of ofOptions) properties.add(cell);
	return properties;
}

function ignoredNames(parameters: Parameters): (name: string) => boolean {
	const value = parameters.value('options.ignoredColumns', 0);
	const { names } = readFields({ names: ignoredColumns }, () => value, contextIn());
	const keys = new Set(names?.map(wordsKey));
	return (name) => keys.has(wordsKey(name));
}

type JsonOption = ReturnType<typeof jsonOptions>[number];

function jsonOptions(rules: PropertyRules | undefined, fields: Record<string, Field<unknown>>) {
	return Object.entries(rules?.prefixes ?? {}).map(([option, prefix]) => {
		return { option, prefix, label: fields[option]?.label };
	});
}

/** An option that cannot be read fails its item later. */
function jsonCells(parameters: Parameters, json: JsonOption): Cell[] {
	const name = `options.${json.option}`;
	const count = parameters.hasExpression(name) ? parameters.count : 1;
	return Array.from({ length: count }).flatMap((_, itemIndex) => {
		const value = parameters.tryValue(name, itemIndex);
		return cellsOf(typeof value === 'string' ? parsedJson(value) : value, json);
	});
}

function addJson(item: MappedItem, options: object, json: JsonOption): void {
	const { [json.option]: value }: IDataObject = { ...options };
	if (!isObject(value)) return;
	item.inputs.push(value);
	cellsOf(value, json).forEach((cell) => item.addProperty(cell));
}

function cellsOf(value: unknown, { prefix, label }: JsonOption): Cell[] {
	if (!isObject(value)) return [];
	return Object.entries(value).map(([name, cell]) => {
		return { id: prefix + name, label: `${label}: ${name}`, source: 'option', value: cell };
	});
}

const TYPES = ['string', 'number', 'boolean', 'dateTime', 'array', 'object'] as const;

function storedColumns(schema: unknown): Column[] {
	return objectsIn(schema).map(({ id: column, displayName, type, removed }) => ({
		id: String(column),
		displayName: String(displayName ?? nameInId(String(column))),
		type: TYPES.find((name) => name === type),
		isRemoved: removed === true,
	}));
}

/**
 * Returns the columns that a node maps by hand, also those that no schema has.
 *
 * @param mapping has the values for the item that the editor shows: one that the item does not have is null, or absent
 * @param mapped the value of `mappedColumnIds`, if n8n evaluated it
 */
export function mappedColumns(mapping: unknown, mapped: unknown): Column[] {
	const { value, schema }: IDataObject = isObject(mapping) ? mapping : {};
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
