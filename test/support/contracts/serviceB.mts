import { z, type ZodTypeAny } from 'zod';

import { numbers, record, some, texts, time, whole, type Contract } from './endpoint.mts';

// The contract of Survey B as a table, written from its text alone. Change it by that text only. Where the contract describes
// an operation and not its request, the conventional REST form is assumed, as docs/operations.md says.

const page = whole;
const list = z.array(z.string());
const attributes = z.record(z.unknown());
/** `yyyy-mm-dd` or `mm/dd/yyyy`. */
const date = z.string().regex(/^\d{4}-\d\d-\d\d$|^\d\d\/\d\d\/\d{4}$/);
const posted = { posted_date_0: date, posted_date_1: date };
const id = z.number().int();
const nothing = z.object({}).strict();

/** The envelope of lists. */
const envelope = (row: ZodTypeAny) =>
	z
		.object({ count: id, next: z.string().nullable(), previous: z.string().nullable() })
		.extend({ results: z.array(row) })
		.strict();

const names = { first_name: z.string(), last_name: z.string() };
const embeddedContact = record({ attributes, ...names, id, email: z.string() });
const contact = record({
	...{ id, email: z.string(), ...names, created_date: time },
	// Some examples show text.
	...{ unsubscribed: z.union([z.boolean(), z.enum(['true', 'false'])]), attributes },
});

const category = z.enum(['DETRACTOR', 'PASSIVE', 'PROMOTER']);
const tag = z.object({ name: z.string().min(1), category }).strict();
const status = z.enum(['OPEN', 'CLOSED']);
const scoreType = z.enum(['promoter', 'passive', 'detractor']);

const feedbackFields = {
	...{ id, href: z.string(), followup_href: z.string(), contact: embeddedContact },
	campaign: record({ id, ...texts('name', 'status'), launch_date: time }),
	...{ score: id.min(0).max(10), score_type: scoreType, comment: z.string() },
	...{ comment_created: time, comment_modified: time, tags: z.array(tag) },
	survey: record({ id: id.optional(), attributes, sent_date: time }),
	...{ status, status_changed: time },
};
const feedback = record({ ...feedbackFields, created: time, score_changed: time });
/** The response to a change of the status names the times of the score in another way. */
const changedFeedback = record({ ...feedbackFields, score_created: time, score_modified: time });

const metrics = record({
	...texts('href', 'campaign_name'),
	score_analysis: z.enum(['AT RISK', 'GOOD', 'EXCELLENT', 'WORLD CLASS']),
	...numbers('nps', 'promoter_percentage', 'passive_percentage', 'detractor_percentage'),
	...numbers('feedback_count', 'surveys_delivered_count', 'surveys_scheduled_count'),
	...numbers('followup_count', 'followups_outstanding', 'average_revenue_per_customer'),
	...numbers('short_term_revenue_at_risk', 'long_term_revenue_at_risk', 'potential_new_revenue'),
	followup_rate_percentage: z.union([z.string(), z.number()]),
	feedback_rate_percentage: z.union([z.string(), z.number()]),
});

const commonReply = record({
	...{ id, title: z.string(), reply: z.string(), category: record({ id, name: z.string() }) },
});

const fromUser = { from_user: z.string().min(1) };

// Some accounts have further events than the contract shows: an expression may name them.
const event = z.string().min(1);

export const CONTRACT_B: Contract = {
	authorization: /^Token\s+\S/,
	endpoints: {
		'POST /api/v2/survey/': {
			body: z
				.object({
					campaign_id: z.union([z.string().min(1), z.number().int()]),
					contact: some({ ...names, attributes }).extend({ email: z.string() }),
					attributes: attributes.optional(),
				})
				.strict(),
			response: z
				.object({
					contact: record({ email: z.string(), ...names, attributes }),
					campaign_id: z.union([z.string(), z.number()]),
					...{ status: z.literal('SENT'), attributes },
				})
				.strict(),
		},
		'POST /api/v2/contacts/': {
			body: some({
				...{ ...names, unsubscribed: z.boolean(), attributes },
				// The table has one list, and the examples several.
				contact_list: z.union([id, z.array(id)]),
			}).extend({ email: z.string() }),
			response: contact,
		},
		'POST /api/v2/contacts/unsubscribe/': {
			body: z.object({ emails: list.min(1) }).strict(),
			// What the results are is not shown.
			response: envelope(z.unknown()),
		},
		'GET /api/v2/contacts/': {
			query: { email: z.string(), contact_list__id: whole, page },
			response: envelope(contact),
		},
		'GET /api/v2/contacts/{contact_id}/': { response: contact },
		'POST /api/contacts/remove/': {
			body: z.object({ email: z.string() }).strict(),
			response: envelope(z.never()),
		},
		// The envelope is not shown.
		'GET /api/lists/': {
			query: { page },
			response: z.union([envelope(record({ id, name: z.string() })), z.array(z.unknown())]),
		},
		'GET /api/v2/feedback/': {
			query: {
				...{ survey__contact__email: z.string(), score: whole, score_type: scoreType },
				...{ survey__campaign: whole, survey__campaign__status: z.string() },
				followup__type: z.enum(['REPLIED', 'FORWARDED']),
				...{ status, ...posted, page },
				// Examples of later revisions.
				...{ posted_date_after: date, posted_date_before: date },
			},
			response: envelope(feedback),
		},
		// Assumed.
		'POST /api/v2/feedback/': {
			body: some({ status, tags: z.array(tag), comment: z.string() }).extend({
				...{ score: id.min(0).max(10), email: z.string(), campaign_id: id },
			}),
			response: feedback,
		},
		'GET /api/v2/feedback/{feedback_id}/': { response: feedback },
		'DELETE /api/v2/feedback/{feedback_id}/': { response: z.undefined() },
		'PUT /api/v2/feedback/{feedback_id}/': {
			body: z.object({ status }).strict(),
			response: changedFeedback,
		},
		'POST /api/v2/feedback/{feedback_id}/reply/': {
			body: some({ cc: list, bcc: list }).extend({ ...fromUser, message: z.string().min(1) }),
			response: nothing,
		},
		'POST /api/v2/feedback/{feedback_id}/forward/': {
			body: z.object({ ...fromUser, to: z.string().min(1) }).strict(),
			response: nothing,
		},
		'POST /api/v2/feedback/{feedback_id}/tag/': { body: tag, response: tag },
		// The envelope is not shown.
		'GET /api/v2/metrics/': {
			query: { ...posted, page },
			response: z.union([envelope(metrics), z.array(metrics)]),
		},
		// Assumed.
		'GET /api/v2/metrics/{campaign_id}/': { query: posted, response: metrics },
		'GET /api/v2/replies/': { query: { page }, response: envelope(commonReply) },
		'POST /api/v2/replies/': {
			body: z
				.object({ ...texts('title', 'reply'), category: z.object(texts('name')).strict() })
				.strict(),
			response: commonReply,
		},
		'DELETE /api/v2/replies/{common_reply_id}/': { response: z.undefined() },
		'POST /api/v2/hooks': {
			body: z.object({ event, target: z.string().url() }).strict(),
			response: record({ id, event, target: z.string() }),
		},
		// Assumed.
		'DELETE /api/v2/hooks/{id}': { response: z.undefined() },
	},
};
