import type { INodeParameters } from 'n8n-workflow';

import { hookEvents } from '../../../nodes/SurveyB/events';
import { EVENTS } from '../../../sandbox';
import { useRunner } from './runner';

// Writes whose result says no more than that they were done.

const runner = useRunner();

const HOOK = { event: 'feedback.removed', target: 'https://example.com/hook' };
const FROM = 'agent@example.com';

interface Write {
	operation: string;
	parameters: INodeParameters;
	line: string;
	body?: object;
	item: object;
}

const WRITES: Write[] = [
	{
		operation: 'feedback.reply',
		parameters: {
			...{ feedbackId: 2001, fromUser: FROM, message: 'Thank you' },
			additionalFields: { cc: 'a@example.com, b@example.com', bcc: '={{ ["c@example.com"] }}' },
		},
		line: 'POST /api/v2/feedback/2001/reply/',
		body: {
			...{ from_user: FROM, message: 'Thank you' },
			...{ cc: ['a@example.com', 'b@example.com'], bcc: ['c@example.com'] },
		},
		item: { id: 2001, replied: true },
	},
	{
		operation: 'feedback.forward',
		parameters: { feedbackId: 2001, fromUser: FROM, to: 'lead@example.com' },
		line: 'POST /api/v2/feedback/2001/forward/',
		body: { from_user: FROM, to: 'lead@example.com' },
		item: { id: 2001, forwarded: true },
	},
	{
		operation: 'feedback.addTag',
		parameters: { feedbackId: 2001, tagName: 'pricing', tagCategory: 'PASSIVE' },
		line: 'POST /api/v2/feedback/2001/tag/',
		body: { name: 'pricing', category: 'PASSIVE' },
		item: { id: 2001, name: 'pricing', category: 'PASSIVE' },
	},
	{
		operation: 'feedback.delete',
		parameters: { feedbackId: 2001 },
		line: 'DELETE /api/v2/feedback/2001/',
		item: { id: 2001, deleted: true },
	},
	{
		operation: 'contact.delete',
		parameters: { email: 'ada@acme.example' },
		line: 'POST /api/contacts/remove/',
		body: { email: 'ada@acme.example' },
		item: { email: 'ada@acme.example', deleted: true },
	},
	{
		operation: 'commonReply.create',
		parameters: { title: 'Thanks', reply: 'Thank you.', categoryName: 'Promoters' },
		line: 'POST /api/v2/replies/',
		body: { title: 'Thanks', reply: 'Thank you.', category: { name: 'Promoters' } },
		item: {
			...{ id: expect.any(Number), title: 'Thanks', reply: 'Thank you.' },
			category: expect.objectContaining({ name: 'Promoters' }),
		},
	},
	{
		operation: 'commonReply.delete',
		parameters: { commonReplyId: { __rl: true, mode: 'list', value: '301' } },
		line: 'DELETE /api/v2/replies/301/',
		item: { id: 301, deleted: true },
	},
	{
		operation: 'webhook.create',
		parameters: HOOK,
		line: 'POST /api/v2/hooks',
		body: HOOK,
		item: { id: expect.any(Number), ...HOOK },
	},
	{
		operation: 'webhook.delete',
		parameters: { webhookId: 901 },
		line: 'DELETE /api/v2/hooks/901',
		item: { id: 901, deleted: true },
	},
];

test.each(WRITES)(
	'$operation sends the request of the contract and returns its result',
	async ({ operation, parameters, line, body, item }) => {
		const { feedback, commonReplies, hooks } = runner.service.state;
		Object.assign(feedback[0] ?? {}, { id: 2001 });
		Object.assign(commonReplies[0] ?? {}, { id: 301 });
		hooks.push({ id: 901, ...HOOK });
		expect(await runner.one(operation, parameters)).toEqual(item);
		runner.expectSent(line, body);
		expect(runner.service.requests[0]?.carriedOut).toBe(true);
	},
);

test.each([
	['commonReply', '/api/v2/replies/', 'commonReplies'],
	['contactList', '/api/lists/', 'lists'],
] as const)('%s.getAll returns the records of %s', async (resource, path, records) => {
	expect(await runner.all(`${resource}.getAll`)).toEqual(runner.service.state[records]);
	runner.expectSent(`GET ${path}`);
});

test('webhook.create offers the events of the contract', () => {
	expect(hookEvents.map(({ value }) => value)).toEqual([...EVENTS].sort());
});
