import { Cache } from '../shared/base/cache';

// Reads from the name of a column whether its values say something of an opt-out. It knows the names that CRMs, email tools and
// people use, in six languages.

/**
 * The meaning that a column's name gives to its values. `flag`: yes means opted out. `presence`: any value means so, such as a date or
 * a reason. `opposite`: it has to be turned around. `consent`, `permission`: no may mean so; 0 too, or it may count something.
 * `similar`: yes may mean so. `mail`: so may it, if it is not about letters. `elsewhere`: about calls, text messages or letters.
 */
type NameKind =
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
	'contact|customer|client|guest|patient|parent|donor|buyer|person|user|lead|member|subscriber|recipient|prospect|account';
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
	'(?:double)?opt(?:ed)?in(?:out)?',
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
		/^hsmarketable|^listunsubscribe(?:post)?$|^followemail|(?:links?|urls?|tokens?|hash|key|pages?|footers?|text|groups?|ids?|rate|percent(?:age)?|counts?|totals?|template|preferences?|deadline|clause|revenue|window)$/,
	],
	['opposite', whole(`(?:${OPPOSITE})${NOISE}`)],
];

// Other names are read by their words: `DoNotUseEmail` is `do not use email`.

const anyOf = (parts: string[]) => `(?:${parts.join('|')})`;

/** Words for what a sender asks people for. */
const TOPIC = anyOf([
	'(?<!voice ?)mail(?!s? address)|survey|nps|csat|marketing|mktg?|newsletter|promo|research|review|feedback',
	'contact(?:eren|er|ar|are|e)?\\b(?!.*\\b(?:employer|reference|tenant|landlord))|be contacted|communicat|solicit|\\binvite\\b',
	'hear from|reach out|in touch|me updated|consent|permission|agreement',
	'umfrag|befrag|werb[eu]|kontakt|anschreiben|einwilligung',
	'courri|enquete|sonder|sollicit|correo|encuesta|publicid|comunica|contat|pesquisa',
	'sondag|benader|nieuwsbrief|toestemming',
]);
const NEGATION = anyOf([
	'not|no|never|don t|stop|cease|skip',
	'(?:block|blacklist|exclude|refuse|decline|withdraw|object|reject|remove|suppress)(?:s|d|e|ed|ion)?',
	'nicht|keine?n?|widerspruch',
	'ne|pas|plus|refus|opposition|(?:rehus|rechaz|recus|rifiut)\\w*|nao|non(?! profit)|niente|blocca|opposizione|exclui(?:r|do)|escludere|remover',
	'niet|geen|bezwaar',
]);
const ENDED = anyOf([
	'suppress\\w*|blocked|disabled|refused|declined|revoked|withdrawn|removed|rejected',
	'nicht|sperre|widerruf\\w*|widerspruch|abbestellt|cancelad[oa]|cancellat[oa]|niet|blokkade',
]);
const SIMILAR = new RegExp(
	[
		'\\bopt(?:e?d|s|ing)? (?:me )?out(?!l)|optout|optedout|opt aus|unsub(?!m|stan)|unsus?cri|uitge?schr|uitschrijf',
		'abmeld|abgemeldet|desabonn|desinscri|desuscri|descadastr|disiscri|afgemeld',
		'\\bde baja|\\bbaja (?:de )?(?:e ?mail|correo|newsletter)|robinsonlist|list[ae] (?:robinson|noire|rouge|negra)',
		'do ?not ?(?:use ?)?(?:e ?mail|survey|market|solicit)|no longer|spam compl|marked.* spam',
		'(?:left|off|from) (?:\\w+ )?(?:mailing )?list',
		`\\b${NEGATION}\\b.*${TOPIC}|donot${TOPIC}`,
		`${TOPIC}.*${ENDED}\\b`,
	].join('|'),
);
const QUESTION = anyOf([
	'\\b(?:may|can|could|would|wants?|wish(?:es)?|happy|willing|agree|keep|stay|notify|prefer|sends?|receiv(?:es?|ing)|contact for)\\b',
	'allow|accept|eligib|includ|consent|permission|opt(?:ed)? ?in\\b|subscri|sign me up|particip|take part|reachable',
	'\\bdarf|durfen|mocht|erwunscht|einwillig|erlaub|zustimm|teilnahme|werbung',
	'souhait|autoris|inscri|podemos|desea|acept|aceit|permit|autoriza|deseja|receb|possiamo|accett|iscri',
	'toestemm|toegestaan|\\bmogen|\\bmag\\b',
]);
const CONSENT = new RegExp(`${QUESTION}.*${TOPIC}|${TOPIC}.*${QUESTION}`);
const ONLY_TOPICS = new RegExp(
	`^(?!(?:contact|requests?)$)(?:${anyOf([
		'(?:survey|nps|csat|permission) status|survey (?:frequency|participant)|marketable|market research|e ?mails?|mailings?|surveys?|nps|csat|satisfaction|marketing|mkt|newsletters?|contact|communications?|solicit(?:ation)?|promotions?|consent|permission|agreement|feedback requests?',
		'umfragen?|kundenzufriedenheitsumfrage|befragung|werbung|kontakt|einwilligung|enquetes?|consentimi?ento|suscri\\w+|inscri\\w+|iscritt[oa]|nieuwsbrief|toestemming',
		'by|via|per|through|me|my|our|the|list|flag|ind|preference|pref|perm|comm|delivery|notifications?|enabled|settings|y n|yes no|ja nein|gdpr|dsgvo|rgpd|lgpd|privacy',
	])} ?)+$`,
);
const OTHER_CHANNEL =
	/(?:sms|\bmms|phone|mobile|telefon\w*|telecopie|telemarketing|messenger|text message|faxe?|whats ?app|call)s?\b|\bpush\b|(?:postal|direct) ?(?:mail|opt)/g;

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
	if (SIMILAR.test(words)) return 'similar';
	if (CONSENT.test(/consent/i.test(path) ? wordsIn(path) : words)) return 'consent';
	return ONLY_TOPICS.test(words) ? 'permission' : 'other';
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
