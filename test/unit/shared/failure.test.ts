import { AxiosError } from 'axios';
import { ExpressionError, NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';
import type { INode } from 'n8n-workflow';
import { z } from 'zod/v4';

import { Failure } from '../../../nodes/shared/http/failure';

const NODE: INode = {
	id: 'node',
	name: 'Survey',
	type: 'surveyB',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

const ofZod = z.object({ email: z.string() }).safeParse({}).error;

test.each<[string, unknown]>([
	['zod', ofZod],
	['axios', new AxiosError('socket hang up in flight')],
	['JavaScript', new TypeError("Cannot read properties of undefined (reading 'id')")],
	['what is no error', 'just a text'],
	['nothing', undefined],
	['a long message', new Error('x'.repeat(10_000))],
])('an error of %s gets a message of this package', (_, thrown) => {
	const { headline, advice } = Failure.from(thrown);
	expect(headline).toBe('Something unexpected happened in this node');
	expect(advice).toMatch(/^Report it at https:\/\/github\.com\/\S+\/issues with these words: \S/);
	expect(advice?.length).toBeLessThan(400);
});

test('the whole message has the reason after the hint', () => {
	const told = { words: 'The values of this row could not be read', todo: 'Check the expressions' };
	const { headline, advice } = Failure.from(new TypeError('x is not a function'), told);
	expect(headline).toBe(told.words);
	expect(advice).toBe('Check the expressions: TypeError: x is not a function');
});

test.each<[Error, string, string | undefined]>([
	[new NodeOperationError(NODE, 'Wrong', { description: 'Right it' }), 'Wrong', 'Right it'],
	[new NodeApiError(NODE, { message: 'Wrong' }, { message: 'Wrong' }), 'Wrong', undefined],
	[new ExpressionError('Wrong', { description: 'Right it' }), 'Wrong', 'Right it'],
	[new UserError('invalid syntax'), 'invalid syntax', undefined],
])("%s keeps n8n's own message", (thrown, words, advice) => {
	const failure = Failure.from(thrown);
	expect([failure.headline, failure.advice]).toEqual([words, advice]);
});

test('a failure is returned unchanged', () => {
	const failure = new Failure({ words: 'Wrong', status: 404, uncertain: true });
	expect(Failure.from(failure)).toBe(failure);
});
