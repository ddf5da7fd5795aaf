import type { Express, Request } from 'express';
import { z } from 'zod';
import { placeContact } from '../../../sandbox/b/contacts';
import { embeddedContact } from '../../../sandbox/b/records';
import type { Campaign, Contact, Feedback } from '../../../sandbox/b/records';
import { followUp, nextId } from '../../../sandbox/b/state';
import type { CampaignOfB, StateB } from '../../../sandbox/b/state';
import { placeSurvey } from '../../../sandbox/b/surveys';
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
 * Service B a second time, written from its contract alone. Each choice where the contract is silent carries the ID that
 * the choice has in docs/evidence/assumptions.md.
 */

const PAGE_SIZE = 100;
/** B5: the page size of common replies. */
const REPLY_PAGE_SIZE = 25;
const DAY = 24 * 3_600_000;

/** B7: 400 for what a body holds. */
const invalid = (body: Record<string, unknown>): Refusal => new Refusal(400, body);
const notFound = (): Refusal => new Refusal(404, { detail: 'Not found.' });

const authenticate = (request: Request, apiKey: string): void => {
	const header = request.headers.authorization;
	// B8: a missing key is forbidden, a wrong one unauthorized.
	if (header === undefined) {
		throw new Refusal(403, { detail: 'Authentication credentials were not provided.' });
	}
	const parts = /^Token\s+(\S+)$/.exec(header);
	if (!parts) throw new OutsideContract('Authorization is not of the form Token <API_KEY>');
	if (parts[1] !== apiKey) throw new Refusal(401, { detail: 'Invalid token.' });
	if (!request.accepts('json')) throw new Refusal(406, { detail: 'Not Acceptable' });
};

const int32 = wholeNumber(1);
const page = wholeNumber(1).default('1');

const idOf = (request: Request<{ id: string }>): number => {
	const id = int32.safeParse(request.params.id);
	if (!id.success) throw new OutsideContract(`${request.path}: ${request.params.id} is no int32`);
	return id.data;
};

const envelope = <T,>(request: Request, rows: T[], number: number, size: number) => {
	const pages = Math.max(1, Math.ceil(rows.length / size));
	// B2: a page past the end is an error.
	if (number > pages) throw new Refusal(404, { detail: 'Invalid page.' });
	// B3: links are absolute and repeat the other parameters.
	const link = (other: number): string => {
		const url = new URL(request.originalUrl, `http://${request.headers.host ?? 'localhost'}`);
		url.searchParams.set('page', String(other));
		return url.href;
	};
	return {
		count: rows.length,
		next: number < pages ? link(number + 1) : null,
		previous: number > 1 ? link(number - 1) : null,
		results: rows.slice((number - 1) * size, number * size),
	};
};

const keyOf = (email: string): string => email.toLowerCase();

const sameEmail = (left: string, right: string): boolean => keyOf(left) === keyOf(right);

/** B12: the flag is text here, as in some examples, and boolean where a contact is written. */
const readContact = (contact: Contact) => ({
	...contact,
	unsubscribed: String(contact.unsubscribed),
});

const scoreType = (score: number): string => {
	if (score >= 9) return 'promoter';
	return score >= 7 ? 'passive' : 'detractor';
};

const campaignOf = (state: StateB, id: number): CampaignOfB | undefined =>
	state.campaigns.find(({ record, permitted }) => permitted && record.id === id);

/** Feedback as deliveries carry it: without `href`, and without the ID of the survey. */
export const deliveredFeedback = ({ href: _, survey, ...feedback }: Feedback) => ({
	...feedback,
	survey: { attributes: survey.attributes, sent_date: survey.sent_date },
});

const ATTRIBUTE_NAME = /^[A-Za-z0-9_ ]+$/;
const REJECTED = /[$.%&]/;
/** "JSON-typed values are accepted." */
const attributes = z.record(z.unknown());

/** B15: an attribute against the data policy refuses the request. Values keep dots, as numbers and addresses need them. */
const refuseAttributes = (sent: Record<string, unknown> = {}, key = 'attributes'): void => {
	const wrong = Object.keys(sent).find((name) => !ATTRIBUTE_NAME.test(name) || REJECTED.test(name));
	if (wrong !== undefined) throw invalid({ [key]: [`Invalid attribute name: ${wrong}`] });
};

const surveyRoutes = (app: Express, state: () => StateB): void => {
	app.post('/api/v2/survey/', (request, response) => {
		queryOf(request, {});
		const sent = bodyOf(
			request,
			z
				.object({
					campaign_id: z.union([z.string().min(1), z.number().int().positive()]),
					contact: z
						.object({
							email: z.string(),
							first_name: z.string().optional(),
							last_name: z.string().optional(),
							attributes: attributes.optional(),
						})
						.strict(),
					attributes: attributes.optional(),
				})
				.strict(),
		);
		const { email } = sent.contact;
		if (!isEmail(email)) throw invalid({ contact: { email: ['Enter a valid email address.'] } });
		const campaign = campaignOf(state(), Number(sent.campaign_id));
		// B10: an unknown campaign is a campaign of somebody else.
		if (!campaign) {
			throw invalid({ campaign: ['Organization does not have permission to access campaign.'] });
		}
		if (campaign.listId === null) {
			throw invalid({ campaign: ['Campaign requires a contact list to be associated.'] });
		}
		refuseAttributes(sent.contact.attributes);
		refuseAttributes(sent.attributes);
		if (state().contacts.get(keyOf(email))?.unsubscribed) {
			throw invalid({ contact: ['Contact has unsubscribed.'] });
		}
		const last = state().lastSurveyed.get(keyOf(email)) ?? 0;
		// B9: the contract gives the message without a field.
		if (Date.now() - last < DAY) {
			throw invalid({ non_field_errors: ['Contact is not eligible for survey.'] });
		}
		state().lastSurveyed.set(keyOf(email), Date.now());
		// B14: attributes that the request does not name are kept.
		const contact = placeContact(state(), sent.contact, state().clock.now(), [campaign.listId]);
		const campaignId = campaign.record.id;
		placeSurvey(state(), { email, campaignId, attributes: sent.attributes ?? {} });
		state().sent.push({ campaign: campaignId, email, at: Date.now() });
		response.status(201).json({
			contact: {
				email: contact.email,
				first_name: contact.first_name,
				last_name: contact.last_name,
				attributes: contact.attributes,
			},
			campaign_id: campaignId,
			// B11: also for a survey that is only scheduled.
			status: 'SENT',
			attributes: sent.attributes ?? {},
		});
	});
};

type Emit = (event: string, data: unknown) => void;

const contactRoutes = (app: Express, state: () => StateB, emit: Emit): void => {
	app.post('/api/v2/contacts/', (request, response) => {
		queryOf(request, {});
		const sent = bodyOf(
			request,
			z
				.object({
					email: z.string(),
					first_name: z.string().optional(),
					last_name: z.string().optional(),
					unsubscribed: z.boolean().optional(),
					attributes: attributes.optional(),
					// B16: one ID and a list of IDs.
					contact_list: z.union([z.number().int(), z.array(z.number().int())]).optional(),
				})
				.strict(),
		);
		if (!isEmail(sent.email)) throw invalid({ email: ['Enter a valid email address.'] });
		refuseAttributes(sent.attributes);
		// A contact without a list joins the default list.
		const lists = sent.contact_list === undefined ? [] : [sent.contact_list].flat();
		const unknown = lists.find((id) => !state().lists.some((list) => list.id === id));
		if (unknown !== undefined) {
			throw invalid({ contact_list: [`Invalid pk "${String(unknown)}" - object does not exist.`] });
		}
		const isNew = !state().contacts.has(keyOf(sent.email));
		const contact = placeContact(state(), sent, state().clock.now(), lists);
		// B17: a contact stays unsubscribed unless the request says otherwise.
		contact.unsubscribed = sent.unsubscribed ?? contact.unsubscribed;
		response
			.status(isNew ? 201 : 200)
			.json({ ...readContact(contact), unsubscribed: contact.unsubscribed });
	});

	app.post('/api/v2/contacts/unsubscribe/', (request, response) => {
		queryOf(request, {});
		const { emails } = bodyOf(request, z.object({ emails: z.array(z.string()).min(1) }).strict());
		// B18: addresses of nobody are passed over. B19: `results` holds contacts.
		const keys = new Set(emails.map(keyOf));
		const found = [...keys].flatMap((key) => state().contacts.get(key) ?? []);
		for (const contact of found) {
			if (contact.unsubscribed) continue;
			contact.unsubscribed = true;
			state().unsubscribed.push({ email: contact.email, at: Date.now() });
			emit('contact.unsubscribed', embeddedContact(contact));
		}
		response.json({
			count: found.length,
			next: null,
			previous: null,
			results: found.map(readContact),
		});
	});

	app.get('/api/v2/contacts/', (request, response) => {
		const query = queryOf(request, {
			email: z.string().min(1).optional(),
			contact_list__id: int32.optional(),
			page,
		});
		const { email, contact_list__id: list } = query;
		// A contact of several lists comes once.
		const found = [...state().contacts.values()].filter(
			(contact) =>
				(email === undefined || sameEmail(contact.email, email)) &&
				(list === undefined || state().memberships.get(contact.id)?.has(list)),
		);
		// B1: the envelope that other lists of the contract have.
		response.json(envelope(request, found.map(readContact), query.page, PAGE_SIZE));
	});

	app.get('/api/v2/contacts/:id/', (request, response) => {
		queryOf(request, {});
		const id = idOf(request);
		const contact = [...state().contacts.values()].find((one) => one.id === id);
		// B22: a removed contact is like one that never was.
		if (!contact) throw notFound();
		response.json(readContact(contact));
	});

	app.post('/api/contacts/remove/', (request, response) => {
		queryOf(request, {});
		const { email } = bodyOf(request, z.object({ email: z.string() }).strict());
		const contact = state().contacts.get(keyOf(email));
		// B20: an address of nobody is an error.
		if (!contact) throw notFound();
		const current = state();
		current.contacts.delete(keyOf(email));
		current.memberships.delete(contact.id);
		current.lastSurveyed.delete(keyOf(email));
		// B21: the history goes, and feedback is part of it.
		current.feedback = current.feedback.filter((row) => row.contact.id !== contact.id);
		response.json({ count: 0, next: null, previous: null, results: [] });
	});

	app.get('/api/lists/', (request, response) => {
		queryOf(request, {});
		// B1: all lists at once, without an envelope.
		response.json(state().lists);
	});
};

const DATE = /^(\d{4})-(\d{2})-(\d{2})$|^(\d{2})\/(\d{2})\/(\d{4})$/;

const date = z
	.string()
	.regex(DATE, 'neither yyyy-mm-dd nor mm/dd/yyyy')
	.transform((text) => {
		const found = DATE.exec(text) ?? [];
		const [year, month, day] = found[1] ? found.slice(1, 4) : [found[6], found[4], found[5]];
		return `${String(year)}-${String(month)}-${String(day)}`;
	})
	.refine((text) => new Date(text).toISOString().startsWith(text), 'not a date of the calendar');

/** B24: both pairs of names. */
const posted = {
	posted_date_0: date.optional(),
	posted_date_1: date.optional(),
	posted_date_after: date.optional(),
	posted_date_before: date.optional(),
};

const isPosted = (
	row: Feedback,
	query: Partial<Record<keyof typeof posted, string | undefined>>,
): boolean => {
	const from = query.posted_date_0 ?? query.posted_date_after;
	const before = query.posted_date_1 ?? query.posted_date_before;
	// B25: the date of the score, not of its last change.
	const day = row.created.slice(0, 10);
	return (from === undefined || day >= from) && (before === undefined || day < before);
};

const category = z.enum(['DETRACTOR', 'PASSIVE', 'PROMOTER']);

const feedbackRoutes = (app: Express, state: () => StateB, emit: Emit): void => {
	const feedbackOf = (request: Request<{ id: string }>): Feedback => {
		const id = idOf(request);
		const row = state().feedback.find((one) => one.id === id);
		if (row) return row;
		// B22: what was there once is gone; other IDs are unknown.
		if (state().gone.has(request.path)) throw new Refusal(410, { detail: 'Gone' });
		throw notFound();
	};

	const notify = (event: string, row: Feedback): void => emit(event, deliveredFeedback(row));

	app.get('/api/v2/feedback/', (request, response) => {
		const query = queryOf(request, {
			survey__contact__email: z.string().min(1).optional(),
			score: wholeNumber(0, 10).optional(),
			score_type: z.enum(['promoter', 'passive', 'detractor']).optional(),
			survey__campaign: int32.optional(),
			survey__campaign__status: z.string().min(1).optional(),
			followup__type: z.enum(['REPLIED', 'FORWARDED']).optional(),
			status: z.enum(['OPEN', 'CLOSED']).optional(),
			...posted,
			page,
		});
		const matches = (row: Feedback): boolean => {
			const email = query.survey__contact__email;
			const followup = query.followup__type;
			if (email !== undefined && !sameEmail(email, row.contact.email)) return false;
			if (followup && !state().followups.get(row.id)?.has(followup)) return false;
			const wanted: Array<[wanted: unknown, actual: unknown]> = [
				[query.score, row.score],
				[query.score_type, scoreType(row.score)],
				[query.survey__campaign, row.campaign.id],
				[query.survey__campaign__status, row.campaign.status],
				[query.status, row.status],
			];
			return wanted.every(([one, actual]) => one === undefined || one === actual);
		};
		// B23: the oldest first. B1: the envelope of the other lists.
		const rows = state().feedback.filter((row) => matches(row) && isPosted(row, query));
		response.json(envelope(request, rows, query.page, PAGE_SIZE));
	});

	app.get('/api/v2/feedback/:id/', (request, response) => {
		queryOf(request, {});
		response.json(feedbackOf(request));
	});

	app.delete('/api/v2/feedback/:id/', (request, response) => {
		queryOf(request, {});
		bodyOf(request, z.undefined());
		const row = feedbackOf(request);
		const current = state();
		current.feedback = current.feedback.filter((one) => one !== row);
		current.gone.add(request.path);
		notify('feedback.removed', row);
		// B6: no content.
		response.status(204).end();
	});

	app.put('/api/v2/feedback/:id/', (request, response) => {
		queryOf(request, {});
		const { status } = bodyOf(request, z.object({ status: z.enum(['OPEN', 'CLOSED']) }).strict());
		const row = feedbackOf(request);
		if (row.status !== status) {
			row.status = status;
			row.status_changed = state().clock.now();
			notify('feedback.status_changed', row);
		}
		const { created, score_changed, ...rest } = row;
		response.json({ ...rest, score_created: created, score_modified: score_changed });
	});

	const refuseFromStranger = (email: string): void => {
		if (!isEmail(email)) throw invalid({ from_user: ['Enter a valid email address.'] });
		// B28: somebody else may not write for the organization.
		if (!state().members.some((member) => sameEmail(member, email))) {
			throw invalid({ from_user: ['User is not a member of the organization.'] });
		}
	};

	const refuseSecondReply = (row: Feedback): void => {
		if (state().followups.get(row.id)?.has('REPLIED')) {
			throw invalid({ non_field_errors: ['Reply already exists for this feedback.'] });
		}
	};

	app.post('/api/v2/feedback/:id/reply/', (request, response) => {
		queryOf(request, {});
		const sent = bodyOf(
			request,
			z
				.object({
					from_user: z.string(),
					message: z.string().min(1),
					cc: z.array(z.string()).optional(),
					bcc: z.array(z.string()).optional(),
				})
				.strict(),
		);
		const row = feedbackOf(request);
		refuseFromStranger(sent.from_user);
		refuseSecondReply(row);
		const { from_user, message, cc = [], bcc = [] } = sent;
		state().replies.push({ feedbackId: row.id, from_user, message, cc, bcc, at: Date.now() });
		followUp(state(), row.id, 'REPLIED');
		response.status(201).json({});
	});

	app.post('/api/v2/feedback/:id/forward/', (request, response) => {
		queryOf(request, {});
		const sent = bodyOf(request, z.object({ from_user: z.string(), to: z.string() }).strict());
		const row = feedbackOf(request);
		refuseFromStranger(sent.from_user);
		if (!isEmail(sent.to)) throw invalid({ to: ['Enter a valid email address.'] });
		refuseSecondReply(row);
		// B27: closed feedback is complete.
		if (row.status === 'CLOSED') {
			throw invalid({ non_field_errors: ['Feedback has been marked complete.'] });
		}
		followUp(state(), row.id, 'FORWARDED');
		response.json({});
	});

	app.post('/api/v2/feedback/:id/tag/', (request, response) => {
		queryOf(request, {});
		const tag = bodyOf(request, z.object({ name: z.string().min(1), category }).strict());
		const row = feedbackOf(request);
		// B29: a second tag of the same name is an error.
		if (row.tags.some(({ name }) => name === tag.name)) {
			throw invalid({ name: ['Tag already exists for this feedback.'] });
		}
		row.tags = [...row.tags, tag];
		notify('feedback.tags_added_or_changed', row);
		response.status(201).json({ category: tag.category, name: tag.name });
	});
};

const analysis = (nps: number): string => {
	if (nps < 0) return 'AT RISK';
	if (nps < 50) return 'GOOD';
	return nps < 75 ? 'EXCELLENT' : 'WORLD CLASS';
};

const metricsOf = (state: StateB, campaign: Campaign, rows: Feedback[], url: string) => {
	const share = (type: string): number =>
		rows.length === 0
			? 0
			: Math.round(
					(100 * rows.filter(({ score }) => scoreType(score) === type).length) / rows.length,
				);
	const nps = share('promoter') - share('detractor');
	const followups = rows.filter(({ id }) => state.followups.has(id)).length;
	return {
		href: `${url}/api/v2/metrics/${String(campaign.id)}/`,
		nps,
		campaign_name: campaign.name,
		promoter_percentage: share('promoter'),
		passive_percentage: share('passive'),
		detractor_percentage: share('detractor'),
		score_analysis: analysis(nps),
		feedback_count: rows.length,
		surveys_delivered_count: rows.length,
		surveys_scheduled_count: 0,
		followup_count: followups,
		followups_outstanding: rows.length - followups,
		// B30: text without a sign.
		followup_rate_percentage: String(rows.length === 0 ? 0 : (100 * followups) / rows.length),
		feedback_rate_percentage: '50.0',
		average_revenue_per_customer: 100.5,
		short_term_revenue_at_risk: 0,
		long_term_revenue_at_risk: 0,
		potential_new_revenue: 0,
	};
};

const otherRoutes = (app: Express, state: () => StateB): void => {
	app.get('/api/v2/metrics/', (request, response) => {
		const query = queryOf(request, {
			posted_date_0: posted.posted_date_0,
			posted_date_1: posted.posted_date_1,
		});
		const from = query.posted_date_0 ?? new Date(Date.now() - 30 * DAY).toISOString().slice(0, 10);
		const url = `http://${request.headers.host ?? 'localhost'}`;
		// B1: all campaigns at once, without an envelope.
		response.json(
			state()
				.campaigns.filter(({ permitted }) => permitted)
				.map(({ record }) => {
					const rows = state().feedback.filter(
						(row) =>
							row.campaign.id === record.id && isPosted(row, { ...query, posted_date_0: from }),
					);
					return metricsOf(state(), record, rows, url);
				}),
		);
	});

	app.get('/api/v2/replies/', (request, response) => {
		const query = queryOf(request, { page });
		response.json(envelope(request, state().commonReplies, query.page, REPLY_PAGE_SIZE));
	});

	app.post('/api/v2/replies/', (request, response) => {
		queryOf(request, {});
		const {
			title,
			reply,
			category: wanted,
		} = bodyOf(
			request,
			z
				.object({
					title: z.string().min(1),
					reply: z.string().min(1),
					category: z.object({ name: z.string().min(1) }).strict(),
				})
				.strict(),
		);
		const known = state().commonReplies.find(({ category: { name } }) => name === wanted.name);
		const saved = {
			id: nextId(state()),
			title,
			reply,
			category: known?.category ?? { id: nextId(state()), name: wanted.name },
		};
		state().commonReplies.push(saved);
		response.status(201).json(saved);
	});

	app.delete('/api/v2/replies/:id/', (request, response) => {
		queryOf(request, {});
		bodyOf(request, z.undefined());
		const id = idOf(request);
		const index = state().commonReplies.findIndex((one) => one.id === id);
		if (index < 0) throw notFound();
		state().commonReplies.splice(index, 1);
		response.status(204).end();
	});
};

const EVENTS = [
	'feedback.added_or_changed',
	'feedback.tags_added_or_changed',
	'feedback.status_changed',
	'feedback.removed',
	'metric.score_changed',
	'contact.unsubscribed',
	'tag.merged',
	'tag.removed',
	'tag.renamed',
];

const hookRoutes = (app: Express, state: () => StateB): void => {
	app.post('/api/v2/hooks', (request, response) => {
		queryOf(request, {});
		const sent = bodyOf(
			request,
			z.object({ event: z.string().min(1), target: z.string().url() }).strict(),
		);
		if (!EVENTS.includes(sent.event)) throw invalid({ event: ['Not an event.'] });
		// B33: a second subscription of the same event and target is one more.
		const hook = { id: nextId(state()), ...sent };
		state().hooks.push(hook);
		response.status(201).json(hook);
	});

	// B32: the contract shows neither a list of subscriptions nor their removal, and there is none.
	app.all(/^\/api\/v2\/hooks(\/.*)?$/, (request) => {
		throw new Refusal(405, { detail: `Method "${request.method}" not allowed.` });
	});
};

/** Serves an account of Survey B. */
export const startSecondB = async (account: {
	apiKey: string;
	state: StateB;
	emit: Emit;
}): Promise<SecondServer> =>
	await startSecond({
		authenticate: (request) => authenticate(request, account.apiKey),
		bodyOfError: (_status, detail) => ({ detail }),
		routes(app) {
			const state = () => account.state;
			const emit: Emit = (event, data) => account.emit(event, data);
			surveyRoutes(app, state);
			contactRoutes(app, state, emit);
			feedbackRoutes(app, state, emit);
			otherRoutes(app, state);
			hookRoutes(app, state);
		},
	});
