import type { INodeParameters } from 'n8n-workflow';

import { onItsOwnClock } from '../../support/clock.mts';
import { mapped } from '../../support/columns';
import { runOperation } from '../../support/runOperation';
import { errorOf } from '../../support/samples';
import { useSandbox } from '../../support/sandbox';

// A 200 is a success if it has a sign of one that the contract shows, and none against it.

const sandbox = useSandbox();

const EMAIL = 'ann@example.com';
const PARAMETERS: Record<string, INodeParameters> = {
	'a.survey.send': { campaign: '64a000000000000000000003', ...mapped({ email: EMAIL }) },
	'a.survey.sendLegacy': { campaign: '64a000000000000000000003', ...mapped({ email: EMAIL }) },
	'a.customer.upsert': mapped({ email: EMAIL }),
	'a.customer.unsubscribe': { email: EMAIL },
	'a.customer.delete': { email: EMAIL },
	'a.customer.get': { customerId: '64b' },
	'a.feedback.get': { feedbackId: '64b' },
	'a.report.get': { campaign: '64b' },
	'a.company.get': { company: '64b' },
	'b.metric.get': { campaignId: '101' },
	'b.feedback.create': {
		...{ campaignId: '101', email: EMAIL, score: 9 },
		additionalFields: { status: 'CLOSED' },
	},
	'b.commonReply.create': { title: 'Thanks', reply: 'Thank you', categoryName: 'All' },
	'a.feedback.setTags': { feedbackId: '64b', update: 'append', tags: 'x' },
	'a.feedback.setTopics': {
		feedbackId: '64b',
		update: 'replace',
		topics: { topic: [{ name: 'x', sentiment: 'neutral' }] },
	},
	'b.survey.send': { campaignId: '101', ...mapped({ email: EMAIL }) },
	'b.contact.upsert': mapped({ email: EMAIL, unsubscribed: true }),
	'b.contact.delete': { email: EMAIL },
	'b.contact.unsubscribe': { email: EMAIL },
	'b.feedback.reply': { feedbackId: '2001', fromUser: 'a@example.com', message: 'Thanks' },
	'b.feedback.forward': { feedbackId: '2001', fromUser: 'a@example.com', to: 'b@example.com' },
	'b.feedback.delete': { feedbackId: '2001' },
	'b.feedback.get': { feedbackId: '2001' },
	'b.feedback.updateStatus': { feedbackId: '2001', status: 'CLOSED' },
	'b.feedback.addTag': { feedbackId: '2001', tagName: 'price', tagCategory: 'PROMOTER' },
	'b.commonReply.delete': { commonReplyId: '7' },
	'b.webhook.create': { event: 'feedback.removed', target: 'https://example.com/hook' },
	'b.webhook.delete': { webhookId: '7' },
};

/** Runs an operation whose every request gets a 200 with this body; returns its item, and the number of requests. */
async function respond(name: string, body: unknown) {
	const [letter, resource = '', operation = ''] = name.split('.');
	const service = letter === 'a' ? sandbox.a : sandbox.b;
	service.faults.add({ kind: { status: 200, body }, times: Infinity });
	const settings = { onError: 'continueRegularOutput', maxTries: 2 } as const;
	const { items } = await onItsOwnClock(() =>
		runOperation(service, `${resource}.${operation}`, PARAMETERS[name], settings),
	);
	const json = items[0] ?? {};
	return { json, error: errorOf(json), requests: service.requests.length };
}

const MAYBE = 'may have been processed';

test.each([
	['a.survey.send', { success: false, message: 'hello' }, MAYBE],
	['a.survey.send', { status: 'error', message: 'hello' }, MAYBE],
	['a.survey.send', { code: 400, message: 'hello' }, MAYBE],
	['a.survey.send', { code: 401, message: 'hello' }, MAYBE],
	['b.feedback.reply', { success: false, message: 'hello' }, MAYBE],
	['a.survey.send', { status: 'failed' }, MAYBE],
	['a.survey.send', { code: 200, message: 'hello', status: 'not sent' }, MAYBE],
	['a.survey.sendLegacy', { code: 200, message: 'ok', data: {} }, MAYBE],
	['a.survey.sendLegacy', { code: 200, data: { [EMAIL]: { status: 'unknown' } } }, MAYBE],
	['a.feedback.setTags', { message: 'hello' }, MAYBE],
	['a.feedback.setTags', { code: 200, message: 'x', error: { tag: 'No such tag' } }, MAYBE],
	['b.feedback.reply', { status: 'error', login: 'required' }, MAYBE],
	['b.feedback.reply', { message: ['Too long'] }, MAYBE],
	['b.feedback.forward', { login: 'required' }, MAYBE],
	['b.feedback.forward', { non_field_errors: ['Reply already exists'] }, MAYBE],
	['b.feedback.reply', ['Reply already exists'], 'Check whether the feedback response has a reply'],
	['b.feedback.forward', [{ error: 'hello' }], MAYBE],
])(
	'a write counts as done only if the response confirms it: %s with %j [confirmed]',
	async (...given) => {
		const [name, body, message] = given;
		const { error, requests } = await respond(name, body);
		expect(error).toContain(message);
		expect(error).toContain(quoteOf(body));
		expect(requests).toBe(1);
	},
);

/** Returns a text of the response that the error has to quote. */
function quoteOf(body: object): string {
	const [text = ''] =
		JSON.stringify(body).match(
			/(?<=")(failed|hello|not sent|unknown|No such tag|required|Too long|Reply already exists)/,
		) ?? [];
	return text;
}

const noBody = { count: 0, next: null, previous: null, results: [] };

test.each([
	['a.survey.send', { status: 'rejected', reason: 'Unsubscribed' }, 'Unsubscribed'],
	[
		'a.survey.send',
		{ success: true, status: 'queued', data: [{ email: EMAIL, status: 'throttled' }] },
		'throttled',
	],
	[
		'a.survey.send',
		{ success: true, status: 'queued', data: [{ email: EMAIL, reason: 'Opted out' }] },
		'Opted out',
	],
	[
		'a.customer.upsert',
		{ code: 200, data: { subscribers: [{ email: EMAIL, error: 'Bad tag' }] } },
		'Bad tag',
	],
	['a.customer.upsert', { message: 'hello' }, 'hello'],
	[
		'a.customer.unsubscribe',
		{ code: 200, data: [{ email: EMAIL, unsubscribed: false }] },
		'"unsubscribed":false',
	],
	[
		'a.customer.unsubscribe',
		{ code: 200, data: [{ email: EMAIL, unsubscribed: 'false' }] },
		'"unsubscribed":"false"',
	],
	[
		'a.customer.unsubscribe',
		{ code: 200, data: [{ email: EMAIL, reason: 'Customer not found' }] },
		'Customer not found',
	],
	['a.customer.delete', { code: 200, data: [{ email: EMAIL, deleted: null }] }, '"deleted":null'],
	['a.customer.delete', { code: 200, data: [{ email: EMAIL, status: 'notFound' }] }, 'notFound'],
	[
		'a.customer.delete',
		{ code: 200, data: [{ email: EMAIL, message: 'Not found.' }] },
		'Not found',
	],
	['a.customer.delete', { code: 200, data: [{ email: EMAIL, code: 404 }] }, '"code":404'],
	['a.customer.unsubscribe', { code: 200, data: [{ email: EMAIL, status: 404 }] }, '"status":404'],
	['a.customer.upsert', { code: 200, data: [{ email: EMAIL, statusCode: '422' }] }, '"422"'],
	['a.customer.upsert', { code: 200, data: [{ email: EMAIL, reason: 'Blocked' }] }, 'Blocked'],
	['a.customer.upsert', { code: 200, data: [{ email: EMAIL, message: 'Bad tag' }] }, 'Bad tag'],
	[
		'a.survey.send',
		{ success: true, status: 'queued', data: [{ email: EMAIL, message: 'Opted out' }] },
		'Opted out',
	],
	[
		'a.survey.send',
		{ success: true, status: 'queued', data: [{ email: EMAIL, code: 400 }] },
		'"code":400',
	],
	['a.customer.unsubscribe', { code: 200, message: 'ok', data: [] }, 'did not confirm'],
	['a.customer.delete', { code: 200, message: 'ok', data: [] }, 'did not confirm'],
	['a.feedback.setTopics', { message: 'hello' }, 'hello'],
	['a.feedback.setTags', { code: 200, message: 'Feedback record not found.' }, 'record not found'],
	['a.feedback.setTopics', { code: 200, message: 'Feedback record not found.' }, 'not found'],
	['a.feedback.setTopics', { code: 200, message: 'Validation failed', data: null }, 'failed'],
	['b.survey.send', { contact: ['Contact has unsubscribed.'] }, 'Contact has unsubscribed.'],
	[
		'b.survey.send',
		{ contact: { email: ['Enter a valid email address.'] } },
		'Enter a valid email',
	],
	['b.survey.send', { campaign_id: 101, status: 'FAILED', contact: { email: EMAIL } }, 'FAILED'],
	['b.survey.send', { status: 'THROTTLED', contact: { email: EMAIL } }, 'THROTTLED'],
	['b.survey.send', { status: 'INELIGIBLE', contact: { email: EMAIL } }, 'INELIGIBLE'],
	[
		'b.survey.send',
		{ status: 'SENT', contact: { email: 'other@example.com' } },
		'other@example.com',
	],
	['b.survey.send', { contact: { email: EMAIL }, campaign_id: 102 }, "'Campaign' is 102"],
	['b.survey.send', { message: 'hello' }, 'hello'],
	['b.contact.upsert', { status: 'error', login: 'required' }, 'required'],
	['b.contact.upsert', { id: 1, email: 'other@example.com' }, 'other@example.com'],
	['b.contact.upsert', { id: 1, email: EMAIL, unsubscribed: false }, "'Unsubscribed' is false"],
	['b.contact.upsert', { id: 1, email: EMAIL, unsubscribed: null }, "'Unsubscribed' is null"],
	['b.contact.upsert', { id: 1, email: EMAIL }, "'Unsubscribed' is null"],
	['b.contact.upsert', { email: ['Required'] }, 'Required'],
	['b.contact.upsert', { id: null, email: null }, 'null'],
	['b.contact.delete', { login: 'required' }, 'required'],
	['b.contact.delete', ['Contact not found.'], 'Contact not found.'],
	['b.contact.delete', [{ error: 'Not yours' }], 'Not yours'],
	['b.contact.unsubscribe', ['invalid'], 'invalid'],
	['b.contact.unsubscribe', { login: 'required' }, 'required'],
	['b.contact.unsubscribe', { results: [{ email: EMAIL, message: 'No access' }] }, 'No access'],
	['b.feedback.delete', { success: false, reason: 'Locked' }, 'Locked'],
	['b.feedback.delete', { success: 'False', reason: 'Locked' }, 'Locked'],
	['b.feedback.delete', ['Feedback is locked.'], 'Feedback is locked.'],
	['b.feedback.get', { id: 2002 }, 'the record 2002 instead of 2001'],
	['b.metric.get', { nps: 5, campaign_id: 102 }, "'Campaign' is 102"],
	['b.metric.get', [{ nps: 5, href: 'https://x.example/metrics/999/' }], "'Campaign' is 999"],
	['b.metric.get', [{ nps: 5 }, { nps: 6 }], 'metrics of several campaigns'],
	['b.feedback.create', { id: 1, score: 8 }, "'Score' is 8"],
	['b.feedback.create', { id: 1, contact: { email: 'other@example.com' } }, 'other@example.com'],
	['b.feedback.create', { id: 1, score: 9, status: 'OPEN' }, `'Status' is "OPEN"`],
	['b.feedback.create', { id: 1, score: 9, campaign: { id: 102 } }, "'Campaign' is 102"],
	['b.commonReply.create', { id: 1, title: 'Other' }, `'Title' is "Other"`],
	['a.customer.upsert', { code: 200, data: { subscribers: [], total: 1 } }, 'did not confirm'],
	['a.customer.get', { data: { subscribers: [{ id: '64c' }] } }, 'the record "64c" instead of 64b'],
	['a.feedback.get', { data: { responses: [{ id: '64c' }] } }, 'the record "64c" instead of 64b'],
	['a.report.get', { data: [{ campaignId: '64c' }] }, 'the record "64c" instead of 64b'],
	['a.company.get', { data: { id: '64c', domain: 'x.example' } }, 'instead of 64b'],
	['b.feedback.updateStatus', { status: ['Not a status'] }, 'Not a status'],
	['b.feedback.updateStatus', { id: 2001, status: 'OPEN' }, `'Status' is "OPEN"`],
	['b.feedback.addTag', { name: 'price', category: 'DETRACTOR' }, "'Tag Category' is"],
	['b.feedback.addTag', { name: 'late', category: 'PROMOTER' }, "'Tag Name' is"],
	['b.feedback.delete', { deleted: false }, '"deleted":false'],
	['b.commonReply.delete', { deleted: 'no' }, '"deleted":"no"'],
	['b.webhook.delete', { id: 7, deleted: null }, '"deleted":null'],
	['b.webhook.delete', { id: 8 }, `'ID' is 8`],
	['b.webhook.create', { id: 7, event: 'tag.merged' }, `'Event' is "tag.merged"`],
	['b.webhook.create', { id: 7, target: 'https://a.example' }, `'Target' is "https://a.example"`],
	['b.feedback.updateStatus', { id: 2002, status: 'CLOSED' }, `'Feedback ID' is 2002`],
	['b.commonReply.delete', { status: 'error', login: 'required' }, 'required'],
	['b.webhook.delete', { errors: ['Locked'] }, 'Locked'],
	['b.webhook.delete', ['No such webhook.'], 'No such webhook.'],
	['b.webhook.delete', { id: 7, event: 'feedback.removed' }, '"event"'],
	['b.feedback.delete', { detail: 'Feedback could not be deleted.' }, 'could not be deleted'],
	['b.feedback.delete', { message: 'You cannot delete this feedback.' }, 'You cannot delete'],
	['b.feedback.delete', { message: 'Locked' }, 'Locked'],
	['b.feedback.delete', { success: 0 }, '"success":0'],
	['b.feedback.delete', { success: null }, '"success":null'],
	['b.feedback.delete', { ok: false }, '"ok":false'],
	['b.feedback.delete', { removed: false }, '"removed":false'],
	['b.feedback.delete', { status: 403, title: 'Forbidden' }, 'Forbidden'],
	['b.feedback.delete', { error_code: 12, error_message: 'locked' }, 'locked'],
	['b.feedback.delete', { id: 2001, status: 'OPEN' }, '"OPEN"'],
	['b.commonReply.delete', { affected: 0 }, '"affected":0'],
	['b.contact.delete', { ...noBody, detail: 'Contact could not be removed.' }, 'not be removed'],
	['b.contact.delete', { ...noBody, message: 'Contact not found.' }, 'Contact not found.'],
	['b.contact.delete', { results: [{ email: EMAIL, error: 'Has surveys' }] }, 'Has surveys'],
	['b.contact.delete', { results: [{ email: EMAIL }] }, EMAIL],
	['b.contact.delete', { email: 'other@example.com', deleted: true }, 'other@example.com'],
])('%s: a 200 with %j fails and quotes the response', async (name, body, quoted) => {
	const { error } = await respond(name, body);
	expect(error).toContain(quoted);
});

test.each([
	['b.feedback.delete', { message: 'You cannot delete this feedback.' }],
	['b.webhook.delete', { status: 403, title: 'Forbidden' }],
	['b.contact.delete', { ...noBody, message: 'Contact not found.' }],
	['b.contact.upsert', { id: 1, email: EMAIL }],
])(
	'%s is sent once in each of two tries, and not confirmed, if a 200 has %j',
	async (name, body) => {
		const { json, requests } = await respond(name, body);
		expect(json.details).toMatchObject({ code: 'notConfirmed', confirmed: false });
		expect(requests).toBe(2);
	},
);

test.each([
	['a.survey.send', { success: true, code: 200, message: 'ok', status: 'queued' }],
	['a.survey.send', { status: 'QUEUED ' }],
	['a.survey.send', { status: 'QUEUED', error: '', errors: [], detail: {} }],
	['a.survey.send', { success: true, data: [{ email: EMAIL, status: 'queued', reason: '' }] }],
	['a.survey.send', { success: true, data: [{ email: EMAIL, first_name: 'Ann' }] }],
	['a.survey.send', { success: true, data: { surveys: [{ email: EMAIL }], skipped: [] } }],
	[
		'a.survey.sendLegacy',
		{ code: 200, message: 'ok', data: { [EMAIL]: { status: 'sending', reason: '' } } },
	],
	['a.customer.upsert', { code: 200, data: { subscribers: [{ email: ' ANN@example.com' }] } }],
	['a.customer.unsubscribe', { code: 200, data: [{ email: EMAIL, unsubscribed: true }] }],
	[
		'a.customer.unsubscribe',
		{ code: 200, data: [{ email: EMAIL, unsubscribed: 'true', reason: 'By phone' }] },
	],
	['a.customer.delete', { code: 200, data: { [EMAIL]: { status: 'deleted' } } }],
	['a.customer.delete', { code: 200, data: [{ email: EMAIL, code: 200, message: 'Deleted.' }] }],
	['a.customer.upsert', { code: 200, data: [{ email: EMAIL, status: 200, message: '' }] }],
	['a.customer.upsert', { code: 200, data: [{ email: EMAIL, status: 'saved', message: 'Yes' }] }],
	['a.feedback.setTags', { code: 200, message: 'ok' }],
	['a.feedback.setTags', { code: 200, message: 'Feedback record updated' }],
	['b.survey.send', { contact: { email: EMAIL }, campaign: 101 }],
	['b.survey.send', { contact: { email: EMAIL }, campaign_id: '101' }],
	['a.customer.get', { data: { subscribers: [{ id: '64B' }] } }],
	['a.company.get', { data: { id: '64c', domain: '64b' } }],
	['b.metric.get', { count: 1, results: [{ nps: 5, href: 'https://x.example/0101/' }] }],
	['b.metric.get', { nps: 5, campaign_id: '0101' }],
	['b.contact.upsert', { id: 1, email: EMAIL, unsubscribed: 'True', attributes: { error: 'x' } }],
	['b.contact.upsert', { id: 1, unsubscribed: true }],
	['b.contact.upsert', { id: 1, email: EMAIL, unsubscribed: '1' }],
	['b.contact.delete', noBody],
	['b.contact.delete', ''],
	['b.contact.delete', []],
	['b.feedback.reply', {}],
	['b.feedback.forward', ''],
	['b.feedback.delete', {}],
	['b.feedback.get', { id: 2001, status: 'BLOCKED', comment: 'A read confirms nothing' }],
	['b.feedback.updateStatus', { id: 2001, status: 'CLOSED', comment: 'An error' }],
	['b.feedback.updateStatus', { id: 2001, status: 'closed' }],
	['b.feedback.updateStatus', { id: 2001, tags: ['Late delivery'] }],
	['b.commonReply.delete', ''],
	['b.webhook.delete', { id: 7 }],
	['b.feedback.delete', { id: 2001, deleted: true }],
	['b.contact.delete', { email: EMAIL, deleted: true }],
	['b.feedback.create', { id: 1, score: 9, status: 'closed', campaign: { id: '101' } }],
	['b.feedback.delete', { success: 1, message: 'Feedback was deleted.', error: null }],
	['b.feedback.delete', { status: 200, detail: 'Deleted' }],
	['b.commonReply.delete', { status: 'success', data: null }],
	['b.contact.delete', { results: [], message: 'Contact removed.' }],
	['b.feedback.addTag', { name: 'price', events: ['feedback.removed', 'Any other event'] }],
	['b.feedback.create', { id: 2001 }],
	['b.commonReply.create', { id: 7 }],
	['b.webhook.create', { id: 7 }],
])('%s: a 200 with %j succeeds', async (name, body) => {
	const { error, requests } = await respond(name, body);
	expect(error).toBeUndefined();
	expect(requests).toBe(1);
});
