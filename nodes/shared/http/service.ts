import type { IDataObject } from 'n8n-workflow';

import type { Code } from '../base/codes';
import { isObject } from '../base/json';
import type { BodyReader } from '../base/json';

export interface Page {
	records: IDataObject[];
	/** The number of records in the whole list, if the response has it. */
	total?: number;
	/** The number of pages, if the response has it. */
	pages?: number;
	/** The most records of a page, if the response says so. */
	size?: number;
	/** The query of the next page; null if the response says that there is none. */
	next?: IDataObject | null;
}

export interface ItemResult {
	/** The item's key as the service wrote it: an email address, or its position in the request; '' for none. */
	key: string | number;
	isDone: boolean;
	reason: string;
}

/** Everything that is special about one service. Shared code knows a service only by this. */
export interface Service {
	name: string;
	/** The credential type that holds its base URL and key. */
	credential: string;
	authorization(apiKey: string): string;
	/** The start of its paths. It is removed from the base URL, because users copy it there. */
	apiPath: RegExp;
	/** The read that tests a credential: a list whose records have an id and a name. */
	credentialTest: { path: string; recordsKey?: string };
	/** The error in the body of a 200, with its status if it gives one. */
	embeddedError?(body: unknown): { status?: number } | undefined;
	messageIn(body: unknown): string | undefined;
	/** The service's known messages, each with what to do about it, and maybe a code; the first match counts. */
	knownMessages?: Array<[message: RegExp, hint: string, code?: Code]>;
	/** Matches messages of a 403 about the account, which ends the run; all do by default. Others fail their item. */
	accountMessage?: RegExp;
	/** Matches messages about what the items of a group share, such as their campaign: the service would refuse each of them. */
	groupMessage?: RegExp;
	itemResults?(body: unknown): ItemResult[];
	/** Without a size, the service uses its own. */
	pageQuery(page: number, size?: number): IDataObject;
	/** True if the service takes a page size, and so may refuse one. */
	acceptsPageSize?: boolean;
	/** Reads a page whose records are in `key`, the list's `recordsKey` or ''; undefined if the body has another shape. */
	readPage(body: unknown, key: string): Page | undefined;
}

/** Workflows branch by the code. */
export function knownFor({ knownMessages = [] }: Service, message: string) {
	const [, hint, code] = knownMessages.find(([pattern]) => pattern.test(message)) ?? [];
	return { hint, code };
}

/**
 * Returns what reads the records of a list, or one of its records, bare or in `data`.
 *
 * @param names fields of which every record has one
 */
export function recordsIn(service: Service, names: string[], key = ''): BodyReader<IDataObject[]> {
	return (body) => {
		const page = service.readPage(body, key);
		const places = isObject(body) ? [body.data, body] : [];
		const record = places.filter(isObject).find((place) => names.some((name) => name in place));
		return page?.records ?? (record && [record]);
	};
}
