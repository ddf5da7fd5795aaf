import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../shared/base/failure';
import { isObject } from '../shared/base/json';
import { isBlank } from '../shared/base/text';
import { isDateObject } from '../shared/fields/dates';
import type { MappedItem } from '../shared/mapping/mappedItem';
import { kindOf, withoutAccents } from './optOutNames';
import { unsubscribed } from './fields';

// Reads from a row whether its person opted out. Laws on email make a survey to somebody who said no the worst thing that a send
// can do, so every column of the row is looked at, mapped or not.

/** The cell by which a row says something of an opt-out. */
interface OptOut {
	/** The name of its column, with those above it: `properties.hs_email_optout`. */
	column: string;
	value: unknown;
	/**
	 * `unreadable`: the name is clear and the value is not. `refuses`: it probably says no to surveys. `unclear`: it may. `subscribed`:
	 * it says no such thing, but is no opt-out either.
	 */
	says: 'optedOut' | 'notOptedOut' | 'unreadable' | 'refuses' | 'unclear' | 'subscribed';
}

/** Texts that say so in whichever column they are, such as a status or one of several tags. */
const OPTED_OUT_TEXT = new RegExp(
	`(?:^|[,;|]\\s*)(?:${[
		'(?:list|soft|_?confirmed)?[-_ ]?(?:un-?subscribed?(?: ?all)?|opt(?:ed)?[-_ ]?out)',
		'do[-_ ]?not[-_ ]?(?:contact|e-?mail|survey|disturb|allow|send|solicit)',
		'no[-_ ](?:more[-_ ])?(?:surveys?|e-?mails?|csat)(?:[-_ ]please)?',
		'suppressed|(?:black|block|deny)-?listed',
		'abgemeldet|desabonnee?|desinscrit[eo]?|dado de baja|descadastrad[oa]|uitgeschreven|disiscritt[oa]',
		'(?:nicht|ne pas|no|nao|non|niet) (?:zulassen|senden|autoriser|permitir|enviar|consentire|toestaan)',
	].join('|')})(?: (?:from|of) [^,;|]*(?:mail|survey|news|market|communic)[^,;|]*)?(?:$|\\s*[,;|])`,
	'i',
);

/** Texts that probably say so in whichever column they are. */
const MAY_BE_OPTED_OUT_TEXT = new RegExp(
	[
		'(?<!\\b(?:not|never|no)[-_ ])\\b(?:unsubscribed|opted[-_ ]out)\\b(?!\\S*@)',
		"\\b(?:do not|don'?t|not to be|not wish to|not want) (?:\\w+ )*(?:contact|e-?mail|survey|receive)",
		'remove\\w* (?:me )?from (?:\\w+ )?(?:mailing )?list|consent (?:revoked|withdrawn)',
		'(?:^|[,;| ])(?:dnc|no[-_]?(?:survey|csat|nps)|unsubscribers|(?:nicht|ne pas|no|non|niet) (?:kontaktieren|contacter|contactar|contattare|benaderen)|keine mails)(?:$|[,;| ])',
	].join('|'),
	'i',
);
const UNCLEAR_TEXT =
	/^(?:(?:non|not|never)[-_ ]?subscribed|do[-_ ]?not[-_ ]?mail|no[-_ ]contact)$/i;

/** Texts that say the opposite in whichever column they are. */
const SUBSCRIBED_TEXT =
	/^(?:subscribed|re-?subscribed|active|allow(?:ed)?|opt(?:ed)?[-_ ]?in|zulassen|autoriser|permitir|consentir?e?|toestaan)$/i;

const YES =
	/^(?:true|t|yes|y|1|x|on|checked|✓|✔|☑|ja|oui|si|sim|wahr|vrai|verdadero|verdadeiro|vero|waar)$/i;
const NO =
	/^(?:(?:not|never) (?:opted out|unsubscribed)|false|f|no|n|0|off|unchecked|none|never|n\/a|null|undefined|-|☐|nein|non|nao|nee|falsch|faux|falso|onwaar)$/i;

/** Texts that refuse, where a number would count something. */
const REFUSED = new RegExp(
	`^(?:${[
		'(?:false|f|no|n|off|nope|never|nein|non|nao|nee)(?:,? (?:thanks|thank you|danke|merci|grazie|gracias|obrigad[oa]))?|(?:no|nein|non|nao|nee),.*|falsch|faux|falso|onwaar',
		'(?:please do )?not(?: (?:allowed|permitted|wanted|wished|interested|willing|at all))?|i.d rather not|i do not.*',
		'disabled|inactive|den(?:y|ied)|declined?|refused?|excluded|removed|rejected|revoked|withdrawn|unsubscribe all|out',
		'abgelehnt|widerrufen|nicht (?:erlaubt|erwunscht)|refusee?|refus|revogado|ingetrokken|baja',
	].join('|')})$`,
	'i',
);

/** Databases write this where a date is missing. */
const NO_DATE = /^0000-00-00/;

/** Longer texts are not compared. */
const LONGEST_TEXT = 60;

/** The objects inside a row that are looked at: HubSpot, Salesforce and Klaviyo return records of several levels. */
const MOST_LEVELS = 5;
const MOST_ENTRIES = 2000;

/** Returns the cells of a row that say something of an opt-out, also those inside its objects. */
function optOutsIn(row: IDataObject): OptOut[] {
	const found: OptOut[] = [];
	let left = MOST_ENTRIES;
	const look = ({ name, value, isOneOfSeveral }: Entry, path: string, level: number) => {
		if (--left < 0) return;
		const before = found.length;
		const inside = level < MOST_LEVELS ? entriesIn(name, value) : [];
		for (const entry of inside) {
			look(
				{ ...entry, isOneOfSeveral: isOneOfSeveral || entry.isOneOfSeveral },
				entry.name === name ? path : `${path}.${entry.name}`,
				level + 1,
			);
		}
		const says = found.length > before ? undefined : sayingOf(name, value, path);
		if (says === undefined) return;
		if (!isOneOfSeveral) found.push({ column: path, value, says });
		else if (['optedOut', 'refuses'].includes(says)) {
			found.push({ column: path, value, says: 'refuses' });
		}
	};
	for (const name in row) look({ name, value: row[name] }, name, 1);
	return found;
}

/** Returns whether a column says something of an opt-out by its name alone, so that it is no property of the person. */
export function isOptOutName(name: string): boolean {
	return ['flag', 'presence'].includes(kindOf(name));
}

function isNested(value: unknown): boolean {
	return typeof value === 'object' && value !== null && !isDateObject(value);
}

/** Names of the value of the object that they are in: `email_marketing_consent: { state: 'not_subscribed' }`. */
const VALUE_NAMES = new Set(['value', 'val', 'state', 'status']);

/** Names of a label, and of the value beside it: `{ type: 'marketing', granted: false }`. */
const LABEL_NAMES = ['label', 'name', 'key', 'property', 'text', 'type'];
const LABELED_NAMES = ['value', 'granted', 'enabled'];

/** A named value. */
interface Entry {
	name: string;
	value: unknown;
	/** True in a list of several objects, which may be addresses of one person, or several people. */
	isOneOfSeveral?: boolean;
}

/** Returns the named values inside a value: of an object, of lists of labels and values, and the texts of a list. */
function entriesIn(name: string, value: unknown): Entry[] {
	if (Array.isArray(value)) return value.flatMap((entry) => entriesOf(name, entry, value.length));
	if (!isObject(value) || isDateObject(value)) return [];
	return Object.entries(value).map(([key, one]) => ({
		name: VALUE_NAMES.has(key) ? name : key,
		value: one,
	}));
}

function entriesOf(name: string, entry: unknown, length: number): Entry[] {
	if (!isObject(entry)) return [{ name, value: entry }];
	const label = LABEL_NAMES.map((key) => entry[key]).find((one) => typeof one === 'string');
	const valueName = LABELED_NAMES.find((key) => key in entry);
	if (typeof label === 'string' && valueName) return [{ name: label, value: entry[valueName] }];
	const isOneOfSeveral = length > 1;
	return entriesIn(name, entry).map((inside) => ({ ...inside, isOneOfSeveral }));
}

function sayingOf(name: string, value: unknown, path = name): OptOut['says'] | undefined {
	const text = textOf(value);
	const kind = kindOf(name, path);
	if (isBlank(value) || NO_DATE.test(text) || kind === 'elsewhere') return undefined;
	if (kind !== 'mail' && OPTED_OUT_TEXT.test(text)) return 'optedOut';
	if (kind !== 'presence' && MAY_BE_OPTED_OUT_TEXT.test(text)) return 'refuses';
	if (UNCLEAR_TEXT.test(text)) return 'unclear';
	if (isNested(value)) return kind === 'flag' ? 'unreadable' : undefined;
	const isSubscribed = SUBSCRIBED_TEXT.test(text);
	// An active suppression is the opposite of an active subscription.
	const isNo = NO.test(text) || (isSubscribed && !/^active$/i.test(text));
	switch (kind) {
		case 'presence':
			return isNo ? 'notOptedOut' : 'optedOut';
		case 'opposite':
			if (isSubscribed) return 'subscribed';
			return NO.test(text) || REFUSED.test(text) ? 'refuses' : 'unclear';
		case 'consent':
			return text === '0' || REFUSED.test(text) ? 'refuses' : undefined;
		case 'permission':
			return REFUSED.test(text) ? 'refuses' : undefined;
		case 'mail':
			return isNo ? undefined : 'unclear';
		case 'similar':
			if (isNo) return undefined;
			if (/^\d{1,3}$/.test(text) && text !== '1') return undefined;
			return YES.test(text) || /\d\D?\d/.test(text) ? 'refuses' : 'unclear';
		case 'flag':
			if (YES.test(text)) return 'optedOut';
			return isNo ? 'notOptedOut' : 'unreadable';
		default:
			return undefined;
	}
}

/** Returns the text of a value without accents; empty if it is nested or long. */
function textOf(value: unknown): string {
	if (isNested(value)) return '';
	const text = typeof value === 'string' ? value.trim() : String(value);
	return text.length > LONGEST_TEXT ? '' : withoutAccents(text);
}

/**
 * Reads from an item whether its person opted out. One column that says so is enough, whatever others say. What probably says so
 * fails the item, unless Unsubscribed is mapped by hand. What is unclear fails it, unless another column says that the person
 * did not opt out.
 *
 * @returns the cell that decides; undefined if the item says nothing
 */
export function readOptOut(item: MappedItem): OptOut | undefined {
	const { inputs, run } = item;
	const said = inputs.flatMap(optOutsIn);
	const of = (kind: OptOut['says']) => said.filter(({ says }) => says === kind);
	const [optedOut] = of('optedOut');
	if (optedOut) return optedOut;
	const [stated] = of('notOptedOut');
	const [settled = stated] = of('subscribed');
	const mapped = run.isAutomatic ? undefined : inputs[0]?.[unsubscribed.id];
	const isMapped = sayingOf(unsubscribed.id, mapped) === 'notOptedOut';
	for (const cell of of('unreadable')) fail(item, cell, UNREADABLE);
	const open = [...(isMapped ? [] : of('refuses')), ...(settled ? [] : of('unclear'))];
	for (const cell of open) if (!run.isIgnored(cell.column)) fail(item, cell, unclearFor(item));
	return stated;
}

/** Returns the column by which an item says that its person opted out; undefined if none does. */
export function optedOutBy(item: MappedItem): string | undefined {
	const said = readOptOut(item);
	return said?.says === 'optedOut' ? said.column : undefined;
}

const UNREADABLE = Failure.value(
	'does not say whether the person unsubscribed',
	'Write true or false in it. Nobody who may have unsubscribed is surveyed',
);

function unclearFor({ run }: MappedItem): Failure {
	const message = 'may say that the person does not want surveys';
	return Failure.value(
		message,
		run.isAutomatic
			? "Make a column Unsubscribed of it in an Edit Fields node. If it says something else, name it in Options → 'Ignored Columns'"
			: "Map the column 'Unsubscribed', for example to false if it says something else",
	);
}

function fail(item: MappedItem, { column, value }: OptOut, failure: Failure): void {
	item.fail(`Column '${column}'`, value, failure);
}
