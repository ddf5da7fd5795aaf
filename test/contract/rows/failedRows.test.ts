import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';

import { automatic, EMAIL_FROM_ROW, mapped } from '../../support/columns';
import { runOperation } from '../../support/runOperation';
import { freshSample, runSample, samplesOf, serviceOf } from '../../support/samples';
import { useSandbox } from '../../support/sandbox';

// What a failed row shows, and what it begins with when it comes back.

const sandbox = useSandbox();

const ON_ERROR: OnError[] = ['continueRegularOutput', 'continueErrorOutput'];

/** Runs every operation, and returns the first item of each by its place in the samples. */
async function itemsOfAll(): Promise<IDataObject[]> {
	const all: IDataObject[] = [];
	for (const index of samplesOf(sandbox).keys()) {
		const sample = freshSample(sandbox, index);
		sandbox.b.settings.hookDeletion = 204;
		const { items, error } = await runSample(sandbox, sample, { returnAll: false });
		expect([sample.name, error]).toEqual([sample.name, undefined]);
		all.push(items[0] ?? {});
	}
	return all;
}

test('a failed row does not say at its top that the operation succeeded, as it did before: that stands in details.row', async () => {
	const before = await itemsOfAll();
	const seen = new Set<string>();
	for (const [i, sample] of samplesOf(sandbox).entries()) {
		const saysDone = ([name, value]: [string, unknown]) => {
			const isOfSend = name === 'status' && sample.name.startsWith('survey.send');
			return isOfSend || (value === true && !('columns' in sample.parameters));
		};
		const claims = Object.entries(before[i] ?? {}).filter(saysDone);
		for (const onError of sample.name.includes('get') ? [] : ON_ERROR) {
			const service = serviceOf(sandbox, sample.node);
			service.faults.add({ kind: { status: 401, body: 'No' }, times: Infinity });
			const { output } = await runSample(
				sandbox,
				sample,
				{},
				{ input: [before[i] ?? {}], onError },
			);
			service.faults.clear();
			const [[item] = []] = output.filter((items) => items.length > 0);
			const { details, error, ...top }: IDataObject = item?.json ?? {};
			const { row }: { row: IDataObject } = { row: {}, ...Object(details) };
			expect(error).toContain('No');
			for (const [name, value] of claims) {
				expect([sample.name, name, top[name], row[name]]).toEqual([
					sample.name,
					name,
					undefined,
					value,
				]);
				seen.add(name);
			}
			expect({ ...top, ...row }).toEqual(before[i]);
		}
	}
	const some = ['unsubscribed', 'deleted', 'status', 'replied', 'forwarded'];
	expect([...seen]).toEqual(expect.arrayContaining(some));
});

test.each(ON_ERROR)(
	"a failed row keeps at its top a person's own columns with the names of results (On Error: %s)",
	async (onError) => {
		const own = { status: 'gone', reason: 'No', name: 'Ada', score: 3, createdDate: '2027-03-04' };
		for (const sample of samplesOf(sandbox)) {
			const service = serviceOf(sandbox, sample.node);
			service.faults.add({ kind: { status: 401, body: 'No' }, times: Infinity });
			// Create or Update takes these columns, and returns some of them.
			const mapped = { first_name: 'Ada', unsubscribed: true, attributes: { plan: 'pro' } };
			const columns = sample.name.includes('upsert') ? { ...own, ...mapped } : own;
			const input = [{ ...columns, email: 'ada@acme.example' }];
			const { output } = await runSample(sandbox, sample, {}, { input, onError });
			service.faults.clear();
			const [[item] = []] = output.filter((items) => items.length > 0);
			expect([sample.name, item?.json]).toMatchObject([sample.name, columns]);
		}
	},
);

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

test.each(['SENT', 'queued', 'sending', 'skipped', 'maybeSent'])(
	'a row of an earlier send has its status %s in details.row if a later send fails',
	async (status) => {
		const row = { email: 'ada@acme.example', campaign_id: 101 };
		sandbox.b.faults.add({ kind: { status: 401, body: 'No' } });
		const parameters = { campaignId: '102', ...EMAIL_FROM_ROW };
		const { items } = await runOperation(sandbox.b, 'survey.send', parameters, {
			input: [{ ...row, status }],
			onError: 'continueRegularOutput',
		});
		const details = expect.objectContaining({ code: 'account', row: { status } });
		expect(items).toEqual([{ ...row, error: expect.any(String), details }]);
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
			const moved = { error: 'E42', details: 'Sector 7' };
			const kept = { email: 'new@example.com', plan: 'Pro', status: 'won' };
			let items: IDataObject[] = [{ ...kept, ...moved }];
			for (let tries = 0; tries < 3; tries++) {
				items = (await send(items, 400)).map(stored);
				const [{ details = {}, ...top } = {}] = items;
				expect(top).toEqual({ ...kept, error: expect.stringContaining('No') });
				const read = typeof details === 'string' ? JSON.parse(details) : details;
				expect(read).toMatchObject({ code: 'refused' });
				expect(read.row).toEqual(moved);
			}
			const { email, ...attributes } = { ...kept, ...moved };
			expect(await send(items)).toMatchObject([{ email, status: 'SENT' }]);
			expect(sandbox.b.state.contacts.get(email)?.attributes).toEqual(attributes);
		},
	);

	const byHand = {
		campaignId: '101',
		...mapped({ email: '={{ $json.email }}', unsubscribed: '={{ $json.status === "gone" }}' }),
	};

	test.each<[string, INodeParameters, IDataObject]>([
		['by name', { campaignId: '101', ...automatic([]) }, { status: 'unsubscribed' }],
		[
			'by name, in an object',
			{ campaignId: '101', ...automatic([]) },
			{ contact: { unsubscribed: true } },
		],
		['by an expression of Map Each Column', byHand, { status: 'gone' }],
		[
			'by name, in a row of an unsubscription that failed',
			{ campaignId: '101', ...automatic([]) },
			{ unsubscribed: true },
		],
		[
			'in a row of an unsubscription that failed, although nothing is mapped',
			{ campaignId: '101', ...EMAIL_FROM_ROW },
			{ unsubscribed: true },
		],
	])('is not surveyed if it says no, however it was stored: %s', async (_, parameters, no) => {
		const settings = { input: [{ email: 'ann at acme.example', ...no }], onError };
		const isUnsubscription = 'unsubscribed' in no;
		const failed = isUnsubscription
			? await runOperation(
					sandbox.b,
					'contact.unsubscribe',
					{ email: '={{ $json.email }}' },
					settings,
				)
			: await runOperation(sandbox.b, 'survey.send', parameters, settings);
		const [item] = failed.output.flat();
		const { error, details, ...others }: IDataObject = { ...item?.json, email: 'ann@acme.example' };
		expect(error).toContain('is not an email address');
		const stored = [
			{ ...others, error, details },
			{ ...others, error, details: JSON.stringify(details) },
			{ ...others, error: '', details },
			{ ...others, error: null, details: JSON.stringify(details) },
			{ ...others, details },
		];
		sandbox.b.requests.length = 0;
		for (const row of stored) {
			const { items } = await runOperation(sandbox.b, 'survey.send', parameters, {
				input: [row],
				onError,
			});
			expect(items).toMatchObject([{ status: 'skipped', details: { code: 'unsubscribed' } }]);
		}
		expect(sandbox.b.requests.filter(({ method }) => method === 'POST')).toEqual([]);
	});

	test('is sent with what was entered at its top since then', async () => {
		const row = { email: 'new@example.com', campaignId: 'C1', status: 'SENT' };
		const [failed] = await send([row], 400);
		expect(failed).toMatchObject({ details: { row: { status: 'SENT' } } });
		await send([{ ...failed, status: 'lost' }]);
		expect(sandbox.b.state.contacts.get(row.email)?.attributes).toEqual({
			campaignId: 'C1',
			status: 'lost',
		});
	});

	test.each<[string, IDataObject]>([
		['an error of another system', { error: 'Card declined', details: { code: 'declined' } }],
		['details of another system', { details: { code: 'failed', attempt: 2 } }],
	])('is not taken for one because of %s', async (_, own) => {
		const email = 'new@example.com';
		expect(await send([{ email, ...own }])).toMatchObject([{ status: 'SENT' }]);
		const attributes = sandbox.b.state.contacts.get(email)?.attributes;
		expect(Object.keys(attributes ?? {})).toEqual(
			Object.keys(own).filter((name) => name !== 'details'),
		);
	});
});

test('an error names a row by its number, and by its email if it has one', async () => {
	const input = [{ email: '' }, { email: 'unsubscribed@example.com' }];
	const parameters = { campaignId: '101', ...EMAIL_FROM_ROW };
	const onError = 'continueRegularOutput';
	const { items } = await runOperation(sandbox.b, 'survey.send', parameters, { input, onError });
	expect(items.map(({ error }) => error)).toEqual([
		expect.stringMatching(/^Column 'Email' is empty \[item 0\]/),
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
