import { createServer, type ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';

import getPort from 'get-port';
import { z } from 'zod';

/** A chat model on loopback that calls a tool once for each of its arguments, and then says that it is done. */
interface Model {
	/** The base URL for a credential of n8n's OpenAI node. */
	url: string;
	/** The results of the tool, in order. */
	results: string[];
	close(): void;
}

const requestSchema = z.object({
	messages: z.array(z.object({ role: z.string(), content: z.unknown() })),
	tools: z.array(z.object({ function: z.object({ name: z.string() }) })).optional(),
});

/** @param calls the arguments of each call of the tool */
export async function startModel(calls: object[]): Promise<Model> {
	const results: string[] = [];
	const server = createServer((request, response) => {
		void text(request).then((body) => {
			const isChat = request.method === 'POST';
			send(response, isChat ? chatResponse(JSON.parse(body), calls, results) : models);
		});
	});
	const port = await getPort();
	await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
	const close = () => {
		server.closeAllConnections();
		server.close();
	};
	return { url: `http://127.0.0.1:${port}/v1`, results, close };
}

const models = { object: 'list', data: [{ id: 'gpt-4o-mini', object: 'model' }] };

function send(response: ServerResponse, body: object): void {
	response.writeHead(200, { 'content-type': 'application/json' });
	response.end(JSON.stringify(body));
}

function chatResponse(request: unknown, calls: object[], results: string[]): object {
	const { messages, tools } = requestSchema.parse(request);
	const seen = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
	results.splice(0, results.length, ...seen);
	const next = calls[seen.length];
	const name = tools?.[0]?.function.name;
	const message =
		next && name
			? {
					content: null,
					tool_calls: [
						{
							id: `call-${seen.length}`,
							type: 'function',
							function: { name, arguments: JSON.stringify(next) },
						},
					],
				}
			: { content: 'Done.' };
	return {
		id: 'response',
		object: 'chat.completion',
		created: 0,
		model: 'gpt-4o-mini',
		choices: [
			{
				index: 0,
				message: { role: 'assistant', ...message },
				finish_reason: next && name ? 'tool_calls' : 'stop',
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
