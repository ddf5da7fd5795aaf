import type {
	IBuilderHintVariation,
	IExecuteFunctions,
	INodeExecutionData,
	INodeProperties,
} from 'n8n-workflow';

import { Failure } from './base/failure';
import { labelOf, sentences, titleOf, withFullStop } from './base/text';
import type { Service } from './http/service';
import { hiddenFromBuilders } from './n8nInternals';
import type { Operation, Resource, Resources } from './operations/operation';
import { Run } from './operations/run';
import type { RunOperation } from './operations/run';

/** @param initial the resource of a node or tool that was just added; its default operation only reads */
export function nodeProperties(
	resources: Resources,
	initial: string,
	descriptions: Record<string, string> = {},
): INodeProperties[] {
	const entries = Object.entries(resources);
	const names = entries.map(([value]) => ({
		name: titleOf(value),
		value,
		description: descriptions[value],
	}));
	return [
		selector('Resource', 'resource', names, initial),
		...entries.map(([value, resource]) => operationField(value, resource)),
		...entries.flatMap(([value, resource]) =>
			Object.entries(resource).flatMap(([name, operation]) =>
				[...operation.fields, toolDescription(textForAgents(operation))].map((field) => {
					const shown = shownFor(field, { resource: [value], operation: [name] });
					return isForBuilders(field, operation) ? shown : hiddenFromBuilders(shown, value);
				}),
			),
		),
	];
}

/** Agents use no deprecated operations. */
function isForBuilders(
	{ name, displayOptions, type }: INodeProperties,
	{ deprecated, common }: Operation,
): boolean {
	if (displayOptions?.show?.['@tool'] !== undefined || common.includes(name)) return false;
	return type !== 'hidden' && deprecated === undefined;
}

/** n8n's `updateDisplayOptions` takes ten times as long. */
function shownFor(field: INodeProperties, choices: Record<string, string[]>): INodeProperties {
	const show = { ...field.displayOptions?.show, ...choices };
	return { ...field, displayOptions: { ...field.displayOptions, show } };
}

function operationField(resource: string, operations: Resource): INodeProperties {
	const choices = Object.entries(operations).map(([value, operation]) => {
		const { action, description } = operation;
		return { name: operationName(value, operation), value, action, description };
	});
	const preset = 'getAll' in operations ? 'getAll' : choices[0]?.value;
	return shownFor(selector('Operation', 'operation', choices, preset), { resource: [resource] });
}

/** The usual names of n8n's nodes. */
const USUAL_NAMES = { getAll: 'Get Many', upsert: 'Create or Update' };

/** @internal */
export function operationName(value: string, { name }: Operation): string {
	const current = value.replace(/Legacy$/, '');
	const suffix = current === value ? '' : ' (Deprecated)';
	return name ?? labelOf(current, USUAL_NAMES) + suffix;
}

function textForAgents({ description, details, returns }: Operation): string {
	const fields = returns.length > 0 ? `Returns ${returns.join(', ')}` : undefined;
	return withFullStop(sentences([description, details, fields]));
}

/** Leaves out what the text of `getAll` has already. */
function operationText(operation: Operation, { getAll }: Resource): string {
	const { returns, example, details } = operation;
	const isSame = operation !== getAll && returns.join() === getAll?.returns.join();
	const own = details === getAll?.details ? undefined : details;
	const text = textForAgents(
		isSame ? { ...operation, details: own, returns: ['the fields of getAll'] } : operation,
	);
	return [text, example].filter(Boolean).join('\n');
}

/**
 * Returns what n8n adds to the types for agents that build workflows. They use no deprecated operations.
 *
 * @param general what they need to know of many operations
 */
export function operationTexts(resources: Resources, general: string): IBuilderHintVariation[] {
	const texts = Object.entries(resources).flatMap(([resource, operations]) =>
		Object.entries(operations)
			.filter(([, { deprecated }]) => deprecated === undefined)
			.map(([name, operation]) => ({
				displayOptions: { show: { resource: [resource], operation: [name] } },
				content: operationText(operation, operations),
			})),
	);
	return [{ content: general }, ...texts];
}

/** n8n's own text would be the action alone. */
function toolDescription(preset: string): INodeProperties {
	return {
		displayName: 'Tool Description',
		name: 'toolDescription',
		type: 'string',
		typeOptions: { rows: 3 },
		displayOptions: { show: { '@tool': [true] } },
		default: preset,
		description: 'What the AI agent is told about this tool',
	};
}

/** A second selector for tools would be wrong: n8n lists the actions of every parameter with this name. */
function selector(
	displayName: string,
	name: string,
	options: Array<{ name: string; value: string }>,
	preset: string | undefined,
): INodeProperties {
	return { displayName, name, type: 'options', noDataExpression: true, options, default: preset };
}

/** @throws NodeOperationError or NodeApiError, with On Error = stop */
export async function execute(
	context: IExecuteFunctions,
	service: Service,
	resources: Resources,
): Promise<INodeExecutionData[][]> {
	const operation = chosenOperation(context, resources);
	const run = new Run(context, service, operation);
	// After a throw, n8n passes the items on.
	await operation.execute(run).catch((error: unknown) => run.failAll(Failure.from(error)));
	return [run.output()];
}

/** One that does not exist fails all items. */
function chosenOperation(
	context: IExecuteFunctions,
	resources: Resources,
): RunOperation & Pick<Operation, 'execute'> {
	const resource = String(context.getNodeParameter('resource', 0));
	const value = String(context.getNodeParameter('operation', 0, ''));
	const operation = resources[resource]?.[value];
	if (operation) return operation;
	const names = Object.keys(resources[resource] ?? resources).join(', ');
	const of =
		resource in resources ? `operation '${value}' for '${resource}'` : `resource '${resource}'`;
	const failure = new Failure('value', `This node has no ${of}. There are: ${names}`, {
		hint: 'Choose the operation from the list instead of an expression',
	});
	return { options: {}, results: [], execute: async (run) => run.failAll(failure) };
}
