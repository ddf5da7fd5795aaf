import { EMAIL_FROM_ROW, people } from '../../support/columns';
import { useRunner } from '../surveyA/runner';

const runner = useRunner();

/** Upserts one customer for each API key, with a credential that takes its key from the row. */
async function upsertWith(apiKeys: string[]) {
	runner.apiKey = '={{ $json.apiKey }}';
	const input = people(apiKeys.length).map((person, i) => ({ ...person, apiKey: apiKeys[i] }));
	return await runner.run('customer.upsert', EMAIL_FROM_ROW, { input });
}

test('a credential whose API Key differs between the rows is refused before a request', async () => {
	const { error } = await upsertWith([runner.service.apiKey, 'key-of-another-account']);
	expect(error?.message).toContain('takes a value from the input rows by an expression');
	expect(error?.description).toContain('Use one credential for each account');
	expect(runner.service.requests).toEqual([]);
});

test('a credential that cannot be read is no fault of a row', async () => {
	runner.apiKey = "={{ $('Nowhere').item.json.key }}";
	const { error } = await runner.run('customer.upsert', EMAIL_FROM_ROW, { input: people(2) });
	expect(error?.message).toMatch(/^Referenced node/);
});

test('a credential may take its API Key from the only row', async () => {
	const { error } = await upsertWith([runner.service.apiKey]);
	expect(error).toBeUndefined();
	expect(runner.batches()).toEqual([['person1@example.com']]);
});

test('a credential may take its API Key from an expression that is the same for all rows', async () => {
	const { apiKey } = runner.service;
	runner.apiKey = `={{ '${apiKey}' }}`;
	const { error } = await runner.run('customer.upsert', EMAIL_FROM_ROW, { input: people(3) });
	expect(error).toBeUndefined();
	expect(runner.batches()).toHaveLength(1);
});
