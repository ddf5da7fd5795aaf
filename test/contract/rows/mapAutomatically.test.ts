import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { automatic, mapped } from '../../support/columns';
import { useRunner } from '../surveyA/runner';

// Map Automatically with rows as other nodes of n8n give them. Nothing is guessed: a row without an email fails.

const runner = useRunner();

const ANN = 'ann@customer.com';

/** Creates or updates a customer of Survey A for each row. */
async function upsert(input: IDataObject[], options: INodeParameters = {}) {
	const { items, hints } = await runner.rows('customer.upsert', { ...automatic(), options }, input);
	return { items, sent: runner.customers(), hints };
}

const labelsOf = (customer: IDataObject | undefined) =>
	[customer?.properties].flat().map((property) => Object(property).label);

describe("the columns that n8n's own nodes add", () => {
	const row = { email: ANN, row_number: 2, createdAt: '2026-01-01', updatedAt: '2026-01-02' };
	const form = { submittedAt: '2026-01-03', formMode: 'test' };
	const webhook = { webhookUrl: 'https://n8n.example.com/webhook/1', executionMode: 'production' };

	test('they do not become properties of the account, and a hint names them', async () => {
		const { sent, hints } = await upsert([{ ...row, ...form, ...webhook, tier: 'pro' }]);
		expect(labelsOf(sent[0])).toEqual(['tier']);
		expect(hints).toContainEqual(
			'Columns that were not sent: row_number, createdAt, updatedAt, submittedAt, formMode, webhookUrl, executionMode',
		);
	});

	test('columns of a CRM with similar names are sent', async () => {
		const { sent } = await upsert([{ email: ANN, created_at: 'x', 'Row Number': 'y' }]);
		expect(labelsOf(sent[0])).toEqual(['created_at', 'Row Number']);
	});
});

describe('the hint about new columns', () => {
	const options = { additionalProperties: '{ "Region": "EU" }' };

	test('names those of Additional Properties with columns mapped by hand', async () => {
		const parameters = { ...mapped({ email: ANN, 'property:Size': 7 }), options };
		const { hints } = await runner.run('customer.upsert', parameters);
		expect(hints).toEqual(['Sent to Survey A as new: Size (integer), Region (text)']);
	});

	test('does not appear when all rows of the run fail', async () => {
		runner.service.faults.add({
			when: ({ method }) => method === 'POST',
			kind: { status: 401, body: { code: 401, message: 'Invalid API key.' } },
		});
		const { items, hints } = await upsert([{ email: ANN, Size: 7 }], options);
		expect(items[0]).toHaveProperty('error');
		expect(hints).toEqual([]);
	});

	test('does not name a column that only a failed row has, or one that was not sent', async () => {
		const input = [
			{ email: ANN, ' Size ': 7 },
			{ email: '', Other: 'x' },
		];
		const { error, hints } = await runner.run('customer.upsert', automatic(), { input });
		expect(error?.message).toContain("Column 'email' is empty");
		expect(error?.description).toContain('Fill it in, or remove the row');
		expect(hints).toEqual([]);
		expect((await upsert(input)).hints).toEqual(['Sent to Survey A as new: Size (integer)']);
	});
});
