import { AxiosError } from 'axios';
import { ExpressionError, NodeApiError, NodeOperationError, UserError } from 'n8n-workflow';
import { z } from 'zod/v4';

import { Failure } from '../../../nodes/shared/base/failure';
import { nodeOf } from '../../support/engine';

const NODE = nodeOf('Survey', 'surveyB');

const ofZod = z.object({ email: z.string() }).safeParse({}).error;

test.each<[string, unknown]>([
	['zod', ofZod],
	['axios', new AxiosError('socket hang up in flight')],
	['JavaScript', new TypeError("Cannot read properties of undefined (reading 'id')")],
	['a library that gives it a level', Object.assign(new Error('x'), { level: 'error' })],
	['what is no error', 'just a text'],
	['what only looks like one of n8n', { level: 'error', tags: {} }],
	['a long message', new Error('x'.repeat(10_000))],
])('an error of %s gets a message of this package', (_, thrown) => {
	const { headline, hint } = Failure.from(thrown);
	expect(headline).toBe('Something unexpected happened in this node');
	expect(hint).toMatch(/^Report it at https:\/\/github\.com\/\S+\/issues with these words: \S/);
	expect(hint?.length).toBeLessThan(400);
});

test('the whole message has the reason after the hint', () => {
	const told = {
		message: 'The values of this row could not be read',
		hint: 'Check the expressions',
	};
	const { headline, hint } = Failure.from(new TypeError('x is not a function'), told);
	expect(headline).toBe(told.message);
	expect(hint).toBe('Check the expressions: TypeError: x is not a function');
	expect(Failure.from('No', told).hint).toBe('Check the expressions: No');
});

test.each<[string, Error, string | undefined]>([
	['a node', new NodeOperationError(NODE, 'Wrong', { description: 'Right it' }), 'Right it'],
	['an API', new NodeApiError(NODE, { message: 'Wrong' }, { message: 'Wrong' }), undefined],
	['an expression', new ExpressionError('Wrong', { description: 'Right it' }), 'Right it'],
	['a user', new UserError('Wrong', { description: '' }), undefined],
	['a library', Object.assign(new UserError('Wrong'), { description: 7 }), undefined],
])("n8n's error of %s keeps its own message and description", (_, thrown, hint) => {
	const failure = Failure.from(thrown);
	expect([failure.headline, failure.advice]).toEqual(['Wrong', hint]);
});

test('a failure is returned unchanged', () => {
	const failure = new Failure('lost', 'Wrong', { status: 404 });
	expect(Failure.from(failure)).toBe(failure);
	expect(Failure.at('Label', 7, failure)).toBe(failure);
});

test('a value that no code expects is named and quoted', () => {
	const { message } = Failure.at('Label', { toString: 7 }, new TypeError('No'));
	expect(message).toBe(`'Label' cannot be used: {"toString":7}`);
});

test('joined failures have all messages, and each hint once', () => {
	const failures = ['', 'b', 'b', 'd'].map((hint) => Failure.value('No', hint));
	expect(Failure.all(failures)).toMatchObject({ message: 'No. No. No. No', hint: 'b. d' });
});

test('joined failures have the code, the field and the value of the first one', () => {
	const email = Failure.at('Email', 'x', Failure.value('No', undefined, 'invalidEmail'));
	const date = Failure.at('Since', 'y', Failure.value('No', undefined, 'invalidDate'), true);
	const of = { code: 'invalidDate', field: 'Since', value: 'y' };
	expect(Failure.all([date, email])).toMatchObject(of);
});
