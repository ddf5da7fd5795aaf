import type { IDataObject, OnError } from 'n8n-workflow';

import { EMAIL_FROM_ROW } from '../../support/columns';
import { runOperation } from '../../support/runOperation';
import type { RunSettings } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';

// A failed item keeps the columns and binary data of its input item.

const sandbox = useSandbox();

beforeEach(() => {
	Object.assign(sandbox.b.settings, { validationStatus: 400, errors: 'contract' });
});

const OUTPUTS: Array<[OnError, number]> = [
	['continueRegularOutput', 0],
	['continueErrorOutput', 1],
];

const send = async (settings: RunSettings) =>
	await runOperation(sandbox.b, 'survey.send', { campaignId: '101', ...EMAIL_FROM_ROW }, settings);

const email = 'unsubscribed@example.com';
const error = expect.stringContaining('Contact has unsubscribed.') as string;

describe.each(OUTPUTS)('with On Error = %s', (onError, index) => {
	test('an error item has the columns of its row, plus error and details [error-item]', async () => {
		const { output } = await send({ input: [{ email, order: 7, tags: ['a'] }], onError });
		expect(output.flat()).toHaveLength(1);
		expect(output[index]?.[0]?.json).toStrictEqual({
			email,
			order: 7,
			tags: ['a'],
			error,
			details: {
				code: 'unsubscribed',
				httpCode: 400,
				advice: expect.stringContaining('Remove the row') as string,
			},
		});
	});

	test("an error item keeps a row's own columns error and details in details.row", async () => {
		const own = { error: 'E42', details: { step: 3 } };
		const { output } = await send({ input: [{ email, ...own, message: 'mine' }], onError });
		expect(output[index]?.[0]?.json).toEqual({
			email,
			message: 'mine',
			error,
			details: expect.objectContaining({ httpCode: 400, row: own }) as IDataObject,
		});
	});

	test('an error item has the binary data of its row', async () => {
		const binary = { file: { data: 'aGVsbG8=', mimeType: 'text/plain', fileName: 'a.txt' } };
		const input = [{ email }, { email: 'new@example.com' }];
		const { output } = await send({ input, onError, binary });
		expect(output[index]?.[0]).toMatchObject({ json: { error }, binary, pairedItem: { item: 0 } });
	});

	test('an error item about an unusable value has the columns of its row', async () => {
		const { output } = await send({ input: [{ email: '', order: 7 }], onError });
		const json = { order: 7, error: expect.stringMatching(/Email/) as string };
		expect(output[index]?.[0]?.json).toMatchObject(json);
	});
});

test('an AI agent gets the error without the columns that it sent', async () => {
	const input = [{ email, order: 7 }];
	const { output } = await send({ input, onError: 'continueRegularOutput', asTool: true });
	expect(Object.keys(output[0]?.[0]?.json ?? {})).toEqual(['error', 'details']);
});
