import { Failure } from '../base/failure';
import { isObject, rowsOf } from '../http/json';
import type { Cell, Column, EmptyValues, RowShape } from './columnSpec';
import { ColumnTypes } from './columnTypes';
import type { Parameters } from './context';
import { readInto } from './field';
import type { FieldsOf } from './field';
import { HandMapper } from './handMapper';
import { MappedRow } from './mappedRow';
import type { MappedColumns } from './mappedRow';
import type { Mapper } from './mapper';
import type { MappedRows, MappingRun } from './mapping';
import { AUTOMATIC, MAPPING_OPTIONS } from './mappingOptions';
import { NameMapper } from './nameMapper';
import { isBlank, parsedJson } from './values';

const TYPES = ['string', 'number', 'boolean', 'dateTime', 'array', 'object'] as const;

/** How a service maps and reads a row. */
export interface ColumnSpec<Options extends object, Value> extends RowShape {
	/** Options that say how values are read. */
	options: FieldsOf<Options>;
	/**
	 * Reads the row. The failures of its cells are collected in the row.
	 *
	 * @param isAutomatic true if the columns are mapped by their names
	 */
	read(row: MappedRow, options: Options, isAutomatic: boolean): Value;
}

/** Starts the mapping of a run. A failure that concerns all rows fails each of them. */
export async function startMapping<Options extends { emptyValues?: EmptyValues }, Value>(
	service: string,
	spec: ColumnSpec<Options, Value>,
	run: MappingRun,
): Promise<MappedRows<Value>> {
	let failure: Failure;
	try {
		return await start(service, spec, run);
	} catch (error) {
		failure = Failure.from(error);
	}
	const read = () => {
		throw failure;
	};
	return { read, emailOf: () => undefined };
}

async function start<Options extends { emptyValues?: EmptyValues }, Value>(
	service: string,
	spec: ColumnSpec<Options, Value>,
	run: MappingRun,
): Promise<MappedRows<Value>> {
	const { parameters, name } = run;
	const { extra } = spec;
	const stored = storedColumns(parameters.value(`${name}.schema`, 0));
	const isAutomatic = parameters.value(`${name}.mappingMode`, 0) === AUTOMATIC;
	const mapper = isAutomatic ? new NameMapper(spec, run) : new HandMapper(spec, run, stored);
	function* undecided(types: ColumnTypes): Iterable<Cell> {
		yield* mapper.extras(types);
		for (const { option, prefix } of extra?.json ?? [])
			yield* jsonCells(parameters, option, prefix);
	}
	const { isNumber = () => false } = extra ?? {};
	let types = new ColumnTypes(stored, isNumber);
	if (extra && stored.length === 0 && hasAny(undecided(types))) {
		types = new ColumnTypes(await extra.read(run.readRows), isNumber);
	}
	if (extra) for (const cell of undecided(types)) types.add(cell);
	parameters.ofRun('options.extraColumns', MAPPING_OPTIONS.extraColumns.label);
	return rowsOfRun(service, spec, mapper, types);
}

function rowsOfRun<Options extends { emptyValues?: EmptyValues }, Value>(
	service: string,
	spec: ColumnSpec<Options, Value>,
	mapper: Mapper,
	types: ColumnTypes,
): MappedRows<Value> {
	const { extra } = spec;
	const columns = { extra, types, ...warningsOf(service) };
	return {
		read(context) {
			const failures: Failure[] = [];
			const valueOf = (name: string) => context.options[name];
			const options = readInto(failures, spec.options, valueOf, context);
			const mapping = readInto(failures, MAPPING_OPTIONS, valueOf, context);
			const row = new MappedRow(context, failures, columns, { ...mapping, ...options });
			mapper.map(row, mapping);
			for (const { option, prefix, label } of extra?.json ?? []) {
				const json: unknown = Reflect.get(options, option);
				cellsOf(json, prefix, label).forEach((cell) => row.addJson(cell));
			}
			const read = spec.read(row, options, mapper.isAutomatic);
			if (failures.length > 0) throw Failure.all(failures);
			return read;
		},
		emailOf(context) {
			const email = mapper.emailOf(context);
			return isBlank(email) || typeof email === 'object' ? undefined : String(email);
		},
	};
}

function warningsOf(service: string): Pick<MappedColumns, 'leftOut' | 'created'> {
	return {
		leftOut: (_, names) =>
			`Columns that were not sent because ${service} has no field for them: ${names.join(', ')}`,
		created: (_, names) => `New in ${service}: ${names.join(', ')}`,
	};
}

function hasAny(cells: Iterable<Cell>): boolean {
	for (const _ of cells) return true;
	return false;
}

/** Returns the cells of a JSON option of all items. What cannot be read fails its row later. */
function* jsonCells(parameters: Parameters, option: string, prefix: string): Iterable<Cell> {
	const name = `options.${option}`;
	const count = parameters.hasExpression(name) ? parameters.count : 1;
	for (let item = 0; item < count; item++) {
		const value = parameters.tryValue(name, item);
		const read = typeof value === 'string' ? parsedJson(value) : value;
		yield* cellsOf(read, prefix, option);
	}
}

function cellsOf(json: unknown, prefix: string, label: string): Cell[] {
	if (!isObject(json)) return [];
	return Object.entries(json).map(([name, value]) => {
		return { id: prefix + name, label: `${label}: ${name}`, value };
	});
}

/** Returns the columns that the resource mapper stored in the node. */
function storedColumns(schema: unknown): Column[] {
	return (rowsOf(schema) ?? []).map(({ id, displayName, type }) => ({
		id: String(id),
		displayName: String(displayName ?? id),
		type: TYPES.find((one) => one === type) ?? 'string',
	}));
}
