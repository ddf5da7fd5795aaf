import type { IDataObject } from 'n8n-workflow';

/**
 * The codes by which workflows branch on a row that failed or was skipped, in all nodes: `details.code` is always one of
 * these. docs/errors.md prints them.
 */
export const CODES = {
	missingEmail: 'An email is missing',
	invalidEmail: 'An email is not one address, or the service refused it',
	missingValue: 'Another value that the operation needs is missing',
	invalidDate: 'A date cannot be read',
	invalidValue: 'Another value or a setting cannot be used',
	unsubscribed: 'The person unsubscribed, as the row or the service says',
	notAgreed: 'A column says that the person did not agree to be contacted',
	notEligible: 'The service does not survey the person now',
	recentlySurveyed: 'The person was surveyed within Quiet Period',
	duplicate: 'The row repeats one that was sent in this execution',
	overLimit: 'Send at Most was reached',
	unknownContact: 'The service knows nobody by this email or ID',
	notFound: 'The service knows no such record',
	unusableCampaign: 'The campaign does not exist, or cannot send surveys now',
	alreadyReplied: 'The feedback response has a reply, so nothing was sent',
	refused: "The service refused the row for another reason, which stands in 'error'",
	notConfirmed: 'The response does not confirm the row',
	maybeSent: 'The service may have processed the row, and doing it again would do harm',
	unavailable: 'The service cannot be reached, failed, or did not respond',
	rateLimited: 'The service still refused the row as one too many after an hour',
	account: 'The service refused the API key or the account, or the credential cannot be used',
	cancelled: 'The run ended before the row was sent',
	failed: "Anything else, which stands in 'error'",
} as const;

export type Code = keyof typeof CODES;

/** The entries of `details` in a failed row. Workflows branch on these. docs/errors.md prints them. */
export const DETAILS = {
	code: 'Why it failed: one of the codes below',
	retry: 'true if sending the same row again can help',
	uncertain: 'true if the service may have processed the row, and doing it again would do harm',
	confirmed: 'false if the response does not confirm the row',
	httpCode: 'The HTTP status that the service sent, if it sent one',
	field: 'The label of the field, or the name of the column',
	value: 'The value that cannot be used',
	advice: "What to do about it, which 'error' ends with",
	row: 'What the row had in the place of error and of details, and what would say that it succeeded',
} as const;

export type Detail = keyof typeof DETAILS;

/** Why an item is not sent. It comes out with the status `skipped`, the reason, and the code in `details`. */
export interface SkipReason {
	reason: string;
	code: Code;
	mark?: IDataObject;
	/** How the hint after the run counts it, if not by code, and another hint that explains it. */
	countedAs?: string;
	hint?: string;
}
