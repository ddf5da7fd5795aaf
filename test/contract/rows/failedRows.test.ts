import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';

import { automatic, EMAIL_FROM_ROW } from '../../support/columns';
import { runOperation } from '../../support/runOperation';
import { freshSample, runSample, samplesOf, serviceOf } from '../../support/samples';
import type { Sample } from '../../support/samples';
import { useSandbox } from '../../support/sandbox';

// What a failed row shows, and what it begins with when it comes back.

const sandbox = useSandbox();

const ON_ERROR: OnError[] = ['continueRegularOutput', 'continueErrorOutput'];

/** The fields that name a row or what it is for, which stay at the top of a failed row. */
const NAMES = ['email', 'id', 'campaignId', 'campaign_id'];

/** The columns of a person, which operations with a mapper take. */
const OF_PERSON = [
	...['first_name', 'last_name', 'company', 'tags', 'properties', 'attributes', 'unsubscribed'],
];

/** Returns whether an operation takes a field. */
function takes({ name, parameters }: Sample, field: string): boolean {
	if (NAMES.includes(field) || field in parameters) return true;
	if (name === 'feedback.create') return ['comment', 'status', 'tags'].includes(field);
	return 'columns' in parameters && OF_PERSON.includes(field);
}

/** Runs every operation, and returns its items' fields by its place in the samples. */
async function resultsOfAll(): Promise<string[][]> {
	const all: string[][] = [];
	for (const index of samplesOf(sandbox).keys()) {
		const sample = freshSample(sandbox, index);
		sandbox.b.settings.hookDeletion = 204;
		const { items, error } = await runSample(sandbox, sample, { returnAll: false });
		expect([sample.name, error]).toEqual([sample.name, undefined]);
		all.push(Object.keys(items[0] ?? {}));
	}
	return all;
}

test('a failed row has no field at its top by which its operation says what it did: they stand in details.row', async () => {
	const fields = await resultsOfAll();
	// A row that has come through all operations of both services.
	const earlier = Object.fromEntries(
		fields.flat().map((name) => [name, name === 'email' ? 'ada@acme.example' : 'earlier']),
	);
	const seen = new Set<string>();
	for (const [i, sample] of samplesOf(sandbox).entries()) {
		for (const onError of ON_ERROR) {
			const service = serviceOf(sandbox, sample.node);
			service.faults.add({ kind: { status: 401, body: 'No' }, times: Infinity });
			const { output } = await runSample(sandbox, sample, {}, { input: [earlier], onError });
			service.faults.clear();
			const [[item] = []] = output.filter((items) => items.length > 0);
			const { details, error, ...top }: IDataObject = item?.json ?? {};
			const { row }: { row: IDataObject } = { row: {}, ...Object(details) };
			expect(error).toContain('No');
			const results = (fields[i] ?? []).filter((field) => !takes(sample, field));
			for (const field of results) {
				const found = [sample.name, field, top[field], row[field]];
				expect(found).toEqual([sample.name, field, undefined, 'earlier']);
				seen.add(field);
			}
			expect({ ...top, ...row }).toEqual(earlier);
		}
	}
	const some = ['unsubscribed', 'deleted', 'status', 'replied', 'forwarded', 'score'];
	expect([...seen]).toEqual(expect.arrayContaining(some));
});

test.each(ON_ERROR)(
	'of a chain of A and B, the failure of B does not look like a success of A (On Error: %s)',
	async (onError) => {
		const email = 'ada@acme.example';
		const first = await runOperation(sandbox.a, 'customer.unsubscribe', { email });
		expect(first.items).toEqual([{ email, unsubscribed: true }]);
		sandbox.b.faults.add({ kind: { status: 401, body: 'No' } });
		const settings = { input: first.items, onError };
		const { output } = await runOperation(sandbox.b, 'contact.unsubscribe', { email }, settings);
		const [{ json } = { json: {} }] = output.flat();
		expect(JSON.parse(JSON.stringify(json))).toEqual({
			email,
			error: expect.any(String),
			details: expect.objectContaining({ code: 'account', row: { unsubscribed: true } }),
		});
	},
);

describe.each(ON_ERROR)('a row that came back (On Error: %s)', (onError) => {
	const send = async (input: IDataObject[], status?: number) => {
		const when = ({ method }: { method: string }) => method === 'POST';
		if (status) sandbox.b.faults.add({ when, kind: { status, body: { detail: 'No' } } });
		const parameters: INodeParameters = { campaignId: '101', ...automatic([]) };
		const { output } = await runOperation(sandbox.b, 'survey.send', parameters, { input, onError });
		return output.flat().map(({ json }): IDataObject => JSON.parse(JSON.stringify(json)));
	};

	test.each([
		['as it was', (item: IDataObject) => item],
		['from a sheet', (item: IDataObject) => ({ ...item, details: JSON.stringify(item.details) })],
	])(
		'begins without its failure after three failures, and is sent when it is corrected, %s',
		async (_, stored) => {
			const own = { status: 'won', error: 'E42', details: 'Sector 7' };
			const row = { email: 'new@example.com', plan: 'Pro', ...own };
			let items: IDataObject[] = [row];
			for (let tries = 0; tries < 3; tries++) {
				items = (await send(items, 400)).map(stored);
				const [{ details = {}, ...top } = {}] = items;
				expect(top).toEqual({
					email: row.email,
					plan: 'Pro',
					error: expect.stringContaining('No'),
				});
				const read = typeof details === 'string' ? JSON.parse(details) : details;
				expect(read).toMatchObject({ code: 'refused' });
				expect(read.row).toEqual(own);
			}
			expect(await send(items)).toMatchObject([{ email: row.email, status: 'SENT' }]);
			expect(sandbox.b.state.contacts.get(row.email)?.attributes).toEqual({ plan: 'Pro', ...own });
		},
	);
});

test('an error names a row by its number, and by its email if it has one', async () => {
	const input = [{ email: '' }, { email: 'unsubscribed@example.com' }];
	const parameters = { campaignId: '101', ...EMAIL_FROM_ROW };
	const onError = 'continueRegularOutput';
	const { items } = await runOperation(sandbox.b, 'survey.send', parameters, { input, onError });
	expect(items.map(({ error }) => error)).toEqual([
		expect.stringMatching(/^Column 'Email' is missing \[item 0\]/),
		expect.stringMatching(/^unsubscribed@example\.com: .* \[item 1\]/),
	]);
});

test("an agent's tool names an option by its label and its name, and a person's node by its label", async () => {
	const parameters = { ...EMAIL_FROM_ROW, campaignId: '101', options: { sendAtMost: 'few' } };
	const input = [{ email: 'new@example.com' }];
	const errors = [true, false].map(async (asTool) => {
		const onError = 'continueRegularOutput';
		const settings = { input, asTool, onError } as const;
		return (await runOperation(sandbox.b, 'survey.send', parameters, settings)).items[0]?.error;
	});
	expect(await Promise.all(errors)).toEqual([
		expect.stringContaining("'Send at Most' (sendAtMost) must be"),
		expect.stringContaining("'Send at Most' must be"),
	]);
});
