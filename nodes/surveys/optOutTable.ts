// The names and texts by which systems say that a person wants no mail, from the documentation of products and from sheets of
// customers. docs/opt-outs.md prints them. A new one is an entry here, never a pattern. `*` stands for each of the topics.

export const TOPICS = `
	email, emails, mails, survey, surveys, nps, csat, marketing, newsletter, newsletters, contact, communications, campaigns,
	mailings, feedback, email marketing, marketing emails, marketing mails, promotional emails, email contact, conversations`;

/** Names of columns, by what their values mean. The last list that has a name counts. */
export const NAMES = {
	/** A value of `VALUES` or `TEXTS` that says no means not agreed. Yes and blank say nothing. */
	consent: `
		consent, consented, consent given, * consent, research consent, consent to *, consent *, consent status, opt in, opted in,
		* opt in, * opted in, subscribed, * subscribed, subscribed to *, * subscription, accepts *, accept *, receive *, receives *,
		wants *, send *, send marketing materials, allow *, * allowed, * ok, * permission, permission to *, * enabled, * eligible,
		include in *, agreed to receive *, can *, can receive *, marketing emails, can be contacted, can be surveyed, newsletter,
		can we * you, may we contact, may we * you, may *, ok to *, okay to *, happy to be contacted, contactable, mailable,
		emailable, surveyable, reachable by email, agrees to contact, agreed to surveys, email notifications,
		receives review requests, market research, marketingmaterialien senden, einwilligung, einwilligung *, einwilligung umfrage,
		einverstandnis, umfragen erlaubt, befragung erlaubt, werbung erlaubt, darf kontaktiert werden, consentement,
		accepte les emails, consentimiento, acepta publicidad, consentimento, consenso, consenso marketing, toestemming, permission,
		permission status, contact by email, contact through email, accepts dit email marketing, mkt opt in, einwilligung werbung,
		werbeeinwilligung, join mailing list, subscribed for *, accepts product review abandoned cart emails`,
	/** Yes means opted out. A date behind it means something else: `No Contact Since`. */
	no: `
		do not *, dont *, do not send *, dont send *, do not bulk *, do not allow *, do not allow bulk *, do not send mm,
		do not market, do not disturb, dnd, do not process, dnc, * dnc, email is ineligible, marked email as spam,
		email delivery disabled,
		* disabled, no email, no emails, no mails, no mailings, no survey, no surveys, no nps, no csat, no marketing,
		no marketing emails, no newsletter, no newsletters, no contact, no communications, no more *, no bulk *, never *, stop *,
		skip *, suppress *, suppress sending, * suppression, suppression list, black list, block *, exclude from *, excluded from *,
		exclude from nps survey, * excluded, e mails nicht zulassen, von allen e mails abgemeldet, keine umfragen, keine e mails,
		keine werbung, kein newsletter, werbesperre, kontaktsperre, e mail sperre, mailsperre, nicht kontaktieren, widersprochen,
		robinsonliste, ne pas autoriser les courriers electroniques, ne pas contacter, ne plus contacter,
		desabonne de tous les e mails, no permitir correo electronico, no contactar, no enviar, rehusar email, nao contatar,
		nao enviar, non consentire invio di messaggi e mail, non contattare, non inviare, e mail niet toestaan, niet mailen,
		niet benaderen, black list email, no mass email, requests no email, * exclusion, refuses *, objected to processing,
		keine werbung senden`,
	/** Yes means opted out. With one of `WORDS.behind` behind it, any value does. */
	optedOut: `
		opted out, opt out, opted out of *, opt out of *, opt out *, * opt out, * opted out, opted out solicit, opted out processing,
		unsubscribed, unsubscribe, unsub, unsubscribed from *, unsubscribe from *, unsubscribed from all *, * unsubscribed,
		* unsubscribe, unsubscribe all, unsubscribed all, global unsubscribe, global unsubscribed, globally unsubscribed,
		directory unsubscribed, mailing list unsubscribed, suppressed, * suppressed, blacklisted, blocklisted, * blacklisted,
		* blocklisted, marketing suspended, msdyn gdpr opt out, consent revoked, consent withdrawn, marketing consent withdrawn,
		abgemeldet, newsletter abbestellt, desabonne, desinscrit, dado de baja, descadastrado, disiscritto, uitgeschreven, afgemeld,
		dado de baja del boletin`,
	/** Any value means opted out, but no. */
	any: `
		unsub campaign title, unsubscribed mode, email optout survey reason, reason for opting out of email, email suppressions,
		suppressions, suppression reason, email suppression reason, suppression lists, unsubscribed channel ids,
		unsubscribed message type ids, opted out subscription types, unsubscribed from, abmeldung, desabonnement, desinscription`,
	/** Only a text of `TEXTS` counts, also as one of several tags. */
	status: `
		status, state, stage, * status, * state, person marketing status, subscription status, subscriber status,
		email subscriber status, email subscription status, global subscription status, member status, lead status, outreach status,
		email marketing state, email subscribe, subscription, permission to send, preference, * preference,
		preferred contact method, lifecycle, contact type, email interest type, opt out status, opt in status, unsubscribe status,
		communication restrictions, estado,
		statut, stato, data processing basis, event, event type, notification type, record type, type, tags, tag, labels, label`,
};

/** Values inside objects, by their paths from the object with the address, and the kind of their names. */
export const PATHS: Record<string, keyof typeof NAMES> = {
	'subscriptions.email.marketing.consent': 'status',
	'subscriptions.email.marketing.can_receive_email_marketing': 'consent',
	'subscriptions.email.marketing.suppression': 'any',
	'email_marketing_consent.state': 'status',
	'emailMarketingConsent.marketingState': 'status',
	'consent.promotions': 'status',
	'opted_out_subscription_types.data': 'any',
	'event-data.event': 'status',
	'Data_Processing_Basis_Details.Contact_Through_Email': 'consent',
	'detailedStatus.isOptedOut': 'optedOut',
	// Of people whom Send skipped, also if their row failed since then.
	'details.code': 'status',
	'details.row.details.code': 'status',
};

/** Texts of a status, of tags, or of a consent. */
export const TEXTS = {
	optedOut: `
		unsubscribed, unsubscribe, unsub, unsubscribed *, unsubscribed from all email, unsubscribed from all emails, * unsubscribed,
		list unsubscribe, link unsubscribe, group unsubscribe, opted out, opt out, confirmed opt out, soft opt out, opted out *,
		opted out of *, * opt out, opt out *, * opted out, gdpr opt out, suppressed, user suppressed, blacklisted, blocklisted,
		do not *, dont *, dnc, no email, no emails, no mails, no mailings, no survey, no surveys, no nps, no csat, no marketing,
		no newsletter, no newsletters, no communications, no more *, never *, exclude *, exclude from *, * excluded, skip *,
		declined surveys, consent withdrawn, withdrawn consent, consent revoked, consent declined, complained, complaint,
		spam complaint, spam report, reported as spam, abgemeldet, desabonne, desinscrit, dado de baja, descadastrado, disiscritto,
		uitgeschreven, nicht kontaktieren, ne pas contacter`,
	notAgreed: `
		not subscribed, never subscribed, non subscribed, no consent, no contact, redacted, revoked, not agreed, not opted in,
		no opt in, not consented`,
};

/** Values, by their meaning. */
export const VALUES = {
	/** Whatever has the shape of a date is a yes, too. */
	yes: `
		true, t, yes, y, 1, 1.0, x, on, checked, ✓, ✔, ☑, all, yes please, ja, oui, si, sim, wahr, vrai, verdadero, verdadeiro, vero, waar`,
	no: `
		false, f, no, n, 0, 0.0, off, unchecked, ☐, nein, non, nao, nee, nej, nei, ei, nie, nem, hayır, нет, ні, όχι, いいえ, falsch,
		faux, falso, onwaar`,
	blank: `none, not yet, null, undefined, n/a, n.a., #n/a, -, –, —, 0000-00-00, 0001-01-01`,
	/** In an opt-out they mean yes, in a consent no. */
	forbids: `
		do not allow, do not send, nicht zulassen, nicht senden, ne pas autoriser, no permitir, niet toestaan`,
	/** In an opt-out they mean no, in a consent yes. */
	allows: `
		allow, send, subscribed, opted in, not opted out, not unsubscribed, zulassen, senden, autoriser, permitir, toestaan`,
	/** In a consent they mean no. */
	refuses: `
		never, no thanks, denied, declined, refused, revoked, withdrawn, not allowed, not given, abgelehnt, widerrufen, revogado,
		disabled, excluded, rejected, objected, disagree, disagreed, does not consent, not permitted, not granted, no permission, ne,
		verweigert, widersprochen, nicht erteilt, refuse, rechazado, denegado, rifiutato, negato, recusado, geweigerd, ingetrokken`,
};

/** Objects about the person whose address is in them, or in the object around them. */
export const PERSONS = `
	contact, customer, person, lead, user, subscriber, profile, member, recipient, requester, individual, properties, attributes,
	fields, custom fields, user fields, custom attributes, custom, metadata, merge fields, data fields, preferences,
	contact preferences, communication preferences, privacy, settings, default email address, extension attributes`;

/** A name with these words that is in no list may say no. */
export const MAY_SAY_NO = `opt out, opted out, unsubscribe, do not contact, do not email, do not survey`;

export const WORDS = {
	/** Words in front of a name that add nothing. */
	inFront: `
		is, has, was, have, hs, cf, p, my, the, last, please, property, customer, contact, person, user, lead, member, pi, pardot,
		gdpr, hard, client, buyer, custentity, dsgvo, rgpd, lgpd`,
	/** Words behind a name that say when or why. */
	behind: `at, on, by, date, time, datetime, timestamp, day, since, reason, source, method, am, op`,
	/** Columns whose records are addresses of one person. A list of people has another name. */
	ofAddresses: `email, emails, email address, email addresses, primary email, work email`,
	/** A name with one of these words is about another matter. */
	ofOther: `
		sms, mms, text, phone, call, calls, fax, push, whatsapp, whats, voice, mobile, postal, letter, tracking, sale, enrichment,
		profiling, analytics, ads, cookies, audit, rewards, link, links, url, token, count, total, rate, clicks, deadline, region,
		topics, renew, renewal, arbitration, insurance, pension, owner, agent, assignee, manager, organizer, sender`,
};
