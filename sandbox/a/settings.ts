import type { CommonSettings } from '../core/dispatch';

/** Ways in which real servers of A differ. The defaults follow the contract. */
export interface SettingsA extends CommonSettings {
	/** The largest page, whatever `limit` asks for. */
	maxLimit: number;
	/** The largest page of companies. */
	maxCompaniesLimit: number;
	/** Sends `page`, `pages`, `limit`, and `total` of feedback as strings. */
	numbersAsText: boolean;
	/** POST customers responds as in the contract, or with an object keyed by email as older servers do. */
	upsertResponse: 'contract' | 'byEmail';
	/** Sends `pages` inside `data` (contract), next to `data`, or not at all. */
	pagesAt: 'data' | 'top' | 'none';
	/** Sends lists without `total`. */
	withoutTotal: boolean;
	/** Sends a customer or feedback by ID in the shape of a list (contract), or as the bare object. */
	singleShape: 'list' | 'bare';
	/** Sends the optional scalars of customers, feedback, and outbox records as null. */
	nullScalars: boolean;
	/** Names the headline of a score after its metric, or `score`. */
	scoreHeadline: 'metric' | 'score';
	/** Lists ignore `page` and `limit`, and come whole. */
	ignoresLimit: boolean;
	/** Sends a customer's properties with label and name (contract), or with the name alone. */
	propertiesBy: 'labelAndName' | 'name';
	/** The response to a campaign that has no feedback. */
	campaignWithoutFeedback: 'emptyList' | 404;
	/** The name by which companies are sorted by industry: the contract shows both. */
	industrySort: 'industryName' | 'companyIndustry';
	/** Sends `personTags` of outbox records as an array. */
	personTagsAsArray: boolean;
	/** Seconds until a survey that was sent is in the outbox. */
	outboxLag: number;
}

/** Changes of the defaults, which stay after a reset. */
export const differencesA: Partial<SettingsA> = {};

export function defaultSettings(): SettingsA {
	return {
		maxLimit: 1000,
		maxCompaniesLimit: 100,
		numbersAsText: false,
		upsertResponse: 'contract',
		pagesAt: 'data',
		withoutTotal: false,
		nullScalars: false,
		singleShape: 'list',
		scoreHeadline: 'metric',
		ignoresLimit: false,
		propertiesBy: 'labelAndName',
		campaignWithoutFeedback: 'emptyList',
		industrySort: 'industryName',
		personTagsAsArray: false,
		outboxLag: 0,
		errors: 'contract',
		timesWithoutZone: false,
		idsAsText: false,
		successes: 'rest',
		validationStatus: 400,
		lowercaseEmails: false,
		afterListRequest: undefined,
		rateLimit: undefined,
		...differencesA,
	};
}
