import type { IDataObject } from 'n8n-workflow';

import type { RefusedRow } from './surveyError';

/** One page of a list. */
export interface Page {
	rows: IDataObject[];
	/** True for an array without an envelope. */
	isBare?: boolean;
	/** The number of rows of the whole list, if the response has it. */
	total?: number;
	/** The number of pages, if the response has it. */
	pages?: number;
	/** The page size that the service granted, if the response has it. */
	size?: number;
	/** The query of the next page; null if the response says that there is none. */
	next?: IDataObject | null;
}

/** A known message of the service, and what to do about it. */
export interface KnownMessage {
	message: RegExp;
	hint: string;
	/** The parameters that it may be about; the first one that an operation has counts. */
	parameters?: string[];
}

/** Returns a known message, as services list them. */
export function known(message: RegExp, hint: string, parameters?: string[]): KnownMessage {
	return { message, hint, parameters };
}

/** Everything that is special about one service. Shared code knows a service only by this. */
export interface Service {
	/** As the user knows it: `Survey A`. */
	name: string;
	/** The credential type that holds its base URL and key. */
	credential: string;
	/** Returns the Authorization header; the credential type gives n8n the same. */
	authorization(apiKey: string): string;
	/** How its paths start. Users copy it into the base URL, from which it is removed. */
	apiPath: RegExp;
	/** The read that tests a credential: a list whose rows have an id and a name. */
	credentialTest: { path: string; rowsKey: string };
	/** Returns the error status that the body of a 200 may hold. */
	embeddedErrorStatus(body: unknown): number | undefined;
	/** Returns the service's own message in an error body, if there is one. */
	messageIn(body: unknown): string | undefined;
	/** What to do about the service's known messages; the first match counts. */
	knownMessages: KnownMessage[];
	/** What to do about an HTTP status, if its message is not known. */
	statusHints?: Partial<Record<number, string>>;
	/** Matches messages about a whole batch: the service would refuse each of its rows. */
	batchWideMessage?: RegExp;
	/** Returns the rows that a refused batch names. */
	refusedRows(body: unknown): RefusedRow[];
	/** Returns the query for a page; without a size, the service uses its own. */
	pageQuery(page: number, size?: number): IDataObject;
	/** True if the service takes a page size, and so may refuse one. */
	acceptsPageSize?: boolean;
	/** Matches the message of a 404 that means an empty list. */
	emptyListMessage?: RegExp;
	/** The fields that order a list's rows in time, the best one first. */
	ageFields: readonly string[];
	/** Reads a page whose rows are in `key`; undefined if the body has another shape. */
	readPage(body: unknown, key: string): Page | undefined;
}
