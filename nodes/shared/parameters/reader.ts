import type {
	IExecuteFunctions,
	IHookFunctions,
	INodeProperties,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { z } from 'zod';

import { Failure } from '../http/failure';
import { withRules } from './rules';
import type { ReadingRules } from './rules';
import { collection, optionalWord } from './schemas';
import { isBlank, schemaOf } from './values';
import type { ReadValue } from './values';

const DEFAULT_ADVICE = 'Correct the value, or the expression that gives it';
const LONGEST_QUOTE = 100;

/** Checks what parameters have to do with each other; tells by an issue with the parameter's path. */
export type Refine<Shape extends z.ZodRawShape> = (
	input: Input<Shape>,
	context: z.RefinementCtx,
) => void;

/** What a shape's parameters are once they are read. */
export type Input<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** An operation's context: parameters by item. */
type ActionContext = Pick<IExecuteFunctions, 'getNodeParameter' | 'getTimezone'>;

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
	return context.getNodeParameter(name, item, null) ?? undefined;
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
	const value: unknown = context.getNodeParameter(field.name, item, field.default);
	const result = schemaOf(read).safeParse(value);
	if (result.success) return result.data;
	throw invalid(result.error.issues[0], value, field.displayName);
}

/** Reads and checks the parameters of one item; tells of dates that could be read in two ways. */
export type ReadInput<Input> = (
	context: ActionContext,
	item: number,
	onAmbiguousDate?: ReadingRules['onAmbiguousDate'],
) => Input;

/**
 * Gives the reader of an operation's parameters: those that `shape` names.
 *
 * @param fields the operation's fields, for their labels in messages
 * @returns a function that throws Failure where a parameter is not of its schema
 */
export function parameterReader<Shape extends z.ZodRawShape>(
	shape: Shape,
	fields: INodeProperties[],
	refine: Refine<Shape> = () => {},
): ReadInput<Input<Shape>> {
	const read = readerOfValues(shape, fields, refine);
	return (context, item, onAmbiguousDate) =>
		read((name) => valueOf(context, name, item), context.getTimezone(), onAmbiguousDate);
}

/**
 * Gives the reader of a trigger's parameters: those that `shape` names.
 *
 * @param fields the trigger's fields, for their labels in messages
 * @returns a function that throws Failure where a parameter is not of its schema
 */
export function triggerParameterReader<Shape extends z.ZodRawShape>(
	shape: Shape,
	fields: INodeProperties[],
): (context: TriggerContext) => Input<Shape> {
	const read = readerOfValues(shape, fields, () => {});
	return (context) =>
		read((name) => context.getNodeParameter(name, null) ?? undefined, context.getTimezone());
}

/** What the operation's own options say of how its values are read. */
const ruleOptions = {
	dateOrder: optionalWord(['monthFirst', 'dayFirst']),
	emptyValues: optionalWord(['ignore', 'clear']),
};
const RULES = Object.keys(ruleOptions);
const rulesSchema = z.object({ options: collection(ruleOptions) });

type Values = Record<string, unknown>;

function readerOfValues<Shape extends z.ZodRawShape>(
	shape: Shape,
	fields: INodeProperties[],
	refine: Refine<Shape>,
) {
	const schema = z.object(shape).superRefine(refine);
	const labels = labelsByName(fields);
	const hasRules = RULES.some((name) => labels.has(name));
	const names = Object.keys(hasRules ? { options: undefined, ...shape } : shape);

	return (
		valueFor: (name: string) => unknown,
		zone: string,
		onAmbiguousDate?: ReadingRules['onAmbiguousDate'],
	): Input<Shape> => {
		const values = Object.fromEntries(names.map((name) => [name, valueFor(name)]));
		const { options } = hasRules ? parse(rulesSchema, values, labels) : { options: {} };
		const isChosen = options.dateOrder !== undefined;
		const rules = { zone, ...options, onAmbiguousDate: isChosen ? undefined : onAmbiguousDate };
		return withRules(rules, () => parse(schema, values, labels));
	};
}

/**
 * Checks values against a schema.
 *
 * @param labels the fields' labels by their names, for messages
 * @throws Failure for the first that does not fit
 */
export function parse<Schema extends z.ZodTypeAny>(
	schema: Schema,
	values: Values,
	labels: Labels,
): z.output<Schema> {
	const read = schema.safeParse(values, { errorMap: wordsOf });
	if (read.success) return read.data;
	const [issue] = read.error.issues;
	const path = issue?.path ?? [];
	throw invalid(issue, valueAt(values, path), labelOf(path, labels));
}

/** Our words for what zod finds. They end a sentence that begins with the field's label. */
const wordsOf: z.ZodErrorMap = (issue) => {
	if (issue.code === 'invalid_enum_value') {
		return { message: `must be one of: ${issue.options.join(', ')}` };
	}
	if (issue.code !== 'invalid_type') return { message: issue.message ?? 'cannot be used' };
	const wanted = issue.expected === 'array' ? 'a list' : 'a collection of fields';
	return { message: `must be ${wanted}` };
};

function invalid(issue: z.ZodIssue | undefined, value: unknown, field: string): Failure {
	const advice: unknown = issue?.code === 'custom' ? issue.params?.advice : undefined;
	const quoted = isBlank(value) ? '' : `: ${quote(value)}`;
	return new Failure({
		words: `'${field}' ${issue?.message ?? 'cannot be used'}${quoted}`,
		advice: typeof advice === 'string' ? advice : DEFAULT_ADVICE,
		field,
		value,
	});
}

function valueAt(values: unknown, path: Array<string | number>): unknown {
	return path.reduce(
		(value, name) =>
			typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined,
		values,
	);
}

/** A value as a message shows it: JSON, cut where it is long. */
function quote(value: unknown): string {
	const text = JSON.stringify(value) ?? String(value);
	return text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text;
}

/** The labels of fields by their names. */
export type Labels = Map<string, string>;

/** The label of the innermost field on a path, as the editor shows it. */
function labelOf(path: Array<string | number>, labels: Labels): string {
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
