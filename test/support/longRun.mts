// Reads a long list through the engine in a process of its own, whose memory the caller bounds. Prints
// how many rows came, and in which order. Arguments: base URL, key.
import 'reflect-metadata';

import { runNode } from './engine';

const [, , baseUrl = '', apiKey = ''] = process.argv;

async function main(): Promise<void> {
	const { output, error } = await runNode({
		node: 'surveyA',
		parameters: { resource: 'customer', operation: 'getAll', returnAll: true },
		credential: { baseUrl, apiKey },
	});
	const emails = (output[0] ?? []).map(({ json }) => String(json.email));
	console.log(
		JSON.stringify({
			error: error?.message,
			count: emails.length,
			first: emails[0],
			last: emails.at(-1),
		}),
	);
}

void main();
