/**
 * Writes the `__schema__` files, which the editor shows as the output of an operation before its first run.
 * They are made from the `outputSchema` of each operation. Run: `npx tsx scripts/schemas.mts`.
 */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { z } from 'zod/v4';

import { resources as resourcesA } from '../nodes/SurveyA/resources';
import { triggerItemRecord as triggerItemA } from '../nodes/SurveyA/trigger/items';
import { resources as resourcesB } from '../nodes/SurveyB/resources';
import { triggerItemRecord as triggerItemB } from '../nodes/SurveyB/trigger/events';
import type { Resources } from '../nodes/shared/operations/operationSpec';

const VERSION = 'v1.0.0';

/** The version of Survey B Trigger. */
const TRIGGER_B_VERSION = 'v1.1.0';

const recordSchema = z.record(z.string(), z.unknown());

type MakeSchema = () => z.ZodType;

/** Returns the path of every schema file with a function that makes its text. */
export function schemaFiles(): Map<string, () => string> {
	const files = new Map<string, () => string>();
	const write = (path: string, schema: MakeSchema) => files.set(path, () => textOf(schema()));
	for (const [node, resources] of [
		['SurveyA', resourcesA],
		['SurveyB', resourcesB],
	] as const) {
		for (const [path, schema] of operationsOf(resources)) {
			write(`nodes/${node}/__schema__/${VERSION}/${path}.json`, schema);
		}
	}
	write(`nodes/SurveyA/__schema__/${VERSION}.json`, triggerItemA);
	write(`nodes/SurveyB/__schema__/${TRIGGER_B_VERSION}.json`, triggerItemB);
	return files;
}

function operationsOf(resources: Resources): Array<[string, MakeSchema]> {
	return Object.entries(resources).flatMap(([resource, { operations }]) =>
		Object.entries(operations).map(([name, { outputSchema }]): [string, MakeSchema] => [
			`${resource}/${name}`,
			outputSchema,
		]),
	);
}

function textOf(schema: z.ZodType): string {
	const full = z.toJSONSchema(schema, { unrepresentable: 'any' });
	return `${JSON.stringify({ ...Object(preview(full)), version: 1 }, null, '\t')}\n`;
}

/** The editor reads only the type of a field, its properties and its items. */
function preview(schema: unknown): unknown {
	if (typeof schema !== 'object' || schema === null) return {};
	const { type, properties, items, anyOf } = recordSchema.parse(schema);
	if (Array.isArray(anyOf)) return preview(anyOf.find((one) => one?.type !== 'null'));
	const named = Array.isArray(type) ? type.find((one) => one !== 'null') : type;
	if (named === 'object') {
		const entries = Object.entries(properties ?? {});
		return {
			type: 'object',
			properties: Object.fromEntries(entries.map(([name, inside]) => [name, preview(inside)])),
		};
	}
	if (named === 'array') return { type: 'array', items: preview(items) };
	return { type: named ?? 'string' };
}

async function main(): Promise<void> {
	for (const node of ['SurveyA', 'SurveyB']) {
		await rm(`nodes/${node}/__schema__`, { recursive: true, force: true });
	}
	for (const [path, text] of schemaFiles()) {
		const file = join(process.cwd(), path);
		await mkdir(dirname(file), { recursive: true });
		await writeFile(file, text());
	}
}

if (process.argv[1]?.endsWith('schemas.mts')) void main();
