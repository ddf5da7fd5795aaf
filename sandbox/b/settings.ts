import type { CommonSettings } from '../core/dispatch';

/** Ways in which real servers of B differ. The defaults follow the contract. */
export interface SettingsB extends CommonSettings {
	/** Rows per page. */
	pageSize: number;
	/** The origin in `next` and `previous`; default: the service's own. */
	nextOrigin?: string;
	/** `next` of the last page. */
	lastNext: null | '' | 'absent';
	/** Sends lists without `count`. */
	withoutCount: boolean;
	/** Sends lists as bare arrays. */
	bareLists: boolean;
	/** Sends `unsubscribed` of contacts as a string. */
	unsubscribedAsText: boolean;
	/** Redirects a path without its trailing slash (301) instead of a 404. */
	redirectSlash: boolean;
	/** Paths that only administrators may use (403). */
	adminOnly?: RegExp;
	/** Responds to everything with 503. */
	maintenance: boolean;
	/** Treats closed feedback as complete: it cannot be forwarded. */
	closedIsComplete: boolean;
	/** Hours until a contact can be surveyed again; 0 for no throttle. */
	throttleHours: number;
	/** Applies the data policy to names and values of attributes, to names only, or not at all. */
	dataPolicy: 'all' | 'names' | 'off';
	/** The status of a request without a valid key. */
	wrongKeyStatus: 401 | 403;
	/** The field of the message that a contact is not eligible. */
	ineligibleField: 'non_field_errors' | 'contact' | 'detail';
	/** A page past the end is an error, or empty. */
	pageAfterLast: 404 | 'empty';
	/** The results of Unsubscribe. */
	unsubscribeResults: 'contacts' | 'none';
	/** Sends missing names and attributes of contacts as null. */
	nullScalars: boolean;
	/** Unsubscribe refuses a list with an invalid email. */
	strictEmails: boolean;
	/** The response to DELETE of a subscription; only 204 removes it. */
	hookDeletion: 204 | 404 | 405;
	/** POST of an equal webhook creates another one, or returns the existing one. */
	equalWebhook: 'another' | 'existing';
	/** Events that can be subscribed to besides the contract's nine. */
	extraEvents: string[];
	/** Replaces the 15 minutes that feedback.added_or_changed waits. */
	deliveryDelayMs: number;
	/** Number of times each delivery is sent. */
	deliveryRepeats: number;
	/** The form of feedback in events. */
	eventRevision: 'current' | 'earlier';
	/** Sends feedback in events with the ID of its survey. */
	surveyIdInEvents: boolean;
	/** Sends metrics as older servers do: numbers as strings, `campaign` instead of `campaign_name`. */
	olderMetrics: boolean;
	/** POST survey responds with `campaign` instead of `campaign_id`, and without `status`. */
	olderSurveyResponse: boolean;
}

/** Changes of the defaults, which stay after a reset. */
export const differencesB: Partial<SettingsB> = {};

export function defaultSettings(): SettingsB {
	return {
		pageSize: 100,
		nextOrigin: undefined,
		lastNext: null,
		withoutCount: false,
		bareLists: false,
		unsubscribedAsText: false,
		redirectSlash: false,
		adminOnly: undefined,
		maintenance: false,
		closedIsComplete: false,
		throttleHours: 24,
		dataPolicy: 'all',
		validationStatus: 400,
		wrongKeyStatus: 401,
		ineligibleField: 'non_field_errors',
		pageAfterLast: 404,
		unsubscribeResults: 'contacts',
		nullScalars: false,
		strictEmails: false,
		hookDeletion: 204,
		equalWebhook: 'another',
		extraEvents: [],
		deliveryDelayMs: 0,
		deliveryRepeats: 1,
		eventRevision: 'current',
		surveyIdInEvents: true,
		olderMetrics: false,
		olderSurveyResponse: false,
		errors: 'contract',
		timesWithoutZone: false,
		idsAsText: false,
		successes: 'rest',
		lowercaseEmails: false,
		afterListRequest: undefined,
		rateLimit: undefined,
		...differencesB,
	};
}
