import type { IDataObject, INodeParameters, OnError } from 'n8n-workflow';

import { automatic, mapped } from '../../support/columns';
import { runOperation } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';

// Options that decide how values are read, and errors about the options themselves.

const sandbox = useSandbox();

async function run(
	node: 'surveyA' | 'surveyB',
	name: string,
	parameters: INodeParameters,
	input: IDataObject[] = [{}],
	onError?: OnError,
) {
	const service = node === 'surveyA' ? sandbox.a : sandbox.b;
	const result = await runOperation(service, name, parameters, { input, onError });
	const bodies: IDataObject[] = service.requests
		.filter(({ rawBody }) => rawBody !== '')
		.map(({ rawBody }) => JSON.parse(rawBody));
	return { ...result, bodies };
}

const EMAIL = 'ada@acme.example';

describe('Empty Values', () => {
	const TYPES: Array<[string, 'string' | 'dateTime' | 'number' | 'boolean' | 'array']> = [
		['string', 'string'],
		['date', 'dateTime'],
		['integer', 'number'],
		['boolean', 'boolean'],
		['collection', 'array'],
	];
	const SCHEMA = TYPES.map(([label, type]) => ({ id: `property:${label}`, type }));
	const blankColumns = (...ids: string[]) =>
		Object.fromEntries(ids.map((id) => [id, '={{ $json.blank }}']));
	const names = ['firstName', 'lastName'];
	const customerColumns = blankColumns(...names, 'company', 'tags', ...SCHEMA.map(({ id }) => id));
	const customer = mapped({ email: EMAIL, ...customerColumns }, SCHEMA);
	const attributes = ['attribute:plan', 'attribute:since'];
	const contactColumns = blankColumns(...names, 'unsubscribed', ...attributes);
	const since = { id: 'attribute:since', type: 'dateTime' as const };
	const contact = mapped({ email: EMAIL, ...contactColumns }, [since]);
	// An empty text cannot clear a number or a boolean.
	const properties = ['string', 'date', 'collection'].map((type) => ({
		label: type,
		type,
		value: type === 'collection' ? [] : '',
	}));

	describe.each([
		{
			node: 'surveyA',
			...{ name: 'customer.upsert', parameters: customer },
			bodyOf: (sent: object) => ({ subscribers: [sent] }),
			cleared: { first_name: '', last_name: '', company: '', tags: [], properties },
		},
		{
			node: 'surveyB',
			...{ name: 'contact.upsert', parameters: contact },
			bodyOf: (sent: object) => sent,
			cleared: { first_name: '', last_name: '', attributes: { plan: '', since: '' } },
		},
	] as const)('$node', ({ node, name, parameters, bodyOf, cleared }) => {
		test.each([[null], [''], ['  '], [[]]])(
			'%j is not sent by default, and sent as empty text or list with Clear',
			async (blank) => {
				for (const [options, sent] of [
					[{}, {}],
					[{ emptyValues: 'clear' }, cleared],
				] as const) {
					sandbox.a.reset();
					sandbox.b.reset();
					const ran = await run(node, name, { ...parameters, options }, [{ blank }]);
					expect(ran.error).toBeUndefined();
					expect(ran.bodies).toEqual([bodyOf({ email: EMAIL, ...sent })]);
				}
			},
		);
	});

	test('the JSON text of an empty list is not sent by default, and sent as an empty list with Clear', async () => {
		const list = { tags: ' [] ', 'property:Topics': '[ ]' };
		const parameters = mapped({ email: EMAIL, ...list }, [
			{ id: 'property:Topics', type: 'array' },
		]);
		const properties = [{ label: 'Topics', type: 'collection', value: [] }];
		for (const [emptyValues, sent] of [
			['ignore', {}],
			['clear', { tags: [], properties }],
		] as const) {
			sandbox.a.reset();
			const options = { emptyValues };
			const { bodies } = await run('surveyA', 'customer.upsert', { ...parameters, options });
			expect(bodies).toEqual([{ subscribers: [{ email: EMAIL, ...sent }] }]);
		}
	});

	test.each<[unknown, unknown]>([
		[[], []],
		['[]', []],
		['', undefined],
		[null, undefined],
	])('Clear sends %j in Contact List as %j: only an empty list clears it', async (cell, sent) => {
		const options = { emptyValues: 'clear' };
		const columns = mapped({ email: EMAIL, contactLists: '={{ $json.lists }}' });
		const row = JSON.parse(JSON.stringify({ lists: cell }));
		const { bodies } = await run('surveyB', 'contact.upsert', { ...columns, options }, [row]);
		expect(bodies).toEqual([{ email: EMAIL, contact_list: sent }]);
	});

	test('Clear creates no property that the account lacks', async () => {
		const options = { emptyValues: 'clear' };
		const columns = mapped({ email: EMAIL, 'property:Fresh': '={{ "" }}' });
		const { bodies } = await run('surveyA', 'customer.upsert', { ...columns, options });
		expect(bodies).toEqual([{ subscribers: [{ email: EMAIL }] }]);
	});

	test.each(['clear', '={{ "clear" }}'])(
		'Empty Values = %s clears an attribute of the account that the mapper does not show',
		async (emptyValues) => {
			const ada = sandbox.b.state.contacts.get(EMAIL);
			if (ada) ada.attributes = { plan: 'pro' };
			const row = { email: EMAIL, plan: '' };
			const parameters = { ...automatic(), options: { emptyValues } };
			const { bodies } = await run('surveyB', 'contact.upsert', parameters, [row]);
			expect(bodies).toEqual([{ email: EMAIL, attributes: { plan: '' } }]);
		},
	);

	test('a column that the row lacks is not cleared', async () => {
		const options = { emptyValues: 'clear' };
		const parameters = { ...customer, options };
		const { bodies } = await run('surveyA', 'customer.upsert', parameters, [{ other: 1 }]);
		expect(bodies).toEqual([{ subscribers: [{ email: EMAIL }] }]);
	});

	test('a column that nobody added in the editor, which stores null or false for it, is not sent and keeps no Additional Property out', async () => {
		const values = { company: null, 'property:Plan': null, 'property:VIP': false };
		const schema = Object.keys(values).map((id) => ({ id, removed: true }));
		const columns = mapped({ email: EMAIL, ...values }, schema);
		const options = { emptyValues: 'clear', additionalProperties: '{"Plan":"Team"}' };
		const { bodies } = await run('surveyA', 'customer.upsert', { ...columns, options });
		const properties = [{ label: 'Plan', type: 'string', value: 'Team' }];
		expect(bodies).toEqual([{ subscribers: [{ email: EMAIL, properties }] }]);
	});
});

describe('numbers and switches', () => {
	test.each<[INodeParameters, string]>([
		[{ limit: 0 }, "'Limit' must be 1 or more: 0"],
		[{ limit: '' }, "'Limit' is missing"],
	])('%j fails before anything is sent', async (parameters, says) => {
		const { error } = await run('surveyA', 'customer.getAll', parameters);
		expect(error?.message).toContain(says);
		expect(sandbox.a.requests).toEqual([]);
	});

	test.each([['false'], ['0'], ['no'], [0]])('%j counts as false in every switch', async (no) => {
		sandbox.a.seedCustomers(60);
		const customers = await run('surveyA', 'customer.getAll', { returnAll: no });
		expect(customers.items).toHaveLength(50);
		const { items } = await run('surveyA', 'feedback.getAll', { limit: 1, simplify: no });
		expect(Object.keys(items[0] ?? {}).length).toBeGreaterThan(20);
	});
});

describe('an option that cannot be read', () => {
	const a = { campaign: '64a000000000000000000003' };
	const b = { campaignId: '101' };

	test.each<['surveyA' | 'surveyB', INodeParameters, INodeParameters, string]>([
		['surveyA', a, { quietPeriod: -1 }, "'Quiet Period (Days)' must be 0 or more"],
		['surveyA', a, { dateFormat: 'short' }, "'Date Format' must be one of"],
		['surveyB', b, { surveyAttributes: '[1]' }, "'Survey Attributes (JSON)' must be a JSON object"],
	])(
		'fails every row of %s, and not only the first: %j, %j',
		async (node, campaign, options, says) => {
			const parameters = { ...campaign, ...automatic(), options };
			const input = [1, 2, 3].map((n) => ({ email: `person${n}@example.com` }));
			const onError = 'continueRegularOutput';
			const { items, bodies } = await run(node, 'survey.send', parameters, input, onError);
			const failed = expect.objectContaining({ error: expect.stringContaining(says) });
			expect(items).toEqual([failed, failed, failed]);
			expect(bodies).toEqual([]);
		},
	);
});

describe('single values', () => {
	test.each(['stopWorkflow', 'continueRegularOutput'] as const)(
		'with On Error = %s, an invalid Simplify fails before anything is sent',
		async (onError) => {
			const parameters = {
				campaignId: '101',
				email: EMAIL,
				score: 5,
				simplify: '={{ $json.short }}',
			};
			const input = [{ short: true }, { short: 'perhaps' }];
			const { error, items } = await run('surveyB', 'feedback.create', parameters, input, onError);
			const text = error?.message ?? String(items[1]?.error);
			expect(text).toContain(`'Simplify' must be true or false: "perhaps"`);
			expect(sandbox.b.requests).toHaveLength(error ? 0 : 1);
		},
	);

	test.each([{}, { none: null }, { none: '' }, { none: '  ' }, { none: ' , ' }])(
		'an expression without a value never removes all tags: %j [all-tags]',
		async (row) => {
			const feedbackId = String(sandbox.a.state.feedback[0]?.id);
			const parameters = { feedbackId, tags: '={{ $json.none }}', update: 'replace' };
			for (const name of ['feedback.setTags', 'feedback.setTagsLegacy']) {
				const { error } = await run('surveyA', name, parameters, [row]);
				expect(error?.message).toMatch(/: 'Tags' is missing/);
			}
			expect(sandbox.a.requests).toEqual([]);
		},
	);
});
