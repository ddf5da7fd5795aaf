import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { mapped } from '../../support/columns';
import { runOperation } from '../../support/runOperation';
import { errorOf } from '../../support/samples';
import { useSandbox } from '../../support/sandbox';

// Values of parameters that are no mapped rows.

const sandbox = useSandbox();
const ANN = 'ann@customer.com';
const REPLY = { fromUser: 'agent@example.com', message: 'Thanks' };
const CREATE = { campaignId: '101', email: ANN, score: 9 };

/** Runs an operation of Survey A or B for a row; returns its error, and the bodies that arrived. */
async function run(name: string, parameters: INodeParameters, row: IDataObject = {}) {
	const [letter, resource, operation] = name.split('.');
	const service = letter === 'a' ? sandbox.a : sandbox.b;
	const feedbackId = String(sandbox.b.state.feedback[0]?.id);
	const { items } = await runOperation(
		service,
		`${resource}.${operation}`,
		{ feedbackId, ...parameters },
		{
			input: [row],
			onError: 'continueRegularOutput',
		},
	);
	const bodies = service.requests
		.filter(({ method }) => method !== 'GET')
		.map(({ rawBody }): IDataObject => JSON.parse(rawBody));
	return { error: errorOf(items[0] ?? {}), bodies };
}

describe('an expression that was entered as text', () => {
	const TEXT = 'Hi {{ $json.name }}';

	test.each<[string, string, INodeParameters]>([
		['Message', 'b.feedback.reply', { ...REPLY, message: TEXT }],
		['From User', 'b.feedback.reply', { ...REPLY, fromUser: '{{ $json.user }}' }],
		['Additional Fields', 'b.feedback.create', { ...CREATE, additionalFields: { comment: TEXT } }],
		['Title', 'b.commonReply.create', { title: TEXT, reply: 'x', categoryName: 'x' }],
		['Reason', 'a.customer.unsubscribe', { email: ANN, options: { message: TEXT } }],
		[
			'Additional Properties (JSON)',
			'a.customer.upsert',
			{
				...mapped({ email: ANN }),
				options: { additionalProperties: '{ "plan": "{{ $json.p }}" }' },
			},
		],
		[
			'Survey Attributes (JSON)',
			'b.survey.send',
			{
				campaignId: '101',
				...mapped({ email: ANN }),
				options: { surveyAttributes: '{ "plan": "{{ name }}" }' },
			},
		],
		["Column 'email'", 'b.contact.upsert', mapped({ email: '{{ $json.email }}' })],
	])('fails the row, and nothing goes out: %s of %s', async (label, name, parameters) => {
		const { error, bodies } = await run(name, parameters);
		const named = label.startsWith('Column') ? label : `'${label}'`;
		expect(error).toContain(`${named} is an expression that was entered as text`);
		expect(error?.match(/entered as text/g)).toHaveLength(1);
		expect(bodies).toEqual([]);
	});

	test('is not seen in a text that begins with a word such as $todays', async () => {
		const { error, bodies } = await run('b.feedback.reply', { ...REPLY, message: '$todays offer' });
		expect(error).toBeUndefined();
		expect(bodies).toMatchObject([{ message: '$todays offer' }]);
	});

	test('is no reason to fail if an expression returns it', async () => {
		const { error, bodies } = await run(
			'b.feedback.reply',
			{ ...REPLY, message: '={{ $json.text }}' },
			{ text: 'Write {{ name }} here' },
		);
		expect(error).toBeUndefined();
		expect(bodies).toMatchObject([{ message: 'Write {{ name }} here' }]);
	});
});

describe('an additional field that was added', () => {
	test.each<[string, string, INodeParameters]>([
		['CC', 'b.feedback.reply', { ...REPLY, additionalFields: { cc: '={{ $json.nope }}' } }],
		['BCC', 'b.feedback.reply', { ...REPLY, additionalFields: { bcc: '' } }],
		[
			'Status',
			'b.feedback.create',
			{ ...CREATE, additionalFields: { status: '={{ $json.nope }}' } },
		],
		[
			'Name',
			'b.feedback.create',
			{
				...CREATE,
				additionalFields: {
					tags: {
						tag: [
							{ name: 'price', category: 'PROMOTER' },
							{ name: '={{ $json.nope }}', category: 'PROMOTER' },
						],
					},
				},
			},
		],
	])('needs a value: %s of %s', async (label, name, parameters) => {
		const { error, bodies } = await run(name, parameters);
		expect(error).toContain(`'${label}' is missing`);
		expect(bodies).toEqual([]);
	});
});

test.each<[string, string[]]>([
	['"Doe, Jane" <jane@x.example>, bob@x.example', ['jane@x.example', 'bob@x.example']],
	['Ada <ada@x.example>; Bob <bob@x.example>', ['ada@x.example', 'bob@x.example']],
	['Ada <ada@x.example>, ; ', ['ada@x.example']],
])('CC takes the addresses of a mail as it has them: %s', async (cc, sent) => {
	const { error, bodies } = await run('b.feedback.reply', { ...REPLY, additionalFields: { cc } });
	expect(error).toBeUndefined();
	expect(bodies).toMatchObject([{ cc: sent }]);
});

test.each([
	['a.customer.get', 'customerId', 'Ada <ada@acme.example>'],
	['b.contact.get', 'contactId', '<ada@acme.example>'],
])('By Email of %s takes an address with a name', async (name, field, value) => {
	const locator = { __rl: true, mode: 'email', value };
	const { error } = await run(name, { [field]: locator });
	expect(error).toBeUndefined();
});
