import { CommonSettings } from '../core/settings';

/** Changes of the defaults, which stay after a reset. */
export const differencesA: Partial<SettingsA> = {};

/** Ways in which real servers of A differ. The defaults follow the contract. */
export class SettingsA extends CommonSettings {
	/** The largest page, whatever `limit` asks for. */
	maxLimit = 1000;

	/** The largest page of companies. */
	maxCompaniesLimit = 100;

	/** Sends `page`, `pages`, `limit`, and `total` of feedback as strings. */
	numbersAsText = false;

	/** Sends `pages` inside `data` (contract), next to `data`, or not at all. */
	pagesAt: 'data' | 'top' | 'none' = 'data';

	/** Sends the optional scalars of customers, feedback, and outbox records as null. */
	nullScalars = false;

	/** Names the headline of a score after its metric, or `score`. */
	scoreHeadline: 'metric' | 'score' = 'metric';

	/** Lists ignore `page` and `limit`, and come whole. */
	ignoresLimit = false;

	/** Sends a customer's properties with label and name (contract), or with the name alone. */
	propertiesBy: 'labelAndName' | 'name' = 'labelAndName';

	/** The response to a campaign that has no feedback. */
	campaignWithoutFeedback: 'emptyList' | 404 = 'emptyList';

	/** The name by which companies are sorted by industry: the contract shows both. */
	industrySort: 'industryName' | 'companyIndustry' = 'industryName';

	/** Sends `personTags` of outbox records as an array. */
	personTagsAsArray = false;

	/** Seconds until a survey that was sent is in the outbox. */
	outboxLag = 0;
}
