import type { SkipReason } from '../shared/base/codes';
import { Failure } from '../shared/base/failure';
import { sentences } from '../shared/base/text';
import { choice, integer } from '../shared/fields/kinds';
import type { Run } from '../shared/operations/run';
import { fields, numeric, optional, string } from '../shared/records';

/** The options of what sends surveys. @internal */
export const sendOptions = {
	sendAtMost: integer({
		displayName: 'Send at Most',
		min: 1,
		default: 200,
		description:
			'Maximum number of surveys to send in this run, with those that may have been sent. A row that fails or is skipped gives its place to the next one. Without this option, no limit.',
	}),
	ineligible: choice({
		displayName: 'Contacts That Cannot Be Surveyed',
		options: [
			{ name: 'Error', value: 'error', description: 'The row fails' },
			{
				name: 'Skip',
				value: 'skip',
				description:
					'The row comes out with status "skipped" and the reason, or with status "maybeSent" if a request whose response was lost may have surveyed the contact',
			},
		],
		description:
			'What to do with people whom the service refuses: they unsubscribed, or were surveyed too recently (notEligible). Without this option, such a row fails.',
	}),
};

export const skippedFields = {
	...fields(string, 'reason'),
	duplicateOfItem: numeric,
	details: optional({ code: string }),
};

/** The service's own messages about people whom it does not survey now. */
interface Ineligible {
	/** Matches them from their first to their last letter. */
	message: RegExp;
	/** The advice for each code. */
	hints: { unsubscribed: string; notEligible: string };
	/** The message that an earlier attempt, whose response was lost, may have caused, and what to say then. */
	afterLostResponse?: { message: RegExp; reason: string };
}

/** The rules of every send: one survey per person and campaign in an execution, and what becomes of people who are refused. */
export const sendRules = ({ message, hints, afterLostResponse: after }: Ineligible) => ({
	irreversible: true,
	once: 'email',
	runOptions: sendOptions,
	limit({ options: { sendAtMost } }: Run) {
		if (typeof sendAtMost !== 'number') return undefined;
		const skip: SkipReason = { reason: `'Send at Most' is ${sendAtMost}`, code: 'overLimit' };
		return { most: sendAtMost, skip };
	},
	readRefusal(refusal: Failure, { options }: Run): Failure | SkipReason | undefined {
		const own = refusal.reason?.trim() ?? '';
		if (!message.test(own)) return undefined;
		const known = /unsubscribed|opted/i.test(own) ? 'unsubscribed' : 'notEligible';
		const mayBeSent = refusal.doubt === 'earlier' && after?.message.test(refusal.message) === true;
		const text = mayBeSent ? sentences([refusal.message, after.reason]) : refusal.message;
		const code = mayBeSent ? 'maybeSent' : known;
		if (options.ineligible === 'skip') return { reason: text, code };
		if (!mayBeSent) return refusal.with({ code, hint: hints[known] });
		return refusal.with({ code, message: text, hint: undefined, doubt: undefined });
	},
});
