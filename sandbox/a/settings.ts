import type { CommonSettings } from '../core/dispatch';

/** What real servers of A do differently from each other. The defaults are the contract's letter. */
export interface SettingsA extends CommonSettings {
	/** The largest page that is granted, whatever `limit` asks for. */
	maxLimit: number;
	/** The same for companies. */
	maxCompaniesLimit: number;
	/** `page`, `pages`, `limit` and `total` of feedback come as text. */
	numbersAsText: boolean;
	/** POST customers answers as in the contract, or keyed by address as older servers do. */
	answerShape: 'contract' | 'byEmail';
	/** Where `pages` stands: inside `data` (contract), beside it, or nowhere. */
	pagesAt: 'data' | 'top' | 'none';
	/** One customer or feedback by id comes in the shape of the list (contract), or bare. */
	singleShape: 'list' | 'bare';
	/** The headline of a score is named as its metric, or `score`. */
	scoreHeadline: 'metric' | 'score';
	/** The outbox's `personTags` comes as an array. */
	personTagsAsArray: boolean;
}

export function defaultSettings(): SettingsA {
	return {
		maxLimit: 1000,
		maxCompaniesLimit: 100,
		numbersAsText: false,
		answerShape: 'contract',
		pagesAt: 'data',
		singleShape: 'list',
		scoreHeadline: 'metric',
		personTagsAsArray: false,
		afterListRequest: undefined,
		rateLimit: undefined,
	};
}
