import type {
	IExecuteFunctions,
	IHookFunctions,
	INodeProperties,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { z } from 'zod/v4';

import { Failure } from '../http/failure';
import { quote } from '../http/brief';
import { once } from '../http/once';
import { withRules } from './rules';
import type { ReadingRules } from './rules';
import { AUTOMATIC, DATA_MODE, emailColumnField, ignoredColumnsField } from './columns';
import type { ReadColumns, RowParameters } from './columns';
import { collection, optionalWord, readId, stringList } from './schemas';
import { isBlank, schemaOf, withDefault } from './values';
import type { ReadValue } from './values';

const DEFAULT_ADVICE = 'Correct the value, or the expression that gives it';

/** Checks what parameters have to do with each other; tells by an issue with the parameter's path. */
export type Refine<Shape extends z.ZodRawShape> = (
	input: Input<Shape>,
	context: z.RefinementCtx,
) => void;

/** What a shape's parameters are once they are read. */
export type Input<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** An operation's context: parameters by item. */
type ActionContext = Pick<IExecuteFunctions, 'getInputData' | 'getNodeParameter' | 'getTimezone'>;

/** A trigger's context: it has no items. */
type TriggerContext = Pick<
	IPollFunctions | IHookFunctions | IWebhookFunctions,
	'getNodeParameter' | 'getTimezone'
>;

/**
 * Gives the value of a parameter, `options.timeout` say. A field that is not shown has none, which n8n
 * takes for a mistake without a fallback.
 */
export function valueOf(context: ActionContext, name: string, item: number): unknown {
	const fixed = fixedValues.get(context) ?? new Map<string, { value: unknown } | undefined>();
	fixedValues.set(context, fixed);
	if (!fixed.has(name)) fixed.set(name, fixedValue(context, name));
	const known = fixed.get(name);
	return known ? known.value : read(context, name, item);
}

/** Parameters without an expression: they are the same for every item, and are read once a run. */
const fixedValues = new WeakMap<ActionContext, Map<string, { value: unknown } | undefined>>();

function fixedValue(context: ActionContext, name: string): { value: unknown } | undefined {
	if (hasExpression(writtenIn(context, name))) return undefined;
	return { value: read(context, name, 0) };
}

/** A parameter as it stands in the workflow. */
function writtenIn(context: ActionContext, name: string): unknown {
	return context.getNodeParameter(name, 0, null, { rawExpressions: true });
}

function hasExpression(written: unknown): boolean {
	if (typeof written === 'string') return written.startsWith('=');
	return Object.values(written ?? {}).some(hasExpression);
}

function read(context: ActionContext, name: string, item: number): unknown {
	// n8n would look through all fields of the node for how to check a value; schemas check it here.
	return context.getNodeParameter(name, item, null, { skipValidation: true }) ?? undefined;
}

/**
 * Reads one field by itself, where it does not go into the request.
 *
 * @throws Failure where its value cannot be read
 */
export function readField<Value>(
	context: ActionContext,
	item: number,
	field: INodeProperties,
	read: ReadValue<Value>,
): Value {
	const value = valueOf(context, field.name, item) ?? field.default;
	const result = schemaOf(read).safeParse(value);
	if (result.success) return result.data;
	throw invalid(result.error.issues[0], value, field.displayName);
}

/** What readers tell of values that can be used, but that the user may want to know of. */
export interface ReadingNotes
	extends Pick<ReadingRules, 'onAmbiguousDate' | 'onRepeatedTime' | 'onRejected'> {
	/** Told of the columns of a row that do not go out. */
	onLeftOut?(columns: string[]): void;
}

/** Reads and checks the parameters of one item. */
export type ReadInput<Input> = (
	context: ActionContext,
	item: number,
	notes?: ReadingNotes,
) => Input;

/**
 * Gives the reader of an operation's parameters: those that `shape` names.
 *
 * @param fields the operation's fields, for their labels in messages
 * @param columns what the service makes of an item's columns, where it can be mapped automatically
 * @returns a function that throws Failure where a parameter is not of its schema
 */
export function parameterReader<Shape extends z.ZodRawShape>(
	shape: () => Shape,
	fields: INodeProperties[],
	refine: Refine<Shape> = () => {},
	columns?: ReadColumns,
): ReadInput<Input<Shape>> {
	const read = readerOfValues(shape, fields, refine);
	return (context, item, notes = {}) => {
		const row = columns && rowOf(context, item, columns);
		if (row && row.leftOut.length > 0) notes.onLeftOut?.(row.leftOut);
		const valueFor = (name: string) =>
			row && name in row.parameters ? row.parameters[name] : valueOf(context, name, item);
		const isExpression = (name: string) => hasExpression(writtenIn(context, name));
		return read(valueFor, context.getTimezone(), { ...notes, isExpression }, row?.columnAt);
	};
}

/**
 * Remembers the last reading: what has no expression is the same object for every row, and need not be
 * read again for each.
 */
function rememberLast<Given extends unknown[], Value>(
	read: (...given: Given) => Value,
): (...given: Given) => Value {
	let last: { given: Given; value: Value } | undefined;
	return (...given) => {
		if (last?.given.every((one, place) => Object.is(one, given[place]))) return last.value;
		last = { given, value: read(...given) };
		return last.value;
	};
}

/** What the user set about columns. */
const columnSettings = once(() =>
	z.object({
		emailColumn: withDefault('email', readId),
		options: collection({ ignoredColumns: stringList }),
	}),
);

const readColumnSettings = rememberLast((emailColumn: unknown, options: unknown) =>
	parse(columnSettings(), { emailColumn, options }, COLUMN_LABELS),
);

/**
 * Gives an item's columns as parameters; undefined where the user maps each field by hand.
 *
 * @throws Failure for a row without the column that holds the address
 */
export function rowOf(
	context: ActionContext,
	item: number,
	columns: ReadColumns,
): RowParameters | undefined {
	if (valueOf(context, DATA_MODE, item) !== AUTOMATIC) return undefined;
	const { emailColumn, options } = readColumnSettings(
		valueOf(context, emailColumnField.name, item),
		valueOf(context, 'options', item),
	);
	const valueFor = (name: string) => valueOf(context, name, item);
	const row = context.getInputData()[item]?.json ?? {};
	return columns(row, { emailColumn, ignoredColumns: options.ignoredColumns ?? [] }, valueFor);
}

/**
 * Gives the reader of a trigger's parameters: those that `shape` names.
 *
 * @param fields the trigger's fields, for their labels in messages
 * @returns a function that throws Failure where a parameter is not of its schema
 */
export function triggerParameterReader<Shape extends z.ZodRawShape>(
	shape: () => Shape,
	fields: INodeProperties[],
): (context: TriggerContext) => Input<Shape> {
	const read = readerOfValues(shape, fields, () => {});
	return (context) =>
		read((name) => context.getNodeParameter(name, null) ?? undefined, context.getTimezone());
}

/** What the operation's own options say of how its values are read. */
const ruleOptions = once(() => ({
	dateOrder: optionalWord(['monthFirst', 'dayFirst']),
	emptyValues: optionalWord(['ignore', 'clear']),
	rejectedCharacters: optionalWord(['error', 'remove', 'skip']),
}));
const rulesSchema = once(() => z.object({ options: collection(ruleOptions()) }));

type Values = Record<string, unknown>;

/** Reads parameters that `valueFor` gives, in the workflow's time zone. */
type ReadValues<Input> = (
	valueFor: (name: string) => unknown,
	zone: string,
	notes?: ReadingNotes & Pick<ReadingRules, 'isExpression'>,
	columnAt?: RowParameters['columnAt'],
) => Input;

/** n8n loads every operation when it starts, and few ever run: a reader is made when it is first used. */
function readerOfValues<Shape extends z.ZodRawShape>(
	...of: Parameters<typeof newReader<Shape>>
): ReadValues<Input<Shape>> {
	const reader = once(() => newReader(...of));
	return (...given) => reader()(...given);
}

function newReader<Shape extends z.ZodRawShape>(
	shape: () => Shape,
	fields: INodeProperties[],
	refine: Refine<Shape>,
): ReadValues<Input<Shape>> {
	const parameters = shape();
	const schema = z.object(parameters).superRefine(refine);
	const labels = labelsByName(fields);
	const hasRules = Object.keys(ruleOptions()).some((name) => labels.has(name));
	const readRules = rememberLast(
		(options: unknown) => parse(rulesSchema(), { options }, labels).options,
	);
	const names = Object.keys(hasRules ? { options: undefined, ...parameters } : parameters);

	return (
		valueFor,
		zone,
		{ onAmbiguousDate, onRepeatedTime, onRejected, isExpression } = {},
		columnAt,
	) => {
		const values: Values = {};
		for (const name of names) values[name] = valueFor(name);
		const options = hasRules ? readRules(values.options) : {};
		const isChosen = options.dateOrder !== undefined;
		const rules = {
			...{ zone, ...options, onRejected, isExpression },
			onAmbiguousDate: isChosen ? undefined : onAmbiguousDate,
			onRepeatedTime,
		};
		return withRules(rules, () => parse(schema, values, labels, columnAt));
	};
}

/**
 * Checks values against a schema.
 *
 * @param labels the fields' labels by their names, for messages
 * @param columnAt the column that gave a value, where columns are mapped automatically
 * @throws Failure for the first that does not fit
 */
export function parse<Schema extends z.ZodType>(
	schema: Schema,
	values: Values,
	labels: Labels,
	columnAt?: RowParameters['columnAt'],
): z.output<Schema> {
	const read = schema.safeParse(values, { error: wordsOf });
	if (read.success) return read.data;
	const [issue] = read.error.issues;
	const path = issue?.path ?? [];
	const column = columnAt?.(path);
	throw invalid(
		issue,
		valueAt(values, path),
		column ?? labelOf(path, labels),
		column !== undefined,
	);
}

/** Our words for what zod finds. They end a sentence that begins with the field's label. */
const wordsOf: z.core.$ZodErrorMap = (issue) => {
	if (issue.code === 'invalid_value') return `must be one of: ${issue.values.join(', ')}`;
	return issue.code === 'invalid_type' ? 'must be a collection of fields' : 'cannot be used';
};

/** @param isColumn true for the name of a column, which says by itself what the value belongs to */
function invalid(
	issue: z.core.$ZodIssue | undefined,
	value: unknown,
	field: string,
	isColumn = false,
): Failure {
	const params: Record<string, unknown> = (issue?.code === 'custom' && issue.params) || {};
	const { advice, plain } = params;
	const quoted = isBlank(value) ? '' : `: ${quote(value)}`;
	const message = isColumn && typeof plain === 'string' ? plain : issue?.message;
	return new Failure({
		words: `${isColumn ? 'Column ' : ''}'${field}' ${message ?? 'cannot be used'}${quoted}`,
		advice: typeof advice === 'string' ? advice : DEFAULT_ADVICE,
		field,
		value,
	});
}

function valueAt(values: unknown, path: PropertyKey[]): unknown {
	return path.reduce(
		(value, name) =>
			typeof value === 'object' && value !== null ? Reflect.get(value, name) : value,
		values,
	);
}

/** The labels of fields by their names. */
export type Labels = Map<string, string>;

const COLUMN_LABELS = labelsByName([emailColumnField, ignoredColumnsField]);

/** The label of the innermost field on a path, as the editor shows it. */
function labelOf(path: PropertyKey[], labels: Labels): string {
	const found = path.map((name) => labels.get(String(name)));
	return found.filter((label) => label !== undefined).pop() ?? String(path[0] ?? 'Parameter');
}

/** The labels of fields, and of all that stand inside them. */
export function labelsByName(fields: INodeProperties[]): Labels {
	const labels: Labels = new Map();
	for (const field of fields) {
		labels.set(field.name, field.displayName);
		for (const option of field.options ?? []) {
			const nested = 'values' in option ? option.values : 'type' in option ? [option] : [];
			labelsByName(nested).forEach((label, name) => labels.set(name, label));
		}
	}
	return labels;
}
