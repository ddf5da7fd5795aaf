import type { IDataObject } from 'n8n-workflow';

import { Cache } from '../shared/base/cache';
import { Failure } from '../shared/base/failure';
import { isObject } from '../shared/base/json';
import { isBlank } from '../shared/base/text';
import { isDateObject } from '../shared/fields/dates';
import type { MappedItem } from '../shared/mapping/mappedItem';

// Reads from a row whether its person opted out, under the names that CRMs, email tools and people use. Laws on email make a
// survey to somebody who said no the worst thing that a send can do, so every column of the row is looked at, mapped or not.

/** The cell by which a row says something of an opt-out. */
interface OptOut {
	/** The name of its column, with those above it: `properties.hs_email_optout`. */
	column: string;
	value: unknown;
	/** `unreadable`: the name is clear and the value is not. `unclear`: the column may say so, or says the opposite. */
	says: 'optedOut' | 'notOptedOut' | 'unreadable' | 'unclear';
}

/**
 * What the name of a column says about its values. `flag`: yes means opted out. `presence`: any value means so, such as a date or
 * a reason. `channel`: yes is an opt-out from calls, letters or the like. `permission`: no may mean so. `unclear`: similar, or the
 * opposite.
 */
type NameKind = 'flag' | 'presence' | 'channel' | 'permission' | 'unclear' | 'other';

// Names are compared without case, spaces, marks and digits: `hs_email_optout_10470337` is `hsemailoptout`.

const PERSON =
	'contact|customer|client|buyer|person|user|lead|member|subscriber|recipient|prospect|account';
const MAILING =
	'e?mails?|emailaddress|mailings?|marketing|commercial|communications?|messages?|surveys?|nps|csat|feedback|bulk|mass';
const FILLER =
	'is|has|have|was|do|we|hs|pi|pardot|gdpr|hard|the|my|global(?:ly)?|all|any|from|of|to|for|in|by|via|please|flag|status|state|value|field|c';
const NOISE = `(?:${PERSON}|${MAILING}|${FILLER})*`;

const NOT = '(?:i?(?:donot|dont|doesnot)(?:allow|want|wish)?(?:to)?(?:be|get|receive)?)';
const MAIL = '(?:surveys?|e?mails?|marketing|nps|csat)';
/** German, French, Spanish and Portuguese, Italian, Dutch. */
const IN_OTHER_LANGUAGES = [
	'abgemeldet|abbestellt|kein(?:e|en)?(?:newsletter|werbung|e?mails?|umfragen?|kontakt)|werbesperre',
	'(?:desabonne|desinscrit)e?s?|nepascontacter',
	'dadodebaja|desuscrito|nocontactar|descadastrad[oa]|desinscrito',
	'disiscritt[oa]|noncontattare',
	'uitgeschreven|afgemeld|nietmailen',
].join('|');
const OPTED_OUT = [
	'opt(?:ed|s|ing)?out',
	'un?-?subscri(?:be[ds]?|ption)',
	'unsubs?',
	`${NOT}(?:${MAILING}|contact(?:ed)?|mail(?:ed)?|market(?:ed)?|send|disturb(?:ed)?|surveyed|solicit)+`,
	'dn[ced]',
	'never(?:contact|e?mail|survey)',
	'nottobe(?:contacted|e?mailed|surveyed)',
	'(?:wants)?no(?:more)?(?:mass|bulk)?(?:surveys?|e?mails?|contact|mailings?|marketing|nps)',
	'(?:black|block|deny)list(?:ed)?',
	'suppress(?:ed|ion(?:list)?)?',
	`exclu(?:de[ds]?|sion)from(?:${MAIL}|campaigns)`,
	`${MAIL}(?:exclu(?:ded?|sion)|block(?:ed)?|refused|declined|disabled|muted|stopped|suspended|paused|onhold|ineligible)`,
	`(?:refuse[ds]?|decline[ds]?|disabled?|muted?|stop(?:ped)?|suspend(?:ed)?|paused?|ineligiblefor)${MAIL}`,
	'object(?:ed|s|ion)?to(?:processing|contact|surveys?|marketing)|(?:data)?processingobjection|donotprocess',
	IN_OTHER_LANGUAGES,
].join('|');
const OPPOSITE = [
	'subscribed?',
	'(?:double)?opt(?:ed)?in',
	'consent(?:ed|given)?',
	'einwilligung|consentement|consentimiento|consenso',
	'accepts?(?:marketing|e?mails?|surveys?)',
	'allows?(?:e?mails?|marketing|surveys?|contact)',
	'(?:can|may)(?:we|be)?(?:e?mail(?:ed)?|contact(?:ed)?|survey(?:ed)?)',
	'(?:contact|e?mail|survey)able',
	`(?:wants?|receives?)(?:${MAIL}|feedbackrequests?)`,
	'ok(?:ay)?to(?:contact|e?mail|survey)',
	`(?:${MAIL}|contact)(?:is|are)?(?:allowed|ok|permi(?:tted|ssion))`,
	'permissionto(?:contact|e?mail|survey)',
	'marketing(?:status|state)',
].join('|');
const PERMISSION = [
	`(?:send|eligiblefor|include[ds]?in|participatesin)${MAIL}`,
	`${MAIL}(?:is|are)?(?:enabled|eligible|subscription|participa(?:nt|tes|tion)|frequency)`,
	'(?:survey|nps|csat)status|marketable(?:status)?',
	'(?:surveys|surveye?mails|feedbackrequests|e?mailnotifications)',
	'permission(?:status)?',
].join('|');
const CHANNEL =
	'fax|phone|calls?|calling|sms|texts?|mobile|whatsapp|postal(?:mail)?|post|letters?|push|sendmm|profiling|tracking|sale|sharing';

const whole = (pattern: string) => new RegExp(`^${NOISE}(?:${pattern})$`);

const KINDS: Array<[kind: NameKind, form: RegExp]> = [
	['flag', whole(`(?:${OPTED_OUT})${NOISE}`)],
	[
		'presence',
		whole(
			`(?:${OPTED_OUT})${NOISE}(?:at|on|date|day|time|datetime|timestamp|since|reason|mode|method|source|campaign(?:title)?)`,
		),
	],
	['channel', whole(`${NOT}(?:${CHANNEL})|(?:${CHANNEL})${NOISE}(?:${OPTED_OUT})`)],
	['channel', whole(`(?:${OPTED_OUT})${NOISE}(?:${CHANNEL})`)],
	[
		'other',
		/(?:links?|urls?|tokens?|hash|key|pages?|footers?|text|groups?|ids?|rate|percent(?:age)?|counts?|totals?|template|preferences?)$/,
	],
	['unclear', whole(`(?:${OPPOSITE})${NOISE}`)],
	['permission', whole(PERMISSION)],
	['unclear', /opt(?:ed)?out(?!l)|unsubscri|donot(?:contact|e?mail|survey)/],
];

/** Kinds by name. Rows of one source have the same names. */
const kinds = new Cache<NameKind>(5000);

/** Texts that say so in whichever column they are, such as a status or one of several tags. */
const OPTED_OUT_TEXT =
	/(?:^|[,;|]\s*)(?:un-?subscribed?|opt(?:ed)?[-_ ]?out|do[-_ ]?not[-_ ](?:contact|e-?mail|mail|survey|disturb|allow|send)|no[-_ ](?:more[-_ ])?(?:surveys?|e-?mails?)(?:[-_ ]please)?|suppressed|(?:black|block|deny)-?listed|abgemeldet|desabonnee?|desinscrit[eo]?)(?: (?:from|of) [^,;|]+)?(?:$|\s*[,;|])/i;

/** Texts that may mean so in every column that is not about another channel. */
const NOT_SUBSCRIBED_TEXT = /^(?:non|not|never)[-_ ]?subscribed$/i;
const OTHER_CHANNEL = /sms|mms|phone|mobile|whatsapp|fax|push/i;

/** Texts that say the opposite in whichever column they are. */
const SUBSCRIBED_TEXT = /^(?:subscribed|re-?subscribed|active|allow(?:ed)?|opt(?:ed)?[-_ ]?in)$/i;

const YES =
	/^(?:true|t|yes|y|1|x|on|checked|✓|✔|☑|ja|oui|si|sim|wahr|vrai|verdadero|verdadeiro|vero|waar)$/i;
const NO =
	/^(?:false|f|no|n|0|off|unchecked|none|never|n\/a|null|undefined|-|☐|nein|non|nao|nee|falsch|faux|falso|onwaar)$/i;

/** Texts that refuse, where a number would count something. */
const REFUSED =
	/^(?:false|f|no|n|off|disabled|inactive|denied|declined|refused|excluded|revoked|withdrawn|never|nein|non|nao|nee|falsch|faux|falso|onwaar)$/i;

/** Longer texts and names are not compared. */
const LONGEST_TEXT = 40;
const LONGEST_NAME = 80;

/** The objects inside a row that are looked at: HubSpot, Salesforce and Klaviyo return records of several levels. */
const MOST_LEVELS = 5;
const MOST_ENTRIES = 2000;

/** Returns the cells of a row that say something of an opt-out, also those inside its objects. */
function optOutsIn(row: IDataObject): OptOut[] {
	const found: OptOut[] = [];
	let left = MOST_ENTRIES;
	const look = (name: string, value: unknown, path: string, level: number) => {
		if (--left < 0) return;
		const before = found.length;
		if (level < MOST_LEVELS) {
			for (const [inside, one] of entriesIn(name, value)) {
				look(inside, one, inside === name ? path : `${path}.${inside}`, level + 1);
			}
		}
		const isSaid = found.length > before;
		const says = isSaid ? undefined : sayingOf(name, value);
		if (says) found.push({ column: path, value, says });
	};
	for (const name in row) look(name, row[name], name, 1);
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
const VALUE_NAMES = new Set(['value', 'state', 'status']);

/** Returns the named values inside a value: of an object, of lists of labels and values, and the texts of a list. */
function entriesIn(name: string, value: unknown): Array<[name: string, value: unknown]> {
	if (Array.isArray(value)) return value.flatMap((entry) => entriesOf(name, entry, value.length));
	if (!isObject(value) || isDateObject(value)) return [];
	return Object.entries(value).map(([key, one]) => [VALUE_NAMES.has(key) ? name : key, one]);
}

/** A list of several objects may be of several people: only those of labels and values are of this one. */
function entriesOf(name: string, entry: unknown, length: number): Array<[string, unknown]> {
	if (!isObject(entry)) return [[name, entry]];
	const label = entry.label ?? entry.name ?? entry.key ?? entry.property;
	if (typeof label === 'string' && 'value' in entry) return [[label, entry.value]];
	return length === 1 ? Object.entries(entry) : [];
}

function sayingOf(name: string, value: unknown): OptOut['says'] | undefined {
	if (isBlank(value)) return undefined;
	const text = textOf(value);
	if (OPTED_OUT_TEXT.test(text)) return 'optedOut';
	if (NOT_SUBSCRIBED_TEXT.test(text) && !OTHER_CHANNEL.test(name)) return 'unclear';
	const kind = kindOf(name);
	if (kind === 'other') return undefined;
	if (isNested(value)) return kind === 'flag' ? 'unreadable' : undefined;
	// An active suppression is the opposite of an active subscription.
	const isNo = NO.test(text) || (SUBSCRIBED_TEXT.test(text) && !/^active$/i.test(text));
	switch (kind) {
		case 'presence':
			return isNo ? 'notOptedOut' : 'optedOut';
		case 'unclear':
			return SUBSCRIBED_TEXT.test(text) ? undefined : 'unclear';
		case 'permission':
			return REFUSED.test(text) ? 'unclear' : undefined;
		case 'channel':
			return isNo ? undefined : 'unclear';
		case 'flag':
			if (YES.test(text)) return 'optedOut';
			return isNo ? 'notOptedOut' : 'unreadable';
	}
}

function textOf(value: unknown): string {
	if (isNested(value)) return '';
	const text = typeof value === 'string' ? value.trim() : String(value);
	return text.length > LONGEST_TEXT ? '' : withoutAccents(text);
}

function withoutAccents(text: string): string {
	return text.normalize('NFD').replace(/\p{Mark}/gu, '');
}

function kindOf(name: string): NameKind {
	return kinds.of(name, () => {
		// `No. of contacts` counts them.
		if (/\bno\.|\bnr\.?\b|#/i.test(name)) return 'other';
		const key = withoutAccents(name)
			.replace(/__c$/i, '')
			.toLowerCase()
			.replace(/[^a-z]/g, '')
			.slice(-LONGEST_NAME);
		return KINDS.find(([, form]) => form.test(key))?.[0] ?? 'other';
	});
}

/**
 * Reads from an item whether its person opted out. One column that says so is enough, whatever others say. What is unclear
 * fails the item, unless another column says it.
 *
 * @returns the cell that decides; undefined if the item says nothing
 */
export function readOptOut(item: MappedItem): OptOut | undefined {
	const said = item.inputs.flatMap(optOutsIn);
	const optedOut = said.find(({ says }) => says === 'optedOut');
	if (optedOut) return optedOut;
	const unreadable = said.filter(({ says }) => says === 'unreadable');
	const stated = said.find(({ says }) => says === 'notOptedOut');
	const unclear = stated ? [] : said.filter(({ says }) => says === 'unclear');
	for (const cell of unreadable) fail(item, cell, UNREADABLE);
	for (const cell of unclear)
		if (!item.run.isIgnored(cell.column)) fail(item, cell, unclearFor(item));
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
