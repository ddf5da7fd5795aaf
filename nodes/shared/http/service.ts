import type { IDataObject } from 'n8n-workflow';

import type { RefusedRow } from './failure';

/** What one page of a list says. */
export interface Page {
	rows: IDataObject[];
	/** True for an array without an envelope around it. */
	isBare?: boolean;
	/** How many rows the list has in all, where the answer tells. */
	total?: number;
	/** How many pages, where the answer tells. */
	pages?: number;
	/** The page size that the service granted, where the answer tells. */
	size?: number;
	/** The query of the next page; null where the answer says that there is none. */
	next?: IDataObject | null;
}

/** A known message of the service, and what to do about it. */
export interface Advice {
	words: RegExp;
	advice: string;
	/** The parameters that it may be about; the first one that an operation has is. */
	parameters?: string[];
}

/** What is peculiar to one service; the shared room knows a service only through this. */
export interface Service {
	/** As the user knows it: `Survey A`. */
	name: string;
	/** The credential type that holds its base URL and key. */
	credential: string;
	/** The value of the Authorization header; the credential type says the same to n8n. */
	authorization(apiKey: string): string;
	/** What its paths begin with: users copy it into the base URL, where it is taken off. */
	apiPath: RegExp;
	/** The read by which a credential is tested: a list whose rows have an id and a name. */
	credentialTest: { path: string; rowsKey: string };
	/** The status that a 200's body carries inside, where it tells of a failure. */
	failureInside(body: unknown): number | undefined;
	/** The service's own words in an error body; undefined where it has none. */
	words(body: unknown): string | undefined;
	/** Advice for the service's known messages; the first match counts. */
	advice: Advice[];
	/** What it says of a whole batch: no row of it would be taken. */
	ofWholeBatch?: RegExp;
	/** The rows that a refused batch names. */
	refusedRows(body: unknown): RefusedRow[];
	/** The query that asks for a page; without a size, for one of the service's own. */
	pageQuery(page: number, size?: number): IDataObject;
	/** Whether it can be asked for a size, and so may refuse one. */
	sizesPages?: boolean;
	/** What it says, as a 404, of a list that has no rows. */
	noneFound?: RegExp;
	/** The fields that order a list's rows in time, the best one first. */
	ageFields: readonly string[];
	/** Reads a page whose rows stand under `key`; undefined where the body has another shape. */
	readPage(body: unknown, key: string): Page | undefined;
}
