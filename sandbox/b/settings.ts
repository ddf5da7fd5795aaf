import { COMMON_SILENCES, silence, usualWays, type SettingsOf } from '../core/settings';

/** What the contract of B does not say. The first way of each is the usual one. */
export const SILENCES_B = {
	...COMMON_SILENCES,

	/** Lists whose envelope the contract does not show come in the one that it shows, or as bare arrays. */
	bareLists: silence('B1', false, true),

	/** A page past the end is an error, empty, or the last page again. */
	pageAfterLast: silence('B2', 404, 'empty', 'last'),

	/** `next` of the last page. */
	lastNext: silence('B3', null, '', 'absent'),

	/** `next` is a URL, or a path. */
	nextLinks: silence('B3', 'url', 'path'),

	/** `page` of lists for which the contract does not show it is accepted, ignored, or refused. */
	pageOfOtherLists: silence('B4', 'accepted', 'ignored', 400),

	/** The page size of the lists whose page size the contract does not show. */
	otherPageSize: silence('B5', 100, 25),

	successes: silence('B6', 'rest', 'always200'),

	validationStatus: silence('B7', 400, 422),

	/** The status of a request without a valid key. */
	wrongKeyStatus: silence('B8', 401, 403),

	/** The field of the message that a contact is not eligible. */
	ineligibleField: silence('B9', 'non_field_errors', 'contact', 'detail'),

	/** A campaign that does not exist is one without permission, or not found. */
	unknownCampaign: silence('B10', 'noPermission', 404),

	/** The status of a survey that was sent. */
	surveyStatus: silence('B11', 'SENT', 'SCHEDULED'),

	/** Sends `unsubscribed` of contacts as a string. */
	unsubscribedAsText: silence('B12', false, true),

	/** Sends missing names and attributes of contacts as they are stored, as null, or not at all. */
	blanks: silence('B13', 'stored', 'null', 'missing'),

	/** The attributes of an update are merged with the others, or replace them. */
	attributesOfUpdate: silence('B14', 'merged', 'replaced'),

	/** Attributes against the data policy refuse the request, or are dropped. */
	wrongAttributes: silence('B15', 400, 'dropped'),

	/** `contact_list` is a list or a number, or always a list. */
	contactListForm: silence('B16', 'either', 'list'),

	/** Saving a contact who unsubscribed leaves it so, or subscribes it again. */
	savedUnsubscribed: silence('B17', 'stays', 'subscribed'),

	/** Unsubscribing an email that nobody has is ignored, refused, or creates a contact. */
	unknownUnsubscribed: silence('B18', 'ignored', 400, 'created'),

	/** Unsubscribe refuses a list with an invalid email. */
	strictEmails: silence('B18', false, true),

	/** The results of Unsubscribe. */
	unsubscribeResults: silence('B19', 'contacts', 'emails', 'none'),

	/** Removing an email that nobody has. */
	unknownRemoved: silence('B20', 200, 404, 400),

	/** The feedback of a removed contact goes, or stays. */
	historyOfRemoved: silence('B21', 'goes', 'stays'),

	/** Reading a record that was removed. */
	removedRecord: silence('B22', 410, 404),

	/** The order of feedback. */
	feedbackOrder: silence('B23', 'newest', 'oldest', 'changed'),

	/** The names of the dates of a period. Other names are ignored. */
	periodNames: silence('B24', 'both', 'numbered', 'afterBefore'),

	/** The date that a period is about. */
	periodOf: silence('B25', 'created', 'score_changed'),

	/** A filter by a campaign or a contact list that does not exist. */
	unknownFilter: silence('B26', 'emptyList', 400),

	/** Treats closed feedback as complete: it cannot be forwarded. */
	closedIsComplete: silence('B27', false, true),

	/** The status for somebody who is no member of the organization. */
	strangerStatus: silence('B28', 400, 403),

	/** A tag that the feedback has already. */
	tagTwice: silence('B29', 400, 200),

	/** Rates are numbers, texts, or texts with a sign. */
	rates: silence('B30', 'number', 'text', 'percent'),

	/** The link of metrics contains the campaign's ID, or its name. */
	metricsLink: silence('B31', 'id', 'name'),

	/** The response to DELETE of a subscription; only 204 removes it. */
	hookDeletion: silence('B32', 204, 404, 405),

	/** POST of an equal webhook creates another one, returns the existing one, or is refused. */
	equalWebhook: silence('B33', 'another', 'existing', 'refused'),

	/** A target that responds with 410 keeps its subscription, or loses it. */
	goneTarget: silence('B34', 'kept', 'removed'),

	/** Number of times each delivery is sent. */
	deliveryRepeats: silence('B35', 1 as number, 2 as number),

	/** A delivery that fails is lost, or sent again. */
	failedDelivery: silence('B35', 'lost', 'repeated'),

	/** Deliveries arrive as the events happened, or in another order. */
	deliveryOrder: silence('B36', 'kept', 'swapped'),

	/** Deliveries have no signature, or one in a header. */
	signature: silence('B37', 'none', 'header'),

	/** Sends feedback in events with the ID of its survey. */
	surveyIdInEvents: silence('B38', true, false),

	/** Events are those of v2, or of the earlier revision. */
	revision: silence('B39', 'v2', 'earlier'),

	/** The form of timestamps. */
	times: silence('B40', 'Z', 'offset', 'noZone'),

	/** Sends numeric IDs as text. */
	idsAsText: silence('B41', false, true),

	rateLimit: silence('B42', 'none', 'retryAfter'),
};

export type SettingsB = SettingsOf<typeof SILENCES_B> & {
	/** Rows per page. */
	pageSize: number;

	/** The origin in `next` and `previous`; default: the service's own. */
	nextOrigin?: string;

	/** Events that can be subscribed to besides the contract's. */
	extraEvents: string[];

	/** Sends metrics as older servers do: numbers as strings, `campaign` instead of `campaign_name`. */
	olderMetrics: boolean;

	/** POST survey responds with `campaign` instead of `campaign_id`, and without `status`. */
	olderSurveyResponse: boolean;
};

export const usualB = (): SettingsB => ({
	...usualWays(SILENCES_B),
	pageSize: 100,
	nextOrigin: undefined,
	extraEvents: [],
	olderMetrics: false,
	olderSurveyResponse: false,
});

/** Changes of the usual ways, which stay after a reset. */
export const differencesB: Partial<SettingsB> = {};
