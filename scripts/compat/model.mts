import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

import getPort from 'get-port';

/** A chat model on loopback that asks for a tool once for each of its arguments, and then says that it is done. */
export interface Model {
	/** Its address, as a credential of n8n's OpenAI node has it. */
	url: string;
	/** What the tool answered, in order. */
	answers: string[];
	close(): void;
}

interface ChatRequest {
	messages: Array<{ role: string; content: unknown }>;
	tools?: Array<{ function: { name: string } }>;
}

/** @param calls the arguments of each call of the tool */
export async function startModel(calls: object[]): Promise<Model> {
	const answers: string[] = [];
	const server = createServer((request, response) => {
		void readBody(request).then((text) => {
			send(response, request.method === 'POST' ? reply(JSON.parse(text), calls, answers) : models);
		});
	});
	const port = await getPort();
	await new Promise<void>((listening) => server.listen(port, '127.0.0.1', listening));
	const close = () => {
		server.closeAllConnections();
		server.close();
	};
	return { url: `http://127.0.0.1:${port}/v1`, answers, close };
}

const models = { object: 'list', data: [{ id: 'gpt-4o-mini', object: 'model' }] };

async function readBody(request: IncomingMessage): Promise<string> {
	let text = '';
	for await (const chunk of request) text += String(chunk);
	return text;
}

function send(response: ServerResponse, body: object): void {
	response.writeHead(200, { 'content-type': 'application/json' });
	response.end(JSON.stringify(body));
}

function reply({ messages, tools }: ChatRequest, calls: object[], answers: string[]): object {
	const told = messages.filter(({ role }) => role === 'tool').map(({ content }) => String(content));
	answers.splice(0, answers.length, ...told);
	const next = calls[told.length];
	const name = tools?.[0]?.function.name;
	const message =
		next && name
			? {
					content: null,
					tool_calls: [
						{
							id: `call-${told.length}`,
							type: 'function',
							function: { name, arguments: JSON.stringify(next) },
						},
					],
				}
			: { content: 'Done.' };
	return {
		id: 'reply',
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
