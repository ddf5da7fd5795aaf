import { openReceiver, type Receiver } from './receiver.mts';

/** One turn of the model: a tool call or a text. */
export type Turn = { tool: RegExp; input: () => Record<string, unknown> } | { says: string };

/** Starts an OpenAI-compatible chat model on loopback that follows a script. */
export async function openChatModel(script: Turn[]): Promise<Receiver> {
	let step = 0;
	return await openReceiver((body) => {
		const now = script[Math.min(step++, script.length - 1)] ?? { says: '' };
		return completion('tool' in now ? toolCall(now, namesIn(body)) : { content: now.says });
	});
}

function toolCall({ tool, input }: Extract<Turn, { tool: RegExp }>, names: string[]) {
	const name = names.find((one) => tool.test(one)) ?? 'missing';
	const call = { name, arguments: JSON.stringify(input()) };
	return { content: null, tool_calls: [{ id: `call_${name}`, type: 'function', function: call }] };
}

function namesIn(body: unknown): string[] {
	const { tools = [] } = body as { tools?: Array<{ function: { name: string } }> };
	return tools.map((tool) => tool.function.name);
}

function completion(message: object) {
	return {
		id: 'chatcmpl-example',
		object: 'chat.completion',
		created: 0,
		model: 'gpt-4.1-mini',
		choices: [
			{
				index: 0,
				message: { role: 'assistant', ...message },
				finish_reason: 'tool_calls' in message ? 'tool_calls' : 'stop',
			},
		],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
