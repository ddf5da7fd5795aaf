import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { scratchFolder } from '../scripts/processes.mts';
import type { Sandbox } from '../sandbox/index.ts';

/**
 * Makes the items of a side without a service: from pages of JSON text in a file, or one for each input item. This is
 * the least work for the same items.
 */
const NODE = `
const { readFileSync } = require('node:fs');
const pages = new Map();
class FromMemory {
	constructor() {
		const text = (name) => ({ displayName: name, name, type: 'string', default: '' });
		this.description = {
			displayName: 'From Memory', name: 'fromMemory', group: ['input'], version: 1, description: '',
			defaults: { name: 'From Memory' }, inputs: ['main'], outputs: ['main'],
			properties: [text('path'), text('rowsKey')],
		};
	}
	async execute() {
		const path = this.getNodeParameter('path', 0);
		if (path === '') return [this.getInputData().map(({ json }, item) => ({ json: { ...json }, pairedItem: { item } }))];
		const keys = this.getNodeParameter('rowsKey', 0).split('.');
		if (!pages.has(path)) pages.set(path, JSON.parse(readFileSync(path, 'utf8')));
		const rows = (text) => keys.reduce((part, key) => part[key], JSON.parse(text));
		return [pages.get(path).flatMap((text) => rows(text).map((json) => ({ json, pairedItem: { item: 0 } })))];
	}
}
module.exports = { FromMemory };
`;

/** Returns a folder with the node, for N8N_CUSTOM_EXTENSIONS. */
export function fromMemoryFolder(): string {
	const folder = scratchFolder();
	writeFileSync(join(folder, 'FromMemory.node.js'), NODE);
	return folder;
}

/** Saves the pages of the feedback lists as files; returns their paths. */
export async function savePages(
	{ a, b }: Sandbox,
	count: number,
): Promise<{ a: string; b: string }> {
	a.seedFeedback(count - a.state.feedback.length);
	b.seedFeedback(count - b.state.feedback.length);
	const urlA = (page: number) => `${a.url}/api/v2/feedback?limit=1000&page=${page}`;
	const urlB = (page: number) => `${b.url}/api/v2/feedback/?page=${page}`;
	return {
		a: await save(urlA, Math.ceil(count / 1000), `api_key=${a.apiKey}`),
		b: await save(urlB, Math.ceil(count / 100), `Token ${b.apiKey}`),
	};
}

async function save(url: (page: number) => string, count: number, authorization: string) {
	const texts: string[] = [];
	for (let page = 1; page <= count; page++) {
		const response = await fetch(url(page), {
			headers: { authorization, 'content-type': 'application/json' },
		});
		if (!response.ok) throw new Error(`${url(page)} responded with ${response.status}`);
		texts.push(await response.text());
	}
	const file = join(scratchFolder(), 'pages.json');
	writeFileSync(file, JSON.stringify(texts));
	return file;
}
