import type { INodeProperties, ResourceMapperField } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject, recordsOf } from '../base/json';
import type { Cell, Column, EmptyValues, RowShape } from './columnSpec';
import { columnKey, RunColumns } from './columnTypes';
import type { Parameters, Warning } from './context';
import { optionsReader, withRead } from './field';
import type { FieldsOf } from './field';
import { choice, id, textList } from './fields';
import { MappedRow } from './mappedRow';
import { HandMapper, NameMapper } from './mappers';
import type { Mapper } from './mappers';
import type { Mapping, MappingRun, ReadRow } from './mapping';
import { parsedJson } from './values';

// Rows that n8n's resource mapper maps: each column by hand, or the columns of the input items by name.

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
		async start(run) {
			try {
				return await start(service, spec, run);
			} catch (error) {
				// It concerns all rows, so each of them fails.
				return () => {
					throw Failure.from(error);
				};
			}
		},
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
				noFieldsError: 'Choose a credential above, then click Retry.',
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

/** Returns the columns as n8n's resource mapper lists them. */
export function mapperFields(columns: Column[]): ResourceMapperField[] {
	return columns.map(({ id, displayName, type, required = false, options }) => ({
		...{ id, displayName, type, required, options },
		...{ defaultMatch: false, canBeUsedToMatch: false, display: true },
	}));
}

const AUTOMATIC = 'autoMapInputData';

/** Shows an option only with Map Automatically. */
export const onlyAutomatic: INodeProperties['displayOptions'] = {
	show: { '/columns.mappingMode': [AUTOMATIC] },
};

const ignoredNames = textList({
	displayName: 'Ignored Columns',
	displayOptions: onlyAutomatic,
	placeholder: 'e.g. row_number, notes',
	description:
		'Names of input columns to leave out, separated by commas. Without this option, columns that n8n adds itself are left out: row_number, createdAt, updatedAt, submittedAt, formMode, webhookUrl and executionMode.',
});

/** Returns the options of every mapped row. */
function mappingOptions(plural = 'Columns') {
	return {
		emailColumn: id({
			displayName: 'Email Column',
			requiresDataPath: 'single',
			displayOptions: onlyAutomatic,
			placeholder: 'e.g. Work Email',
			description:
				'Column with the email address: enter its name, or drag the column here, also from inside another one. Uppercase, spaces and underscores do not matter. Needed when no column is named Email or Email Address.',
		}),
		extraColumns: choice({
			displayName: 'Extra Columns',
			displayOptions: onlyAutomatic,
			options: [
				{ name: `Add as ${plural}`, value: 'add', description: 'Create what the account lacks' },
				{ name: 'Error', value: 'error', description: 'The row fails' },
				{ name: 'Ignore', value: 'ignore', description: 'Leave these columns out' },
			],
			description:
				'What to do with input columns that the Columns field does not show with Map Each Column',
		}),
		ignoredColumns: withRead(
			ignoredNames,
			(value, context) => new Set(ignoredNames.read(value, context)?.map(columnKey)),
		),
	};
}

/** Reads the options of both services, which differ only in labels. */
const MAPPING_OPTIONS = mappingOptions();

const TYPES = ['string', 'number', 'boolean', 'dateTime', 'array', 'object'] as const;

/** How a service maps and reads a row. */
interface ColumnSpec<Options extends object, Value> extends RowShape {
	/** Options that say how values are read. */
	options: FieldsOf<Options>;
	/**
	 * Reads the row. The failures of its cells are collected in the row.
	 *
	 * @param isAutomatic true if the columns are mapped by their names
	 */
	read(row: MappedRow, options: Options, isAutomatic: boolean): Value;
}

/** Looks at all rows of a run, and returns the reader of its rows. */
async function start<Options extends { emptyValues?: EmptyValues }, Value>(
	service: string,
	spec: ColumnSpec<Options, Value>,
	run: MappingRun,
): Promise<ReadRow<Value>> {
	const { parameters, name } = run;
	const { extra } = spec;
	const stored = storedColumns(parameters.value(`${name}.schema`, 0));
	const isAutomatic = parameters.value(`${name}.mappingMode`, 0) === AUTOMATIC;
	const mapper = isAutomatic
		? new NameMapper(service, spec, run)
		: new HandMapper(spec, run, stored);
	const json = extra?.json.flatMap(({ option, prefix }) => jsonCells(parameters, option, prefix));
	const isUnknown = stored.length === 0 && (mapper.hasExtras || json?.length);
	const shown = extra && isUnknown ? await extra.read(run.readRecords) : stored;
	const columns = new RunColumns(shown, extra?.isNumber);
	mapper.collect(columns);
	json?.forEach(({ id: column, value }) => columns.of(column).add(value));
	parameters.ofRun('options.extraColumns', MAPPING_OPTIONS.extraColumns.label);
	return rowReader(service, spec, mapper, columns);
}

/** Returns the reader of the rows of a run. */
function rowReader<Options extends { emptyValues?: EmptyValues }, Value>(
	service: string,
	spec: ColumnSpec<Options, Value>,
	mapper: Mapper,
	columns: RunColumns,
): ReadRow<Value> {
	const readOptions = optionsReader(spec.options);
	const readMapping = optionsReader(MAPPING_OPTIONS);
	const leftOut: Warning = (_, names) =>
		`Columns that were not sent because ${service} has no field for them: ${names.join(', ')}`;
	return (context, failures) => {
		const options = readOptions(failures, context);
		const row = new MappedRow(context, failures, leftOut, options.emptyValues);
		mapper.map(row, columns, readMapping(failures, context));
		for (const { option, prefix, label } of spec.extra?.json ?? []) {
			for (const cell of cellsOf(Reflect.get(options, option), prefix, label)) {
				const column = columns.of(cell.id);
				// A mapped column wins.
				if (!row.has(column)) row.addExtra(cell, column);
			}
		}
		return spec.read(row, options, mapper.isAutomatic);
	};
}

/** Returns the cells of a JSON option of all items. What cannot be read fails its row later. */
function jsonCells(parameters: Parameters, option: string, prefix: string): Cell[] {
	const name = `options.${option}`;
	const count = parameters.hasExpression(name) ? parameters.count : 1;
	return Array.from({ length: count }).flatMap((_, item) => {
		const value = parameters.tryValue(name, item);
		const read = typeof value === 'string' ? parsedJson(value) : value;
		return cellsOf(read, prefix, option);
	});
}

function cellsOf(json: unknown, prefix: string, label: string): Cell[] {
	if (!isObject(json)) return [];
	return Object.entries(json).map(([name, value]) => {
		return { id: prefix + name, label: `${label}: ${name}`, value };
	});
}

/** Returns the columns that the resource mapper stored in the node. */
function storedColumns(schema: unknown): Column[] {
	return (recordsOf(schema) ?? []).map(({ id, displayName, type }) => ({
		id: String(id),
		displayName: String(displayName ?? id),
		type: TYPES.find((one) => one === type) ?? 'string',
	}));
}
