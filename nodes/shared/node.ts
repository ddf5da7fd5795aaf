import type { IExecuteFunctions, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { Failure } from './base/failure';
import { labelOf, titleOf } from './base/text';
import type { Service } from './http/service';
import { toNodeError } from './nodeError';
import type { Operation, Resource, Resources } from './operations/operation';
import { Run } from './operations/run';

/**
 * Returns the parameters of a node: resource, operation, and each operation's fields.
 *
 * @param initial the resource of a node or tool that was just added; its default operation only reads
 */
export function nodeProperties(resources: Resources, initial: string): INodeProperties[] {
	const entries = Object.entries(resources);
	const names = entries.map(([value]) => ({ name: titleOf(value), value }));
	return [
		selector('Resource', 'resource', names, initial),
		...entries.map(([value, resource]) => operationField(value, resource)),
		...entries.flatMap(([value, resource]) =>
			Object.entries(resource).flatMap(([operation, { fields, description, effect }]) =>
				[...fields, toolDescription(effect ? `${description}. ${effect}` : description)].map(
					(field) => shownFor(field, { resource: [value], operation: [operation] }),
				),
			),
		),
	];
}

/** Returns a field that is shown for these choices only. n8n's `updateDisplayOptions` takes ten times as long. */
function shownFor(field: INodeProperties, choices: Record<string, string[]>): INodeProperties {
	const show = { ...field.displayOptions?.show, ...choices };
	return { ...field, displayOptions: { ...field.displayOptions, show } };
}

function operationField(resource: string, operations: Resource): INodeProperties {
	const options = Object.entries(operations).map(([value, operation]) => {
		const { action, description } = operation;
		return { name: operationName(value, operation), value, action, description };
	});
	const preset = 'getAll' in operations ? 'getAll' : options[0]?.value;
	return shownFor(selector('Operation', 'operation', options, preset), { resource: [resource] });
}

/** The usual names of n8n's nodes. */
const USUAL_NAMES = { getAll: 'Get Many', upsert: 'Create or Update' };

/** Returns the name of an operation in the editor. @internal */
export function operationName(value: string, { name }: Operation): string {
	const current = value.replace(/Legacy$/, '');
	const suffix = current === value ? '' : ' (Deprecated)';
	return name ?? labelOf(current, USUAL_NAMES) + suffix;
}

/** Returns the field with the text for an AI agent. n8n's own text would be the action alone. */
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

/**
 * Returns a selector. A second one for tools would be wrong: n8n lists the actions of every parameter with this name.
 */
function selector(
	displayName: string,
	name: string,
	options: Array<{ name: string; value: string }>,
	preset: string | undefined,
): INodeProperties {
	return { displayName, name, type: 'options', noDataExpression: true, options, default: preset };
}

/**
 * Runs the operation that the node is set to, over all its items.
 *
 * @throws NodeOperationError or NodeApiError, with On Error = stop or without a usable credential
 */
export async function execute(
	context: IExecuteFunctions,
	service: Service,
	resources: Resources,
): Promise<INodeExecutionData[][]> {
	const resource = String(context.getNodeParameter('resource', 0));
	const value = String(context.getNodeParameter('operation', 0));
	const operation = resources[resource]?.[value];
	if (operation === undefined) {
		const message = `This node has no operation '${value}' for '${resource}'`;
		const hint = 'Choose the operation from the list instead of an expression';
		throw toNodeError(context.getNode(), new Failure('value', message, { hint }), message);
	}
	const run = new Run(context, service, operation);
	await operation.run(run);
	return [run.output()];
}
