import type { IAllExecuteFunctions } from 'n8n-workflow';

import { surveyA } from '../../../nodes/SurveyA/service';
import { readCredential } from '../../../nodes/shared/http/credential';

/** Returns a context whose credential depends on the item, as with an expression. */
const context = (keyOf: (item: number) => string | undefined, rows: number) =>
	({
		getInputData: () => new Array<object>(rows).fill({}),
		getCredentials: async (_type: string, item = 0) => ({
			baseUrl: 'https://survey.example.com',
			apiKey: keyOf(item),
		}),
	}) as unknown as IAllExecuteFunctions;

test('rejects a credential that takes its API key from the rows', async () => {
	const read = readCredential(
		context((item) => ['one', 'one', 'two'][item], 3),
		surveyA,
	);
	await expect(read).rejects.toThrow('takes a value from the input rows');
});

test.each([1, 3])('accepts a credential that is the same for all of %i rows', async (rows) => {
	const { apiKey } = await readCredential(
		context(() => 'secret', rows),
		surveyA,
	);
	expect(apiKey).toBe('secret');
});

test('accepts an expression over the only row', async () => {
	const { apiKey } = await readCredential(
		context((item) => ['one'][item], 1),
		surveyA,
	);
	expect(apiKey).toBe('one');
});
