import { CommonSettings } from '../core/settings';

/** Changes of the defaults, which stay after a reset. */
export const differencesB: Partial<SettingsB> = {};

/** Ways in which real servers of B differ. The defaults follow the contract. */
export class SettingsB extends CommonSettings {
	/** Rows per page. */
	pageSize = 100;

	/** The origin in `next` and `previous`; default: the service's own. */
	nextOrigin?: string = undefined;

	/** `next` of the last page. */
	lastNext: null | '' | 'absent' = null;

	/** Sends lists as bare arrays. */
	bareLists = false;

	/** Sends `unsubscribed` of contacts as a string. */
	unsubscribedAsText = false;

	/** Treats closed feedback as complete: it cannot be forwarded. */
	closedIsComplete = false;

	/** The status of a request without a valid key. */
	wrongKeyStatus: 401 | 403 = 401;

	/** The field of the message that a contact is not eligible. */
	ineligibleField: 'non_field_errors' | 'contact' | 'detail' = 'non_field_errors';

	/** A page past the end is an error, or empty. */
	pageAfterLast: 404 | 'empty' = 404;

	/** The results of Unsubscribe. */
	unsubscribeResults: 'contacts' | 'none' = 'contacts';

	/** Sends missing names and attributes of contacts as null. */
	nullScalars = false;

	/** Unsubscribe refuses a list with an invalid email. */
	strictEmails = false;

	/** The response to DELETE of a subscription; only 204 removes it. */
	hookDeletion: 204 | 404 | 405 = 204;

	/** POST of an equal webhook creates another one, or returns the existing one. */
	equalWebhook: 'another' | 'existing' = 'another';

	/** Events that can be subscribed to besides the contract's nine. */
	extraEvents: string[] = [];

	/** Number of times each delivery is sent. */
	deliveryRepeats = 1;

	/** Sends feedback in events with the ID of its survey. */
	surveyIdInEvents = true;

	/** Sends metrics as older servers do: numbers as strings, `campaign` instead of `campaign_name`. */
	olderMetrics = false;

	/** POST survey responds with `campaign` instead of `campaign_id`, and without `status`. */
	olderSurveyResponse = false;
}
