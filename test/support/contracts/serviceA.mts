import { z, type ZodRawShape, type ZodTypeAny } from 'zod';

import { numbers, record, some, texts, time, whole, type Contract } from './endpoint.mts';

// The contract of Survey A as a table, written from its text alone. Change it by that text only.

const list = z.array(z.string());
const sortBy = (...fields: string[]) => z.string().regex(new RegExp(`^-?(${fields.join('|')})$`));
const paging = { page: whole, limit: whole };
const period = { startDate: whole, endDate: whole };
const pages = numbers('page', 'pages', 'limit', 'total');

/** A response with `code` and `message`. */
const response = (more: ZodRawShape = {}) =>
	z.object({ code: z.number(), message: z.string(), ...more }).strict();

const cell = z.union([z.string(), z.number(), z.boolean()]);

/** A property has its label on write, and its machine name on read as well. */
const property = record({ ...texts('label', 'name', 'type'), value: cell.or(z.array(cell)) });

const person = texts('email', 'firstName', 'lastName', 'companyName', 'companyId');

const customer = record({
	...{ ...person, id: z.string(), tags: list, createdDate: time },
	properties: z.array(property),
});

const writtenCustomer = some({
	...texts('email', 'id', 'first_name', 'last_name', 'company'),
	...{ tags: list, createdDate: time, properties: z.array(property) },
});

const sentProperty = <Type extends string>(type: Type, value: ZodTypeAny) =>
	z.object({ label: z.string().min(1), type: z.literal(type), value }).strict();

/** The customer write object. */
const customerToWrite = some({
	...texts('first_name', 'last_name', 'company'),
	tags: list,
	properties: z.array(
		z.union([
			sentProperty('string', z.string()),
			sentProperty('date', z.string()),
			sentProperty('integer', z.number().int()),
			sentProperty('boolean', z.boolean()),
			// The form of a collection is not shown.
			sentProperty('collection', z.string().or(z.array(cell))),
		]),
	),
}).extend({ email: z.string() });

const emails = z.array(z.object({ email: z.string() }).strict()).min(1);

const company = record({
	...texts('id', 'domain', 'companyName', 'industryName'),
	...{ createdDate: time, tags: list, contactsCount: z.number() },
	cxMetrics: record(numbers('NPS', 'CSAT', 'CES', 'STAR')),
});

const feedback = record({
	...person,
	...texts('id', 'customerId', 'jobTitle', 'country', 'state', 'city', 'campaignName'),
	...texts('campaignId', 'comment', 'status', 'assigned', 'ratingCategory', 'channel'),
	...{ metricsType: z.string(), createdDate: time, score: z.number().int() },
	...{ checkbox: z.boolean(), resolved: z.boolean(), isBogus: z.boolean() },
	...{ tags: list, feedbackTags: list, feedbackTagsNew: list },
	customProps: z.array(record({ ...texts('name', 'type'), value: cell.or(z.array(cell)) })),
	additionalQuestions: z.array(
		some({
			...texts('type', 'questionText', 'metricsType'),
			answer: z.union([z.string(), z.number()]),
		}),
	),
	feedbackTopics: z.array(record(texts('name', 'sentiment'))),
	notes: z.array(record({ ...texts('author', 'content', 'metricsType'), date: time })),
});
const feedbackPage = response({
	data: z.object({ responses: z.array(feedback), ...pages }).strict(),
});

const deprecatedFeedback = record({
	...texts('email', 'firstName', 'lastName', 'companyName', 'comment'),
	...{ tags: list, createdDate: time, score: z.number().int(), feedbackTags: list },
});

const survey = record({
	...person,
	...texts('customerId', 'personTags', 'channel', 'campaign', 'campaignId', 'surveyTemplateId'),
	...{ ...texts('subject', 'sentBy', 'status'), sentDate: time },
	detailedStatus: record({
		...{ isOpened: z.boolean(), isResponded: z.boolean(), hasFeedback: z.boolean() },
		...{ isOptedOut: z.boolean(), isBounced: z.boolean() },
		...texts('openedDate', 'respondedDate'),
	}),
});

const op = z.enum(['', 'append']).optional();
const tags = z.object({ id: z.string().min(1), tags: list, op }).strict();
const topic = z
	.object({ name: z.string().min(1), sentiment: z.string().min(1).optional() })
	.strict();

const template = record(texts('id', 'name', 'channel', 'metric'));
const campaign = record({
	...texts('id', 'name', 'templateId', 'metric', 'type', 'channel'),
	isActive: z.boolean(),
});
const named = z.array(record(texts('id', 'value')));

const counts = numbers('promoters', 'passives', 'detractors', 'total', 'score');
const distribution = z.record(z.number());
const report = record({
	...texts('campaignId', 'name', 'metric', 'type', 'score'),
	isActive: z.boolean(),
	trend: z.array(record({ day: z.string(), ...counts, ratingDistribution: distribution })),
	last: record(counts),
	deliveryStats: record(numbers('totalCount', 'opened', 'responded', 'optedOut', 'isBounced')),
	questionsStats: z.array(
		some({
			...{ ...texts('uuid', 'title', 'metricsType'), isStarred: z.boolean(), position: z.number() },
			...{ isOnMain: z.boolean(), stats: z.object({ last: z.unknown(), first: z.unknown() }) },
		}),
	),
});
const reports = { response: response({ data: z.array(report) }) };

/** The name of the headline key is shown for NPS only. */
const score = record({
	...numbers('promoters', 'passives', 'detractors', 'totalResponses'),
	...numbers('promotersCount', 'passivesCount', 'detractorsCount'),
	ratingDistribution: distribution,
}).catchall(z.number());

const sendSurvey = {
	body: z
		.object({ campaign: z.string().min(1), subscribers: z.array(customerToWrite).min(1).max(100) })
		.strict(),
	response: response({ success: z.literal(true), status: z.literal('queued') }),
};

export const CONTRACT_A: Contract = {
	authorization: /^api_key=./,
	endpoints: {
		'GET /api/v2/nps/customers': {
			query: { email: z.string(), ...paging, sort: sortBy('createdDate') },
			response: response({
				data: z.object({ subscribers: z.array(customer), ...pages, sort: z.string() }).strict(),
			}),
		},
		'GET /api/v2/nps/customers/response': {
			query: { ...paging, ...period, sort: sortBy('createdDate') },
			response: response({
				data: z.object({ responses: z.array(deprecatedFeedback), ...pages }).passthrough(),
			}),
		},
		'GET /api/v2/nps/customers/{customerId}': {
			response: response({
				data: z.object({ subscribers: z.array(customer).length(1) }).passthrough(),
			}),
		},
		'POST /api/v2/nps/customers': {
			body: z.object({ subscribers: z.array(customerToWrite).min(1).max(1000) }).strict(),
			response: response({
				data: z.object({ subscribers: z.array(writtenCustomer) }).strict(),
				...{ ...pages, sort: z.string() },
			}),
		},
		'POST /api/v2/nps/customers/unsubscribe': {
			body: z.object({ message: z.string().optional(), subscribers: emails }).strict(),
			response: response({
				data: z.array(record({ email: z.string(), unsubscribed: z.literal(true) })),
			}),
		},
		'DELETE /api/v2/nps/customers': {
			body: z.object({ subscribers: emails }).strict(),
			response: response({
				data: z.array(record({ email: z.string(), deleted: z.literal(true) })),
			}),
		},
		'GET /api/v2/companies': {
			query: {
				...paging,
				sort: sortBy(
					...['createdDate', 'domain', 'companyName', 'industryName', 'contactsCount'],
					// The message of an error lists this one in the place of industryName.
					'companyIndustry',
					...['cxMetrics.NPS', 'cxMetrics.CSAT', 'cxMetrics.CES', 'cxMetrics.STAR'],
				),
			},
			response: response({
				data: z
					.object({ companies: z.array(company), ...numbers('total', 'page', 'limit') })
					.passthrough(),
			}),
		},
		'GET /api/v2/companies/{companyId}': { response: response({ data: company }) },
		'GET /api/v2/reports/': reports,
		'GET /api/v2/reports/{campaignId}': reports,
		...Object.fromEntries(
			['nps', 'star', 'csat', 'ces'].map((metric) => [
				`GET /api/v2/${metric}/score`,
				{ body: z.object({}).strict().optional(), response: response({ data: score }) },
			]),
		),
		'GET /api/v2/feedback': {
			query: {
				...{ email: z.string(), customerId: z.string() },
				...{ ...paging, ...period, sort: sortBy('createdDate') },
			},
			response: feedbackPage,
		},
		// That the feedback of a campaign has pages is assumed.
		'GET /api/v2/feedback/{feedbackId}': { query: paging, response: feedbackPage },
		'POST /api/v2/response/topics': {
			body: z.object({ id: z.string().min(1), topics: z.array(topic), op }).strict(),
			response: response(),
		},
		'POST /api/v2/response/tags': { body: tags, response: response() },
		'POST /api/v2/nps/customers/response/tags': {
			body: tags.partial({ tags: true }),
			response: response(),
		},
		'GET /api/v2/nps/outbox': {
			query: { email: z.string(), ...paging, sort: sortBy('surveyCreatedDate') },
			response: response({
				data: z.object({ surveys: z.array(survey), ...pages, sort: z.string() }).strict(),
			}),
		},
		'GET /api/v2/templates': { response: response({ templates: z.array(template) }) },
		'GET /api/v2/nps/templates': { response: named },
		'GET /api/v2/campaigns': { response: response({ campaigns: z.array(campaign) }) },
		'GET /api/v2/nps/campaigns': { response: named },
		'POST /api/v2/survey': sendSurvey,
		'POST /api/v2/nps/audience/survey': sendSurvey,
		'POST /api/v2/nps/customers/survey': {
			body: z
				.object({
					campaign: z.string().min(1),
					subscribers: z.array(customerToWrite.omit({ properties: true })).min(1),
				})
				.strict(),
			response: response({
				data: z.record(
					some({
						...texts('id', 'email', 'first_name', 'last_name', 'company', 'status', 'reason'),
						tags: list,
					}),
				),
			}),
		},
	},
};
