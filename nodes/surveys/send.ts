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
			'Maximum number of surveys to send in this run, with those that may have been sent. A row that fails or is skipped gives its place to the next one.',
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

type Refusal = 'unsubscribed' | 'notEligible';

/** The texts by which a service refuses to survey a person now, behind words that add nothing, and what to do about each. */
export type RefusalTexts = Record<Refusal, { texts: string[]; hint: string }>;

const IN_FRONT = [
	...['the', 'this', 'customer', 'contact', 'subscriber', 'person', 'email'],
	...['has', 'is', 'was', 'already', 'recently', 'been'],
];

/** Undefined if one of the message's lines, which may begin with the label of a field, says something else. */
function refusalIn(message: string, refusals: RefusalTexts): Refusal | undefined {
	const lines = message.split('; ').map((line) => line.replace(/^'[^']*': /, ''));
	const read = lines.map((line) => refusalOf(line, refusals));
	if (read.includes(undefined)) return undefined;
	return read.includes('unsubscribed') ? 'unsubscribed' : 'notEligible';
}

function refusalOf(line: string, refusals: RefusalTexts): Refusal | undefined {
	const text = withoutFront(line);
	return (['unsubscribed', 'notEligible'] as const).find((refusal) =>
		refusals[refusal].texts.some((start) => `${text} `.startsWith(`${start} `)),
	);
}

/** True for a text that is a refusal from start to end. */
export function isRefusalText(text: unknown, refusals: RefusalTexts): boolean {
	const said = withoutFront(String(text));
	return Object.values(refusals).some(({ texts }) => texts.includes(said));
}

function withoutFront(line: string): string {
	const words = line.toLowerCase().match(/\w+/g) ?? [];
	return words.slice(words.findIndex((word) => !IN_FRONT.includes(word))).join(' ');
}

/**
 * The rules of every send: one survey per person and campaign in an execution, and what becomes of people who are refused.
 *
 * @param afterLostResponse says that an attempt whose response was lost may be why the person is not eligible
 */
export const sendRules = (refusals: RefusalTexts, afterLostResponse?: string) => ({
	irreversible: true,
	once: 'email',
	runOptions: sendOptions,
	limit({ options: { sendAtMost } }: Run) {
		if (typeof sendAtMost !== 'number') return undefined;
		const skip: SkipReason = { reason: `'Send at Most' is ${sendAtMost}`, code: 'overLimit' };
		return { most: sendAtMost, skip };
	},
	objection: ({ columns }: { columns: { objection?: SkipReason } }) => columns.objection,
	readRefusal(refused: Failure, { options }: Run): Failure | SkipReason | undefined {
		const known = refusalIn(refused.reason ?? '', refusals);
		if (known === undefined) return undefined;
		const isLost = refused.doubt === 'earlier' && known === 'notEligible';
		const maybe = isLost ? afterLostResponse : undefined;
		const text = sentences([refused.message, maybe]);
		const code = maybe ? 'maybeSent' : known;
		if (options.ineligible === 'skip') return { reason: text, code };
		if (!maybe) return refused.with({ code, hint: refusals[known].hint });
		return refused.with({ code, message: text, hint: undefined, doubt: undefined });
	},
});
