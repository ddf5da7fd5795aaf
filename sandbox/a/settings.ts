import { COMMON_SILENCES, silence, usualWays, type SettingsOf } from '../core/settings';

/** What the contract of A does not say. The first way of each is the usual one. */
export const SILENCES_A = {
	...COMMON_SILENCES,

	/** `pages` of an empty list. */
	emptyPages: silence('A1', 0, 1),

	/** A page past the end is empty, an error, or the last page again. */
	pageAfterLast: silence('A2', 'empty', 404, 'last'),

	/** The largest page. */
	maxLimit: silence('A3', 1000 as number, 100 as number),

	/** The largest page of companies. */
	maxCompaniesLimit: silence('A3', 100 as number, 20 as number),

	/** A larger `limit` is lowered, or refused. */
	overLimit: silence('A4', 'lowered', 400),

	/** Lists ignore `page` and `limit`, and come whole. */
	ignoresLimit: silence('A5', false, true),

	/** Sends `page`, `pages`, `limit`, and `total` of feedback as strings. */
	numbersAsText: silence('A6', false, true),

	/** Sends `pages` inside `data`, next to it, or not at all. */
	pagesAt: silence('A7', 'data', 'top', 'none'),

	/** The order of records with the same date: as created, the other way around, or another one at each request. */
	equalDates: silence('A8', 'created', 'reversed', 'changing'),

	/** The bounds of a period belong to it, or not. */
	periodBounds: silence('A9', 'included', 'excluded'),

	/** Optional scalars of customers, feedback, and outbox records are as stored, null, or missing. */
	blanks: silence('A10', 'stored', 'null', 'missing'),

	/** The feedback of a campaign has pages, comes whole, or has a first page only. */
	campaignFeedback: silence('A11', 'pages', 'whole', 'firstPage'),

	/** Further filters of the feedback of a campaign are ignored, applied, or refused. */
	campaignFilters: silence('A12', 'ignored', 'applied', 400),

	/** The response to a campaign that has no feedback. */
	campaignWithoutFeedback: silence('A13', 'emptyList', 404),

	/** The response to a filter by an email that nobody has. */
	unknownEmail: silence('A14', 'emptyList', 404),

	/** Sends a customer's properties with label and name, or with the name alone. */
	propertiesBy: silence('A15', 'labelAndName', 'name'),

	/** Sorting by fields other than the default's: it works, is ignored, or is refused. */
	otherSorts: silence('A16', 'sorted', 'ignored', 400),

	/** The name by which companies are sorted by industry: the contract shows both. */
	industrySort: silence('A16', 'industryName', 'companyIndustry'),

	/** An invalid email refuses the whole request, is left out of the response, or is saved. */
	invalidEmails: silence('A17', 'refused', 'leftOut', 'saved'),

	/** The customers in the response to a write: as in the request, in another order, the first 20 of them, or without emails. */
	savedCustomers: silence('A18', 'asSent', 'reversed', 'firstPage', 'withoutEmails'),

	/** An email that is in a request twice is merged, or refused. */
	emailTwice: silence('A19', 'merged', 400),

	/** The tags of an update replace the others, or are added. */
	tagsOfUpdate: silence('A20', 'replaced', 'added'),

	/** An empty text in an update clears the field, or is ignored. */
	emptyTexts: silence('A21', 'clear', 'ignored'),

	/** The forms in which dates are accepted. */
	dateFormats: silence('A22', 'any', 'iso', 'monthDayYear'),

	/** A property that is sent with another type than it has takes the new type, or is refused. */
	changedTypes: silence('A23', 'taken', 400),

	/** The entries of a collection are of any type, or texts. */
	collections: silence('A24', 'any', 'texts'),

	/** Unsubscribing an email that nobody has is confirmed, left out, denied, or refused. */
	unknownUnsubscribed: silence('A25', 'confirmed', 'leftOut', 'denied', 404),

	/** Deleting an email that nobody has is confirmed, left out, denied, or refused. */
	unknownDeleted: silence('A26', 'confirmed', 'leftOut', 'denied', 404),

	/** The number of emails that can be unsubscribed or deleted at once. */
	emailsPerRequest: silence('A27', 1000, 100),

	/** Feedback and sent surveys of a deleted customer stay, or go with it. */
	historyOfDeleted: silence('A28', 'stays', 'goes'),

	/** A survey for a customer who unsubscribed is queued and never sent, or refused. */
	unsubscribedInSurvey: silence('A29', 'queued', 400),

	/** The rows that a refused survey names. */
	refusedRows: silence('A30', 'invalid', 'all', 'none'),

	/** Tags and topics of a response that does not exist. */
	unknownResponse: silence('A31', 404, 400, 200),

	/** A tag or a topic that is appended again is there twice, or once. */
	appendedAgain: silence('A32', 'twice', 'once'),

	/** The fields in which the tags of a response are. */
	responseTags: silence('A33', 'both', 'feedbackTags', 'feedbackTagsNew'),

	/** The report of a campaign that does not exist. */
	unknownReport: silence('A34', 'empty', 404),

	/** Names the headline of a score after its metric, or `score`. */
	scoreHeadline: silence('A35', 'metric', 'score'),

	/** The score without responses. */
	emptyScore: silence('A36', 0, null, 404),

	/** The status of a survey that was sent. */
	sentStatus: silence('A37', 'SENT', 'DELIVERED'),

	/** A campaign ID in a wrong form. */
	wrongCampaignId: silence('A38', 404, 400),

	/** Seconds until a survey that was sent is in the outbox. */
	outboxLag: silence('A39', 0, 600),

	/** Customers who unsubscribed are in lists, or not. */
	listsUnsubscribed: silence('A40', true, false),

	rateLimit: silence('A41', 'none', 'retryAfter', 'bare'),

	/** A list without records is an empty array, null, or missing. */
	emptyLists: silence('A42', 'array', 'null', 'missing'),

	/** Seconds until feedback has its comment: customers click a score first and write then. */
	commentLag: silence('A43', 0, 120),
};

export type SettingsA = SettingsOf<typeof SILENCES_A> & {
	/** Sends `personTags` of outbox records as an array, against the contract. */
	personTagsAsArray: boolean;
};

export const usualA = (): SettingsA => ({ ...usualWays(SILENCES_A), personTagsAsArray: false });

/** Changes of the usual ways, which stay after a reset. */
export const differencesA: Partial<SettingsA> = {};
