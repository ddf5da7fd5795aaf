// Reads or sends many rows through the engine in a process with a limited heap. Prints the number of rows and a digest
// of their order, and the processor time. Arguments: base URL, key, `read` or the number of rows to send, and `limited` to map
// each column and to set a limit.
import 'reflect-metadata';

import { automatic, EMAIL_FROM_ROW } from './columns';
import { digestOf } from './digest.mts';
import { runNode } from './engine';
import type { NodeRun } from './engine';

const [, , baseUrl = '', apiKey = '', work = 'read', limited] = process.argv;

const CAMPAIGN = '64a000000000000000000003';

const read: Pick<NodeRun, 'parameters' | 'input'> = {
	parameters: { resource: 'customer', operation: 'getAll', returnAll: true },
};

const send = (count: number): typeof read => ({
	parameters: {
		resource: 'survey',
		operation: 'send',
		campaign: { __rl: true, mode: 'id', value: CAMPAIGN },
		...(limited ? { ...EMAIL_FROM_ROW, options: { sendAtMost: count } } : automatic()),
	},
	input: Array.from({ length: count }, (_, i) => ({ email: `row${i}@example.com`, rank: i })),
});

async function main(): Promise<void> {
	const { output, error } = await runNode({
		node: 'surveyA',
		credential: { baseUrl, apiKey },
		onError: 'continueRegularOutput',
		...(work === 'read' ? read : send(Number(work))),
	});
	const emails = (output[0] ?? []).map(({ json }) => String(json.email));
	console.log(
		JSON.stringify({
			error: error?.message,
			count: emails.length,
			digest: digestOf(emails),
			seconds: process.cpuUsage().user / 1e6,
		}),
	);
}

void main();
