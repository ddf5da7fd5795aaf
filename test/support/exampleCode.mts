import { runInNewContext } from 'node:vm';

import { readExample } from './examples.mts';

type Json = Record<string, unknown>;

const inputOf = (items: object[]) => {
	const all = items.map((json) => ({ json }));
	return { all: () => all, first: () => all[0], item: all[0] };
};

/**
 * Runs the code of a Code node with these items, as n8n does.
 *
 * @param others the items of other nodes that the code reads
 * @returns the items that come out
 */
export function runCode(
	example: string,
	node: string,
	items: object[],
	others: Record<string, object[]> = {},
): Json[] {
	const { parameters = {} } = readExample(example).nodes.find(({ name }) => name === node) ?? {};
	const run = (more: Json) => {
		const $ = (name: string) => inputOf(others[name] ?? []);
		const context = { $, ...more };
		const result: unknown = runInNewContext(`(() => {${String(parameters.jsCode)}\n})()`, context);
		return [result].flat().map((item) => Object(item).json);
	};
	const isEach = parameters.mode === 'runOnceForEachItem';
	const found = isEach
		? items.flatMap((json) => run({ $json: json, $input: { item: { json } } }))
		: run({ $input: inputOf(items) });
	// Objects of another context have other prototypes.
	return JSON.parse(JSON.stringify(found));
}
