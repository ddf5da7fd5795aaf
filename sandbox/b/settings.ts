import type { CommonSettings } from '../core/dispatch';

/** What real servers of B do differently from each other. The defaults are the contract's letter. */
export interface SettingsB extends CommonSettings {
	/** Rows a page. */
	pageSize: number;
	/** `next` and `previous` name this origin instead of the service's own. */
	nextOrigin?: string;
	/** /api/lists/ and the contacts are answered as bare arrays. */
	bareLists: boolean;
	/** A path without its slash at the end is answered 301 instead of 404. */
	redirectSlash: boolean;
	/** Paths that are only for administrators: 403. */
	adminOnly?: RegExp;
	/** Everything is answered 503. */
	maintenance: boolean;
	/** A closed feedback counts as complete and is not forwarded. */
	closedIsComplete: boolean;
	/** Hours in which a contact is not surveyed again; 0 switches the throttle off. */
	throttleHours: number;
	/** The data policy holds for names and values of attributes, for names alone, or not at all. */
	dataPolicy: 'all' | 'names' | 'off';
	/** Unsubscribe refuses a list that holds an address that is none. */
	strictEmails: boolean;
	/** DELETE of a subscription: done, or not supported and nothing removed. */
	hookDeletion: 204 | 404 | 405;
	/** Events beside the nine of the contract that can be subscribed to. */
	extraEvents: string[];
	/** Stands for the 15 minutes that feedback.added_or_changed waits. */
	deliveryDelayMs: number;
	/** How often each delivery is made. */
	deliveryRepeats: number;
	/** Feedback events carry the contract's feedback, or that of the earlier revision. */
	eventRevision: 'current' | 'earlier';
	/** Metrics as older servers answer them: numbers as text, `campaign` for `campaign_name`. */
	olderMetrics: boolean;
	/** POST survey answers `campaign` instead of `campaign_id`, and no `status`. */
	olderSurveyAnswer: boolean;
}

export function defaultSettings(): SettingsB {
	return {
		pageSize: 100,
		nextOrigin: undefined,
		bareLists: false,
		redirectSlash: false,
		adminOnly: undefined,
		maintenance: false,
		closedIsComplete: false,
		throttleHours: 24,
		dataPolicy: 'all',
		strictEmails: false,
		hookDeletion: 204,
		extraEvents: [],
		deliveryDelayMs: 0,
		deliveryRepeats: 1,
		eventRevision: 'current',
		olderMetrics: false,
		olderSurveyAnswer: false,
		afterListRequest: undefined,
		rateLimit: undefined,
	};
}
