import { z } from 'zod/v4';

import { resources as resourcesA } from '../nodes/SurveyA/resources';
import { triggerItemRecord as triggerItemA } from '../nodes/SurveyA/trigger/pollingTrigger';
import { resources as resourcesB } from '../nodes/SurveyB/resources';
import { triggerItemRecord as triggerItemB } from '../nodes/SurveyB/trigger/items';
import type { Resources } from '../nodes/shared/operations/operation';

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
		['SurveyA/__schema__/v1.0.0.json', previewOf(triggerItemA())],
		['SurveyB/__schema__/v1.1.0.json', previewOf(triggerItemB())],
	]);
}

function previewsOf(node: string, resources: Resources): Array<[path: string, Preview]> {
	return Object.entries(resources).flatMap(([resource, operations]) =>
		Object.entries(operations).map(([name, { outputSchema }]): [string, Preview] => [
			`${node}/__schema__/${VERSION}/${resource}/${name}.json`,
			previewOf(outputSchema()),
		]),
	);
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
