import { Cache } from '../shared/base/cache';

// What the name of a column says of an opt-out: under the names that CRMs, email tools and people use, in six languages.

/**
 * What the name of a column says about its values. `flag`: yes means opted out. `presence`: any value means so, such as a date or
 * a reason. `opposite`: it has to be turned around. `consent`, `permission`: no may mean so; 0 too, or it may count something.
 * `similar`: yes may mean so. `mail`: so may it, if it is not about letters. `elsewhere`: about calls, text messages or letters.
 */
export type NameKind =
	| 'flag'
	| 'presence'
	| 'opposite'
	| 'consent'
	| 'permission'
	| 'similar'
	| 'mail'
	| 'elsewhere'
	| 'other';

// Clear names are compared without case, spaces, marks and digits: `hs_email_optout_10470337` is `hsemailoptout`.

const PERSON =
	'contact|customer|client|buyer|person|user|lead|member|subscriber|recipient|prospect|account';
const MAILING =
	'e?mails?|emailaddress|mailings?|marketing|commercial|communications?|messages?|surveys?|nps|csat|feedback|bulk|mass';
const FILLER =
	'is|has|have|was|do|we|hs|pi|pardot|gdpr|hard|the|my|global(?:ly)?|all|any|from|of|to|for|in|by|via|please|you|us|flag|flg|status|state|value|field|c';
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
	`${NOT}(?:${MAILING}|contact(?:ed)?|mail(?:ed)?|market(?:ed)?|send(?:mm)?|disturb(?:ed)?|surveyed|solicit)+`,
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
	'(?:surveys|surveye?mails|feedbackrequests|e?mailnotifications|marketresearch)',
	'permission(?:status)?',
].join('|');

const whole = (pattern: string) => new RegExp(`^${NOISE}(?:${pattern})$`);

const CLEAR_NAMES: Array<[kind: NameKind, form: RegExp]> = [
	['mail', whole(`(?:${NOT}|no|suppress)(?:bulk)?mails?${NOISE}`)],
	['flag', whole(`(?:${OPTED_OUT})${NOISE}`)],
	[
		'presence',
		whole(
			`(?:${OPTED_OUT})${NOISE}(?:at|on|date|day|time|datetime|timestamp|since|reason|mode|method|source|campaign(?:title)?)`,
		),
	],
	[
		'other',
		/^hsmarketable|^listunsubscribe(?:post)?$|^followemail|(?:links?|urls?|tokens?|hash|key|pages?|footers?|text|groups?|ids?|rate|percent(?:age)?|counts?|totals?|template|preferences?)$/,
	],
	['opposite', whole(`(?:${OPPOSITE})${NOISE}`)],
	['permission', whole(PERMISSION)],
];

// Other names are read by their words: `DoNotUseEmail` is `do not use email`.

const TOPIC =
	/mail|survey|nps|csat|marketing|feedback|research|review|promo|umfrag|befrag|\bwerb[eu]|kontakt|courri|corre[oi]|enquete|sondag|encuesta|pesquisa|publicid|contat|benader/;
const SIMILAR = new RegExp(
	[
		'optout|optedout|\\bopt(?:ed)? (?:out|aus)\\b|unsub',
		'do ?not ?(?:use ?)?(?:contact|e ?mail|survey|market)|no longer (?:contact|e ?mail|survey)',
		'suppress.*mail|exclu(?:ded?|sion)\\b.* (?:survey|nps|csat)|\\bno e ?mail|remove from mailing',
		'spam compl|marked.* spam',
		'abmeld|abgemeldet|desabonn|desinscri|desuscri|descadastr|disiscri|uitge?schr|uitschrijf|afgemeld',
		'\\bd(?:ad[oa]|io|iero) de baja|baja e ?mail',
	].join('|'),
);
const REFUSAL_IN_OTHER_LANGUAGES =
	/\b(?:nicht|keine?n?|\w*sperre?|widerspruch|ne (?:pas|plus)|(?:refus|rehus|recus|rechaz|rifiut)\w*|no (?:permitir|enviar|desea|recibir)|nao|non (?:consent|vuole|invi|contatt|desider|ricev)\w*|blocca|cancellato|cancelado|opposizione|niet|geen)\b/;
const CONSENT =
	/opt(?:ed)? ?in\b|consent|permission|permitt|allow|accept|acept|aceit|agree|einwillig|erlaub|zustimm|\bwerbung|autoris|toestemming|\bmag\b/;
const SENDING =
	/\b(?:sends?|receives?|contact for)\b.*(?:survey|nps|csat|marketing|promo|review|research)|(?:survey|research).* participa/;
const OTHER_CHANNEL =
	/(?:sms|\bmms|phone|mobile|telefon\w*|telecopie|faxe?|whatsapp|call)s?\b|\bpush\b|(?:postal|direct) ?mail/g;

/** Of longer names, the end is compared. */
const LONGEST_NAME = 80;

/** Kinds by path. Rows of one source have the same ones. */
const kinds = new Cache<NameKind>(5000);

/** Returns what the name of a column says about its values. @param path the name, and those above it */
export function kindOf(name: string, path = name): NameKind {
	return kinds.of(path, () => {
		// `No. of contacts` counts them.
		if (/\bno\.|\bnr\.?\b|#/i.test(name)) return 'other';
		if (isOfOtherChannel(path)) return 'elsewhere';
		const key = wordsIn(name.replace(/^[a-z\d]+__|__c$/gi, ''))
			.replace(/ /g, '')
			.slice(-LONGEST_NAME);
		return CLEAR_NAMES.find(([, form]) => form.test(key))?.[0] ?? kindByWords(name, path);
	});
}

function kindByWords(name: string, path: string): NameKind {
	const words = wordsIn(name).slice(-LONGEST_NAME);
	const isOnTopic = TOPIC.test(words);
	const isRefusal =
		REFUSAL_IN_OTHER_LANGUAGES.test(words) && (isOnTopic || words.includes('contact'));
	if (isRefusal || SIMILAR.test(words)) return 'similar';
	const where = wordsIn(path);
	const isConsent = CONSENT.test(words) ? isOnTopic : /consent/.test(where) && TOPIC.test(where);
	if (isConsent) return 'consent';
	return SENDING.test(words) ? 'permission' : 'other';
}

/** Returns whether a column is about calls, text messages or letters, and not about emails, too. */
function isOfOtherChannel(path: string): boolean {
	const words = wordsIn(path).slice(-LONGEST_NAME);
	const rest = words.replace(OTHER_CHANNEL, '');
	return rest !== words && !/mail|survey|nps|csat/.test(rest);
}

/** Returns the words of a text without accents and digits: `ne plus contacter` of `Ne_plus_contacter`. */
function wordsIn(text: string): string {
	return withoutAccents(text)
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.toLowerCase()
		.replace(/[^a-z]+/g, ' ')
		.trim();
}

/** Returns a text with plain letters: `e` for `é`. */
export function withoutAccents(text: string): string {
	return text.normalize('NFD').replace(/\p{Mark}/gu, '');
}
