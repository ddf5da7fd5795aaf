import type { Express, Request, Response } from 'express';
import { z } from 'zod';
import { outboxRecord } from '../../../sandbox/a/records';
import type {
	Campaign,
	Customer,
	Feedback,
	OutboxSurvey,
	Property,
} from '../../../sandbox/a/records';
import { nextId } from '../../../sandbox/a/state';
import type { StateA } from '../../../sandbox/a/state';
import {
	bodyOf,
	isEmail,
	OutsideContract,
	queryOf,
	Refusal,
	startSecond,
	wholeNumber,
} from './server.mts';
import type { SecondServer } from './server.mts';

/*
 * Service A a second time, written from its contract alone. Each choice where the contract is silent carries the ID that
 * the choice has in docs/evidence/assumptions.md.
 */

const LARGEST_LIMIT = 100;
const HEX_ID = /^[0-9a-fA-F]{24}$/;

const refuse = (status: number, message: string, data: unknown = null): Refusal =>
	new Refusal(status, { code: status, message, data });

const authenticate = (request: Request, apiKey: string): void => {
	const header = request.headers.authorization;
	if (header === undefined) throw refuse(401, 'Missing authorization key (api_key).');
	if (!header.startsWith('api_key=')) {
		throw new OutsideContract('Authorization is not of the form api_key=<API_KEY>');
	}
	// The one error body of the contract that has no `code`.
	if (header !== `api_key=${apiKey}`) {
		throw new Refusal(401, {
			statusCode: 401,
			error: 'Unauthorized',
			message: 'Authentication Required.',
		});
	}
};

const paging = { page: wholeNumber(1).default('1'), limit: wholeNumber(1).default('20') };
const sortBy = (field: string) => z.enum([field, `-${field}`]).default(`-${field}`);

/** Seconds. A value of today in milliseconds would be a date in the far future. */
const unixSeconds = wholeNumber(0, 99_999_999_999);

interface Page<T> {
	rows: T[];
	page: number;
	pages: number;
	limit: number;
	total: number;
}

const pageOf = <T,>(all: T[], page: number, requested: number): Page<T> => {
	// A4: larger limits are lowered without an error.
	const limit = Math.min(requested, LARGEST_LIMIT);
	return {
		// A2: a page past the end is empty.
		rows: all.slice((page - 1) * limit, page * limit),
		page,
		// A1: an empty list has 0 pages.
		pages: Math.ceil(all.length / limit),
		limit,
		total: all.length,
	};
};

type Sortable = string | number | null;

const compare = (left: Sortable, right: Sortable): number => {
	if (left === right) return 0;
	if (left === null) return -1;
	if (right === null) return 1;
	return left < right ? -1 : 1;
};

const sorted = <T,>(rows: T[], sort: string, valueOf: (row: T) => Sortable): T[] => {
	const ascending = [...rows].sort((left, right) => compare(valueOf(left), valueOf(right)));
	// A8: reversing also reverses rows of the same date.
	return sort.startsWith('-') ? ascending.reverse() : ascending;
};

const keyOf = (email: string): string => email.toLowerCase();

const sameEmail = (left: string, right: string): boolean => keyOf(left) === keyOf(right);

const created = ({ createdDate }: { createdDate: unknown }): Sortable =>
	typeof createdDate === 'string' ? createdDate : null;

const readCustomer = ({ properties, ...customer }: Customer) => ({
	...customer,
	properties: properties.map(({ label, name, type, value }) => ({
		label,
		name,
		type: type === 'string' ? 'text' : type,
		value,
	})),
});

const writtenCustomer = (customer: Customer) => ({
	email: customer.email,
	id: customer.id,
	first_name: customer.firstName,
	last_name: customer.lastName,
	company: customer.companyName,
	tags: customer.tags,
	createdDate: customer.createdDate,
	properties: customer.properties,
});

const property = z
	.discriminatedUnion('type', [
		z.object({ label: z.string().min(1), type: z.literal('string'), value: z.string() }).strict(),
		z.object({ label: z.string().min(1), type: z.literal('date'), value: z.string() }).strict(),
		z
			.object({ label: z.string().min(1), type: z.literal('integer'), value: z.number().int() })
			.strict(),
		z.object({ label: z.string().min(1), type: z.literal('boolean'), value: z.boolean() }).strict(),
		// A24: both forms of a collection.
		z
			.object({
				label: z.string().min(1),
				type: z.literal('collection'),
				value: z.union([z.string(), z.array(z.union([z.string(), z.number(), z.boolean()]))]),
			})
			.strict(),
	])
	.describe('property');

const customerToWrite = z
	.object({
		email: z.string(),
		first_name: z.string().optional(),
		last_name: z.string().optional(),
		company: z.string().optional(),
		tags: z.array(z.string()).optional(),
		properties: z.array(property).optional(),
	})
	.strict();

type CustomerToWrite = z.output<typeof customerToWrite>;

/** A22: month/day/year, as in the contract's example, and ISO 8601. */
const isServiceDate = (text: string): boolean => {
	const parts = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(text);
	if (!parts) return /^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(Date.parse(text));
	const [month = 0, day = 0, year = 0] = parts.slice(1).map(Number);
	const date = new Date(Date.UTC(year, month - 1, day));
	return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
};

const mergeProperties = (
	held: Property[],
	sent: CustomerToWrite['properties'] = [],
): Property[] => {
	const merged = new Map(held.map((one) => [one.label, one]));
	for (const { label, type, value } of sent) {
		const name = label.toLowerCase().replace(/[^a-z0-9]+/g, '_');
		merged.set(label, { label, name, type, value });
	}
	return [...merged.values()];
};

const saveCustomer = (state: StateA, sent: CustomerToWrite): Customer => {
	const known = state.customers.get(keyOf(sent.email));
	const customer: Customer = known ?? {
		id: nextId(state),
		// C2: addresses are stored in lower case.
		email: sent.email.toLowerCase(),
		firstName: '',
		lastName: '',
		companyName: '',
		companyId: '',
		tags: [],
		createdDate: new Date().toISOString(),
		properties: [],
	};
	state.customers.set(keyOf(sent.email), customer);
	// A21: an empty string clears the field.
	customer.firstName = sent.first_name ?? customer.firstName;
	customer.lastName = sent.last_name ?? customer.lastName;
	customer.companyName = sent.company ?? customer.companyName;
	// A20: tags are added to the ones that the customer has.
	customer.tags = [...new Set([...customer.tags, ...(sent.tags ?? [])])];
	customer.properties = mergeProperties(customer.properties, sent.properties);
	return customer;
};

const refuseWrongDates = (subscribers: CustomerToWrite[]): void => {
	for (const { properties = [] } of subscribers) {
		const wrong = properties.find(
			({ type, value }) => type === 'date' && !isServiceDate(String(value)),
		);
		// One wrong value refuses the whole request.
		if (wrong) {
			const error = `${wrong.label} is not a date: ${String(wrong.value)}`;
			throw new Refusal(400, { code: 400, message: 'Validation failed', error });
		}
	}
};

const customerRoutes = (app: Express, state: () => StateA): void => {
	const path = '/api/v2/nps/customers';

	const listResponse = (page: Page<Customer>, sort: string) => ({
		message: 'Customers found.',
		code: 200,
		data: {
			subscribers: page.rows.map(readCustomer),
			page: page.page,
			pages: page.pages,
			limit: page.limit,
			sort,
			total: page.total,
		},
	});

	app.get(path, (request, response) => {
		const { email, page, limit, sort } = queryOf(request, {
			...paging,
			email: z.string().min(1).optional(),
			sort: sortBy('createdDate'),
		});
		const found = [...state().customers.values()].filter(
			(customer) => email === undefined || sameEmail(customer.email, email),
		);
		response.json(listResponse(pageOf(sorted(found, sort, created), page, limit), sort));
	});

	app.get(`${path}/:id`, (request, response) => {
		queryOf(request, {});
		const { id } = request.params;
		if (!HEX_ID.test(id)) {
			throw new Refusal(400, { code: 400, message: 'Validation failed', error: 'not hexadecimal' });
		}
		const customer = [...state().customers.values()].find((one) => one.id === id.toLowerCase());
		if (!customer) throw refuse(404, 'Customer not found.');
		response.json(listResponse(pageOf([customer], 1, 20), '-createdDate'));
	});

	app.post(path, (request, response) => {
		queryOf(request, {});
		const { subscribers } = bodyOf(
			request,
			z.object({ subscribers: z.array(customerToWrite).min(1).max(1000) }).strict(),
		);
		refuseWrongDates(subscribers);
		// A17: an invalid address is left out, and only the response shows it.
		const valid = subscribers.filter(({ email }) => isEmail(email));
		// A19: of several entries for one address, the later ones are applied over the earlier ones.
		const saved = [...new Set(valid.map((one) => saveCustomer(state(), one)))];
		// A18: the response is sorted by its own rule, not in the order of the request.
		const rows = sorted(saved, '-createdDate', created).map(writtenCustomer);
		response.json({
			message: 'Customers saved.',
			code: 200,
			data: { subscribers: rows },
			page: 1,
			pages: 1,
			limit: rows.length,
			sort: '-createdDate',
			total: rows.length,
		});
	});

	// A27: as many addresses per request as customers in one write.
	const addresses = z
		.array(z.object({ email: z.string() }).strict())
		.min(1)
		.max(1000);

	app.post(`${path}/unsubscribe`, (request, response) => {
		queryOf(request, {});
		const { message, subscribers } = bodyOf(
			request,
			z.object({ message: z.string().optional(), subscribers: addresses }).strict(),
		);
		const found = [
			...new Set(subscribers.flatMap(({ email }) => state().customers.get(keyOf(email)) ?? [])),
		];
		for (const { email } of found) {
			state().optedOut.add(keyOf(email));
			state().unsubscribed.push({ email, message, at: Date.now() });
		}
		// A25: addresses of no customer are left out.
		response.json({
			message: 'Unsubscribed.',
			code: 200,
			data: found.map(({ email }) => ({ email, unsubscribed: true })),
		});
	});

	app.delete(path, (request, response) => {
		queryOf(request, {});
		const { subscribers } = bodyOf(request, z.object({ subscribers: addresses }).strict());
		const data = subscribers.map(({ email }) => {
			// A28: what a deleted customer responded, and what was sent, stays in the other lists.
			// A26: an address of no customer is not confirmed.
			return { email, deleted: state().customers.delete(keyOf(email)) };
		});
		response.json({ message: 'Deleted.', code: 200, data });
	});
};

const companySorts = [
	...['createdDate', 'domain', 'companyName', 'industryName', 'contactsCount'],
	...['cxMetrics.NPS', 'cxMetrics.CSAT', 'cxMetrics.CES', 'cxMetrics.STAR'],
];

const companyRoutes = (app: Express, state: () => StateA): void => {
	app.get('/api/v2/companies', (request, response) => {
		const query = queryOf(request, {
			page: z.string().default('1'),
			limit: z.string().default('20'),
			sort: z.string().default('-createdDate'),
		});
		const { sort } = query;
		const [page, limit] = [Number(query.page), Number(query.limit)];
		const field = sort.replace(/^-/, '');
		const isCount = (number: number): boolean => Number.isInteger(number) && number >= 1;
		if (!isCount(page) || !isCount(limit) || !companySorts.includes(field)) {
			throw new Refusal(400, {
				code: 400,
				message: 'Validation failed',
				error: 'page, limit or sort',
			});
		}
		const [name, metric] = field.split('.');
		const rows = sorted(state().companies, sort, (company) => {
			const value = company[name as keyof typeof company];
			const single = metric ? (value as Record<string, Sortable>)[metric] : value;
			return (single as Sortable | undefined) ?? null;
		});
		const { rows: companies, total, ...rest } = pageOf(rows, page, limit);
		response.json({
			code: 200,
			message: 'OK',
			data: { total, page: rest.page, limit: rest.limit, sort, companies },
		});
	});

	app.get('/api/v2/companies/:key', (request, response) => {
		queryOf(request, {});
		const key = request.params.key.toLowerCase();
		const company = state().companies.find(
			({ id, domain }) => id === key || domain.toLowerCase() === key,
		);
		if (!company) throw refuse(404, 'Company record not found');
		response.json({ code: 200, message: 'OK', data: company });
	});
};

const percentage = (part: number, whole: number): number =>
	whole === 0 ? 0 : Math.round((100 * part) / whole);

const tally = (feedback: Feedback[]) => {
	const promoters = feedback.filter(({ score }) => score >= 9).length;
	const detractors = feedback.filter(({ score }) => score <= 6).length;
	const total = feedback.length;
	const share = (part: number): number => percentage(part, total);
	return {
		promoters,
		passives: total - promoters - detractors,
		detractors,
		total,
		score: share(promoters) - share(detractors),
	};
};

const deliveryStats = (surveys: OutboxSurvey[]) => {
	const count = (flag: 'isOpened' | 'isResponded' | 'isOptedOut' | 'isBounced') =>
		surveys.filter(({ detailedStatus }) => detailedStatus[flag]).length;
	return {
		totalCount: surveys.length,
		opened: count('isOpened'),
		responded: count('isResponded'),
		optedOut: count('isOptedOut'),
		isBounced: count('isBounced'),
	};
};

const reportOf = (campaign: Campaign, feedback: Feedback[], surveys: OutboxSurvey[]) => ({
	campaignId: campaign.id,
	trend: [...new Set(feedback.map(({ createdDate }) => createdDate.slice(0, 10)))].map((day) => {
		const ofDay = feedback.filter(({ createdDate }) => createdDate.startsWith(day));
		return { day, ...tally(ofDay), ratingDistribution: distribution(ofDay) };
	}),
	last: tally(feedback),
	deliveryStats: deliveryStats(surveys),
	questionsStats: [],
	name: campaign.name,
	isActive: campaign.isActive,
	metric: campaign.metric,
	type: campaign.type,
	score: campaign.channel,
});

const distribution = (feedback: Feedback[]): Record<string, number> => {
	const counts: Record<string, number> = {};
	for (const { score } of feedback) counts[String(score)] = (counts[String(score)] ?? 0) + 1;
	return counts;
};

const reportRoutes = (app: Express, state: () => StateA): void => {
	const reports = (campaigns: Campaign[]) => ({
		code: 200,
		message: 'OK',
		data: campaigns.map((campaign) =>
			reportOf(
				campaign,
				state().feedback.filter(({ campaignId }) => campaignId === campaign.id),
				state().outbox.filter(({ campaignId }) => campaignId === campaign.id),
			),
		),
	});

	app.get('/api/v2/reports/', (request, response) => {
		queryOf(request, {});
		response.json(reports(state().campaigns));
	});

	app.get('/api/v2/reports/:id', (request, response) => {
		queryOf(request, {});
		// A34: an unknown campaign has no reports, which is no error.
		response.json(reports(state().campaigns.filter(({ id }) => id === request.params.id)));
	});

	app.get('/api/v2/:metric/score', (request, response) => {
		queryOf(request, {});
		const metric = z.enum(['nps', 'star', 'csat', 'ces']).safeParse(request.params.metric);
		if (!metric.success) throw new OutsideContract(`no metric ${request.params.metric}`);
		bodyOf(request, z.object({}).strict().optional());
		const feedback = state().feedback.filter(
			({ metricsType }) => metricsType === metric.data.toUpperCase(),
		);
		const { promoters, passives, detractors, total, score } = tally(feedback);
		response.json({
			message: 'OK',
			code: 200,
			data: {
				// A35: the other metrics have one common name. A36: the score of nobody is 0.
				[metric.data === 'nps' ? 'nps' : 'score']: score,
				promoters: percentage(promoters, total),
				passives: percentage(passives, total),
				detractors: percentage(detractors, total),
				promotersCount: promoters,
				passivesCount: passives,
				detractorsCount: detractors,
				ratingDistribution: distribution(feedback),
				totalResponses: total,
			},
		});
	});
};

/** A10: a field without a value is missing. */
const readFeedback = (row: Feedback): object =>
	Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));

const feedbackRoutes = (app: Express, state: () => StateA): void => {
	const listResponse = ({ rows, page, pages, limit, total }: Page<Feedback>) => ({
		message: 'OK',
		code: 200,
		data: { responses: rows.map(readFeedback), page, pages, limit, total },
	});

	const inPeriod = (
		row: Feedback,
		{ startDate = 0, endDate = Infinity }: { startDate?: number; endDate?: number },
	): boolean => {
		if (startDate === 0 && endDate === Infinity) return true;
		const time = Date.parse(row.createdDate);
		// A9: both ends are included.
		return time >= startDate * 1000 && time <= endDate * 1000;
	};

	const period = { startDate: unixSeconds.optional(), endDate: unixSeconds.optional() };

	app.get('/api/v2/nps/customers/response', (request, response) => {
		const query = queryOf(request, { ...paging, ...period, sort: sortBy('createdDate') });
		const { sort, startDate, endDate } = query;
		const rows = state().feedback.filter((row) => inPeriod(row, query));
		const page = pageOf(sorted(rows, sort, created), query.page, query.limit);
		const responses = page.rows.map((row) => {
			const { email, firstName, lastName, companyName, tags, createdDate } = row;
			const { score, comment, feedbackTags } = row;
			const person = { email, firstName, lastName, companyName, tags };
			return { ...person, createdDate, score, comment, feedbackTags };
		});
		const { pages, limit, total } = page;
		const data = { responses, page: page.page, pages, limit, total, startDate, endDate };
		response.json({ message: 'OK', code: 200, data });
	});

	app.get('/api/v2/feedback', (request, response) => {
		const query = queryOf(request, {
			...paging,
			...period,
			email: z.string().min(1).optional(),
			customerId: z.string().min(1).optional(),
			sort: sortBy('createdDate'),
		});
		const { email, customerId } = query;
		const rows = state().feedback.filter(
			(row) =>
				(email === undefined || sameEmail(row.email, email)) &&
				(customerId === undefined || row.customerId === customerId) &&
				inPeriod(row, query),
		);
		response.json(listResponse(pageOf(sorted(rows, query.sort, created), query.page, query.limit)));
	});

	app.get('/api/v2/feedback/:id', (request, response) => {
		// A11: the feedback of a campaign has pages like the list, but takes no other parameters.
		const { page, limit } = queryOf(request, paging);
		const { id } = request.params;
		if (!HEX_ID.test(id)) {
			throw new Refusal(400, {
				code: 400,
				message: 'An error occurred',
				error: 'id must be a 12-byte string or 24 hex characters',
			});
		}
		const rows = state().feedback.filter((row) => row.id === id || row.campaignId === id);
		// A13: a campaign without feedback cannot be told from an unknown ID.
		if (rows.length === 0) throw refuse(404, 'Feedback record not found.');
		response.json(listResponse(pageOf(sorted(rows, '-createdDate', created), page, limit)));
	});

	const found = (id: string): Feedback => {
		const row = state().feedback.find((one) => one.id === id);
		// A31: an unknown response is an error.
		if (!row) throw refuse(404, 'Response not found.');
		return row;
	};
	const op = z.enum(['', 'append']).default('');

	app.post('/api/v2/response/topics', (request, response) => {
		queryOf(request, {});
		const topic = z
			.object({
				name: z.string().min(1),
				sentiment: z.string().default('neutral'),
			})
			.strict();
		const sent = bodyOf(request, z.object({ id: z.string(), topics: z.array(topic), op }).strict());
		const row = found(sent.id);
		const held = sent.op === 'append' ? row.feedbackTopics : [];
		// A32: a topic that is appended again gets the new sentiment.
		const topics = new Map([...held, ...sent.topics].map((one) => [one.name, one]));
		row.feedbackTopics = [...topics.values()];
		response.json({ message: 'Topics saved.', code: 200 });
	});

	const tags = z.array(z.string().min(1));
	const withTags = z.object({ id: z.string(), tags, op }).strict();
	const legacyTags = withTags.extend({ tags: tags.default([]) });

	const saveTags =
		(schema: typeof withTags | typeof legacyTags) =>
		(request: Request, response: Response): void => {
			queryOf(request, {});
			const sent = bodyOf(request, schema);
			const row = found(sent.id);
			const held = sent.op === 'append' ? row.feedbackTags : [];
			row.feedbackTags = [...new Set([...held, ...sent.tags])];
			// A33: tags appear in both fields.
			row.feedbackTagsNew = row.feedbackTags;
			response.json({ message: 'Tags saved.', code: 200 });
		};

	app.post('/api/v2/response/tags', saveTags(withTags));
	app.post('/api/v2/nps/customers/response/tags', saveTags(legacyTags));
};

const surveyRoutes = (app: Express, state: () => StateA): void => {
	app.get('/api/v2/nps/outbox', (request, response) => {
		const { email, page, limit, sort } = queryOf(request, {
			page: paging.page,
			limit: wholeNumber(1).default('50'),
			email: z.string().min(1).optional(),
			sort: sortBy('surveyCreatedDate'),
		});
		// A14: an address of nobody gives an empty list.
		const rows = state().outbox.filter((row) => email === undefined || sameEmail(row.email, email));
		const { rows: surveys, ...rest } = pageOf(
			// The contract sorts by a date that it does not show.
			sorted(rows, sort, ({ surveyCreatedDate, sentDate }) => surveyCreatedDate ?? sentDate),
			page,
			limit,
		);
		const shown = surveys.map(({ surveyCreatedDate: _, ...survey }) => survey);
		response.json({ message: 'OK', code: 200, data: { surveys: shown, ...rest, sort } });
	});

	const legacy = ({ id, name }: { id: string; name: string }) => ({ id, value: name });

	app.get('/api/v2/nps/templates', (request, response) => {
		queryOf(request, {});
		response.json(state().templates.map(legacy));
	});

	app.get('/api/v2/nps/campaigns', (request, response) => {
		queryOf(request, {});
		const found = state().campaigns.filter(
			({ isActive, type }) => isActive && type === 'transactional',
		);
		if (found.length === 0) throw refuse(404, 'No Transactional NPS campaign(s) found.');
		response.json(found.map(legacy));
	});

	app.get('/api/v2/templates', (request, response) => {
		queryOf(request, {});
		response.json({ code: 200, message: 'OK', templates: state().templates });
	});

	app.get('/api/v2/campaigns', (request, response) => {
		queryOf(request, {});
		response.json({ code: 200, message: 'OK', campaigns: state().campaigns });
	});

	const surveyError = (status: number, message: string, data: unknown = null): Refusal =>
		new Refusal(status, { success: false, status: 'error', code: status, message, data });

	const queue = (campaign: Campaign, subscribers: CustomerToWrite[]): Map<string, Customer> => {
		const sentDate = new Date().toISOString();
		const saved = new Map(
			subscribers.map((one) => [keyOf(one.email), saveCustomer(state(), one)] as const),
		);
		for (const [key, customer] of saved) {
			// A29: "queued" says nothing of the single customer: unsubscribed ones are left out later.
			if (state().optedOut.has(key)) continue;
			state().outbox.push(outboxRecord(customer, campaign, sentDate, 'manual'));
			const { email } = customer;
			state().sent.push({ campaign: campaign.id, email, at: Date.parse(sentDate) });
		}
		return saved;
	};

	const sendSurvey = (request: Request, response: Response): void => {
		queryOf(request, {});
		const { campaign: id, subscribers } = bodyOf(
			request,
			z
				.object({
					campaign: z.string().min(1),
					subscribers: z.array(customerToWrite).min(1).max(100),
				})
				.strict(),
		);
		const campaign = state().campaigns.find((one) => one.id === id);
		// A38: an ID of a wrong form is an unknown campaign.
		if (!campaign) throw surveyError(404, `Campaign ${id} could not be found.`);
		if (campaign.type !== 'transactional') {
			throw surveyError(400, `Campaign ${id} is not transactional`);
		}
		if (!campaign.isActive) throw surveyError(403, `Campaign ${id} is not active.`);
		refuseWrongDates(subscribers);
		// One invalid address and nothing is sent. A30: `data` holds only the invalid ones.
		const invalid = subscribers.filter(({ email }) => !isEmail(email));
		if (invalid.length > 0) {
			throw surveyError(
				400,
				'Validation Error: Invalid email addresses',
				invalid.map(({ properties: _, ...one }) => ({
					status: 'fail',
					first_name: '',
					last_name: '',
					company: '',
					tags: [],
					...one,
					reason: 'Invalid email address',
				})),
			);
		}
		queue(campaign, subscribers);
		response.json({ success: true, code: 200, message: 'Surveys queued.', status: 'queued' });
	};

	app.post('/api/v2/survey', sendSurvey);
	app.post('/api/v2/nps/audience/survey', sendSurvey);

	app.post('/api/v2/nps/customers/survey', (request, response) => {
		queryOf(request, {});
		const subscriber = customerToWrite.omit({ properties: true }).strict();
		const sent = bodyOf(
			request,
			z.object({ campaign: z.string().min(1), subscribers: z.array(subscriber).min(1) }).strict(),
		);
		const campaign = state().campaigns.find(({ id }) => id === sent.campaign);
		if (!campaign) throw refuse(404, 'Campaign not found.');
		if (!campaign.isActive) throw refuse(403, 'Campaign is not enabled.', {});
		const saved = queue(
			campaign,
			sent.subscribers.filter(({ email }) => isEmail(email)),
		);
		const results = sent.subscribers.map((one) => {
			const id = saved.get(keyOf(one.email))?.id ?? '';
			const result = id
				? { status: 'sending', reason: '' }
				: { status: 'fail', reason: 'Invalid email address' };
			// C2: the keys are the addresses as they are stored.
			return [keyOf(one.email), { id, ...one, ...result }];
		});
		response.json({ message: 'OK', code: 200, data: Object.fromEntries(results) });
	});
};

/** Serves an account of Survey A. */
export const startSecondA = async (account: {
	apiKey: string;
	state: StateA;
}): Promise<SecondServer> =>
	await startSecond({
		authenticate: (request) => authenticate(request, account.apiKey),
		bodyOfError: (code, message) => ({ code, message, data: null }),
		routes(app) {
			const state = () => account.state;
			// Routes with a parameter in the place of a name come after those with the name.
			feedbackRoutes(app, state);
			surveyRoutes(app, state);
			customerRoutes(app, state);
			companyRoutes(app, state);
			reportRoutes(app, state);
		},
	});
