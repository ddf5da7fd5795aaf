import type { WorkflowInput, WorkflowNode } from '../../host/types.mts';
import { openReceiver, type Receiver } from './receiver.mts';

/** One turn of the model: a tool call, or a text that may depend on what the model is asked. */
type Turn =
	| { tool: RegExp; input: () => Record<string, unknown> }
	| { says: string | ((request: string) => string) };

/** Starts an OpenAI-compatible chat model on loopback that follows a script, from its start in each conversation. */
export async function openChatModel(script: Turn[]): Promise<Receiver> {
	const steps = new Map<string, number>();
	return await openReceiver((body) => {
		const conversation = JSON.stringify(messagesIn(body, 'user'));
		let step = steps.get(conversation) ?? 0;
		// It begins anew, with the same words: after the end of the script, or after n8n was killed.
		if (step > 0 && messagesIn(body, 'assistant').length === 0) step = 0;
		steps.set(conversation, step + 1);
		const now = script[Math.min(step, script.length - 1)] ?? { says: '' };
		if ('tool' in now) return completion(toolCall(now, namesIn(body)));
		const { says } = now;
		return completion({ content: typeof says === 'string' ? says : says(JSON.stringify(body)) });
	});
}

function toolCall({ tool, input }: Extract<Turn, { tool: RegExp }>, names: string[]) {
	const name = names.find((one) => tool.test(one)) ?? 'missing';
	const call = { name, arguments: JSON.stringify(input()) };
	return { content: null, tool_calls: [{ id: `call_${name}`, type: 'function', function: call }] };
}

function messagesIn(body: unknown, of: string): unknown[] {
	const { messages = [] } = body as { messages?: Array<{ role: string }> };
	return messages.filter(({ role }) => role === of);
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

/** Returns a workflow whose AI agent has these tools, nodes with a name, a type, parameters and credentials. */
export function agentWorkflow(
	text: string,
	openAiApi: { id: string; name: string },
	tools: WorkflowNode[],
	version = 2,
): WorkflowInput {
	const toAgent = (type: string) => ({ [type]: [[{ node: 'Agent', type, index: 0 }]] });
	return {
		name: 'Agent',
		nodes: [
			{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
			{
				name: 'Agent',
				type: '@n8n/n8n-nodes-langchain.agent',
				typeVersion: version,
				parameters: { promptType: 'define', text, options: {} },
			},
			{
				name: 'Model',
				type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
				typeVersion: 1.2,
				parameters: { model: { mode: 'id', value: 'gpt-4o-mini' }, options: {} },
				credentials: { openAiApi },
			},
			...tools,
		],
		connections: {
			Start: toAgent('main'),
			Model: toAgent('ai_languageModel'),
			...Object.fromEntries(tools.map(({ name }) => [name, toAgent('ai_tool')])),
		},
	};
}
