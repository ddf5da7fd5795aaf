import type {
	IExecuteFunctions,
	IHookFunctions,
	INodeProperties,
	IPollFunctions,
	IWebhookFunctions,
} from 'n8n-workflow';
import { z } from 'zod';

import { Failure } from '../http/failure';
import { inZone } from './dates';

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

/** Reads and checks the parameters of one item. */
export type ReadInput<Input> = (context: ActionContext, item: number) => Input;

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
	return (context, item) => read((name) => valueOf(context, name, item), context.getTimezone());
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

function readerOfValues<Shape extends z.ZodRawShape>(
	shape: Shape,
	fields: INodeProperties[],
	refine: Refine<Shape>,
) {
	const schema = z.object(shape).superRefine(refine);
	const names = Object.keys(shape);
	return (valueFor: (name: string) => unknown, zone: string): Input<Shape> => {
		const values = Object.fromEntries(names.map((name) => [name, valueFor(name)]));
		const read = inZone(zone, () => schema.safeParse(values));
		if (read.success) return read.data;
		throw invalid(read.error.issues[0], fields);
	};
}

function invalid(issue: z.ZodIssue | undefined, fields: INodeProperties[]): Failure {
	const label = labelOf(issue?.path ?? [], fields);
	return new Failure({
		words: `'${label}' ${issue?.message ?? 'is not usable'}`,
		advice: 'Correct the value, or the expression that gives it, for this row',
	});
}

/** The label of the innermost field on a path, as the editor shows it. */
function labelOf(path: Array<string | number>, fields: INodeProperties[]): string {
	const labels = path.map((name) => labelsByName(fields).get(String(name)));
	return labels.filter((label) => label !== undefined).pop() ?? String(path[0] ?? 'Parameter');
}

function labelsByName(fields: INodeProperties[]): Map<string, string> {
	const labels = new Map<string, string>();
	for (const field of fields) {
		labels.set(field.name, field.displayName);
		for (const option of field.options ?? []) {
			const nested = 'values' in option ? option.values : 'type' in option ? [option] : [];
			labelsByName(nested).forEach((label, name) => labels.set(name, label));
		}
	}
	return labels;
}
