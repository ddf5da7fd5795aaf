import { z } from 'zod/v4';

import { resources as resourcesA } from '../nodes/SurveyA/resources';
import { feedback as feedbackA } from '../nodes/SurveyA/records';
import { resources as resourcesB } from '../nodes/SurveyB/resources';
import { feedback as feedbackB } from '../nodes/SurveyB/records';
import type { Resources } from '../nodes/shared/operations/operation';
import type { RecordForms } from '../nodes/shared/records';

// The previews that n8n's editor shows as a node's output before its first run. The build writes them beside the nodes.

/** The shape of a value, of which the editor reads only this. */
export interface Preview {
	type: string;
	properties?: Record<string, Preview>;
	items?: Preview;
}

/** The folder of the version of a node with operations. */
const VERSION = 'v1.0.0';

/** Returns all previews by the path of their file below `nodes`. `npm run split` removes the lines of a service. */
export function previews(): Map<string, Preview> {
	return new Map([
		...previewsOf('SurveyA', resourcesA),
		...previewsOf('SurveyB', resourcesB),
		['SurveyA/__schema__/v1.0.0.json', previewOf(triggerItem(feedbackA))],
		['SurveyB/__schema__/v1.1.0.json', previewOf(triggerItem(feedbackB, ['deliveryId']))],
	]);
}

function previewsOf(node: string, resources: Resources): Array<[path: string, Preview]> {
	return Object.entries(resources).flatMap(([resource, operations]) =>
		Object.entries(operations).map(([name, { record, outputSchema }]): [string, Preview] => [
			`${node}/__schema__/${VERSION}/${resource}/${name}.json`,
			previewOf(record ? simplifiedSchema(record) : (outputSchema?.() ?? z.looseObject({}))),
		]),
	);
}

/** Returns the item of a trigger, which the editor previews for all events: the simplified item of feedback. */
function triggerItem(feedback: RecordForms, last: string[] = []): z.ZodObject {
	const texts = Object.fromEntries(last.map((name) => [name, z.string()]));
	return z.object({ event: z.string(), ...simplifiedSchema(feedback).shape, ...texts });
}

function simplifiedSchema({ raw, simplified }: RecordForms): z.ZodObject {
	const schema = raw();
	const shape = Object.entries(simplified).map(([name, field]): [string, z.core.$ZodType] => [
		name,
		typeof field === 'string' ? schemaAt(schema, field.split('.')) : schemaOfMade(field({})),
	]);
	return z.object(Object.fromEntries(shape));
}

/** Returns the schema of a field that is made of others, by what it is for a record without fields. */
function schemaOfMade(value: unknown): z.core.$ZodType {
	return typeof value === 'object' ? z.looseObject({}) : z.string();
}

/** Returns the schema of a field by its path in the raw record. */
function schemaAt(schema: z.core.$ZodType, path: string[]): z.core.$ZodType {
	const [name, ...rest] = path;
	if (name === undefined) return schema;
	if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
		return schemaAt(schema.unwrap(), path);
	}
	return schema instanceof z.ZodObject ? schemaAt(schema.shape[name], rest) : z.unknown();
}

function previewOf(schema: z.ZodType): Preview {
	return simple(z.toJSONSchema(schema, { unrepresentable: 'any' }));
}

const jsonSchema = z.looseObject({
	type: z.union([z.string(), z.array(z.string())]).optional(),
	properties: z.record(z.string(), z.unknown()).optional(),
	items: z.unknown(),
	anyOf: z.array(z.looseObject({ type: z.unknown() })).optional(),
});

/** Returns a JSON schema without the alternatives that the editor does not know. */
function simple(schema: unknown): Preview {
	const { type, properties = {}, items, anyOf } = jsonSchema.parse(schema ?? {});
	if (anyOf) return simple(anyOf.find((one) => one.type !== 'null'));
	const named = [type].flat().find((one) => one !== 'null') ?? 'string';
	if (named === 'array') return { type: named, items: simple(items) };
	if (named !== 'object') return { type: named };
	const inside = Object.entries(properties).map(([name, value]) => [name, simple(value)]);
	return { type: named, properties: Object.fromEntries(inside) };
}
