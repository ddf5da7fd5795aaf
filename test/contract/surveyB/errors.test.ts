import type { INodeParameters } from 'n8n-workflow';

import type { ServiceB } from '../../../sandbox';
import { onItsOwnClock } from '../../support/clock.mts';
import { mapped } from '../../support/columns';
import { useBench } from './bench';

// Every row of the contract's error tables: the service's words, the code, and what to do.

const bench = useBench();

const status = (code: number, detail: string) => (service: ServiceB) =>
	service.faults.add({ kind: { status: code, body: { detail } }, times: Infinity });

test.each([
	[403, 'Forbidden', 'administrator'],
	[404, 'Not Found', 'Check the ID'],
	[405, 'Method Not Allowed', 'may not support this operation'],
	[406, 'Not Acceptable', 'Check the Base URL'],
	[410, 'Gone', 'Remove the row'],
	[500, 'Internal Server Error', 'Try again later'],
	[503, 'Service Unavailable', 'Try again later'],
])('HTTP %p reports "%s" and what to do', async (code, words, advice) => {
	status(code, words)(bench().service);
	const errorText = await onItsOwnClock(
		async () => await bench().failure('feedback.get', { feedbackId: '1' }),
	);
	expect(errorText).toContain(`${words} (HTTP ${code})`);
	expect(errorText).toContain(advice);
});

test('a rejected API key (401) reports that the key needs a check', async () => {
	status(401, 'Invalid token.')(bench().service);
	const errorText = await bench().failure('feedback.get', { feedbackId: '1' });
	expect(errorText).toContain('Invalid token. (HTTP 401)');
	expect(errorText).toContain('Check the API key');
});

test('a 429 waits the seconds that its body names', async () => {
	const detail = 'Request was throttled. Expected available in 1.0 seconds.';
	bench().service.faults.add({ kind: { status: 429, body: { detail } } });
	const before = Date.now();
	await bench().one('contactList.getAll', { limit: 1 });
	expect(Date.now() - before).toBeGreaterThanOrEqual(1000);
});

test('a 429 that asks for more than Max Wait fails and names Max Wait', async () => {
	const detail = 'Request was throttled. Expected available in 1.0 seconds.';
	bench().service.faults.add({
		kind: { status: 429, headers: { 'retry-after': '1' }, body: { detail } },
	});
	const errorText = await bench().failure('contactList.getAll', { options: { maxWait: 0 } });
	expect(errorText).toContain(`${detail} (HTTP 429)`);
	expect(errorText).toContain('Max Wait');
	// The account stays paused for the next test otherwise.
	await bench().one('contactList.getAll', { limit: 1 });
});

const survey = (email: string, campaignId = '101') => ({ campaignId, ...mapped({ email }) });
const SURVEY = survey('nathan@example.com');
const FOLLOW_UP = { fromUser: 'agent@example.com', message: 'Hello', to: 'lead@example.com' };

interface Row {
	operation: string;
	parameters: INodeParameters;
	/** Brings the service into the state in which it refuses this. */
	given?(service: ServiceB): void;
	says: string;
	advises: string;
	/** The field that the error item names, and its value. */
	field?: [string, string];
}

/** The feedback that the service is asked to follow up. */
const FEEDBACK = '={{ $json.id }}';

const replied = ({ state }: ServiceB) =>
	state.feedback.forEach(({ id }) => state.followups.set(id, new Set(['REPLIED'])));

test.each<Row>([
	{
		operation: 'survey.send',
		parameters: survey('unsubscribed@example.com'),
		says: 'contact: Contact has unsubscribed.',
		advises: 'Remove the row',
		field: ['Email', 'unsubscribed@example.com'],
	},
	{
		operation: 'survey.send',
		parameters: survey('no address'),
		says: 'contact.email: Enter a valid email address.',
		advises: 'Correct the email',
		field: ['Email', 'no address'],
	},
	{
		operation: 'survey.send',
		parameters: survey('nathan@example.com', '103'),
		says: 'campaign: Organization does not have permission to access campaign.',
		advises: 'Check the campaign ID',
		field: ['Campaign', '103'],
	},
	{
		operation: 'survey.send',
		parameters: survey('nathan@example.com', '104'),
		says: 'campaign: Campaign requires a contact list to be associated.',
		advises: 'Add a contact list to the campaign',
		field: ['Campaign', '104'],
	},
	{
		operation: 'survey.send',
		parameters: SURVEY,
		given: ({ state }) => state.lastSurveyed.set('nathan@example.com', Date.now()),
		says: 'Contact is not eligible for survey.',
		advises: 'once in 24 hours',
	},
	{
		operation: 'feedback.reply',
		parameters: { ...FOLLOW_UP, feedbackId: FEEDBACK },
		given: replied,
		says: 'Reply already exists for this feedback.',
		advises: 'only one reply',
	},
	{
		operation: 'feedback.forward',
		parameters: { ...FOLLOW_UP, feedbackId: FEEDBACK },
		given: replied,
		says: 'Reply already exists for this feedback.',
		advises: 'only one reply',
	},
	{
		operation: 'feedback.forward',
		parameters: { ...FOLLOW_UP, feedbackId: FEEDBACK },
		given: (service) => service.state.feedback.forEach(({ id }) => service.markComplete(id)),
		says: 'Feedback has been marked complete.',
		advises: 'may need to be reopened first',
	},
	{
		operation: 'feedback.reply',
		parameters: { ...FOLLOW_UP, feedbackId: FEEDBACK, fromUser: 'stranger@example.com' },
		says: 'from_user: User is not a member of the organization.',
		advises: 'email of an organization member',
		field: ['From User', 'stranger@example.com'],
	},
	{
		operation: 'contact.upsert',
		parameters: mapped({ email: 'a@example.com', contactLists: '99' }),
		says: 'contact_list: Invalid pk "99" - object does not exist.',
		advises: 'Correct the value',
	},
])(
	'$operation reports "$says" with what to do',
	async ({ operation, parameters, given, says, advises, field }) => {
		const { service } = bench();
		given?.(service);
		const input = [{ id: service.state.feedback.at(-1)?.id }];
		const stopped = await bench().run(operation, parameters, { input });
		expect(stopped.error?.message).toContain(`${says} (HTTP 400)`);
		expect(stopped.error?.description).toContain(advises);
		const { items } = await bench().run(operation, parameters, {
			input,
			onError: 'continueRegularOutput',
		});
		expect(items).toEqual([
			{
				...input[0],
				error: expect.stringContaining(`${says} (HTTP 400)`),
				details: expect.objectContaining({
					httpCode: 400,
					advice: expect.stringContaining(advises),
				}),
			},
		]);
		expect(items[0]?.error).toContain(advises);
		const [name, value] = field ?? [];
		if (field) expect(items[0]?.details).toMatchObject({ field: name, value });
	},
);

test('validation messages of several fields are joined into one readable text', async () => {
	const body = { contact: { email: ['May not be blank.'] }, campaign_id: ['Required.', 'Really.'] };
	bench().service.faults.add({ kind: { status: 400, body } });
	expect(await bench().failure('survey.send', SURVEY)).toContain(
		'contact.email: May not be blank.; campaign_id: Required.; campaign_id: Really. (HTTP 400)',
	);
});
