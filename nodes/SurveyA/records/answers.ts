import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { normalizeEmail } from '../../shared/parameters/emails';
import { Failure } from '../../shared/http/failure';
import { anyObject, isObject } from '../../shared/http/json';
import { brief } from '../../shared/http/brief';
import { adviceFor } from '../../shared/http/messages';
import { surveyA, wordsIn } from '../service';

// How answers of Survey A are read: in the contract's form, and in the older ones that servers have.

const ENVELOPE = ['code', 'message', 'data', 'success', 'status'];

function isEnvelope(body: IDataObject): boolean {
	return ENVELOPE.some((name) => name in body);
}

/** A 200 that only confirms. */
export const envelope = anyObject.refine(isEnvelope);

/**
 * The answer to a get by ID: a list of one, as the contract has it, or the bare record.
 *
 * @param key the name of the list
 * @param idName what every record has
 */
export function recordsIn(key: string, idName = 'id') {
	return z.unknown().transform((body, context): IDataObject[] => {
		const rows = surveyA.readPage(body, key)?.rows ?? bareRecord(body, idName);
		if (rows === undefined) context.addIssue({ code: 'custom', message: 'no record' });
		return rows ?? z.NEVER;
	});
}

function bareRecord(body: unknown, idName: string): IDataObject[] | undefined {
	const places = isObject(body) ? [body.data, body].filter(isObject) : [];
	const record = places.find((place) => idName in place);
	return record && [record];
}

/**
 * Gives the one record of an answer.
 *
 * @param words what the service says where there is none
 * @throws Failure for an answer without records: it found nothing
 */
export function onlyRecord([record]: IDataObject[], words: string): IDataObject {
	if (record) return record;
	throw new Failure({ words, status: 404, advice: adviceFor(surveyA, words, 404) });
}

/** What an answer says of customers. */
interface Named {
	/** By the form of the address. */
	rows: Map<string, IDataObject>;
	/** True for one page of an answer that has more: it says nothing of the others. */
	isPart: boolean;
}

/** The answer to a batch: rows with addresses, or an object keyed by them. It may name nobody. */
export const namedCustomers = z.unknown().transform((body, context): Named => {
	const named = namedIn(body);
	if (named === undefined) context.addIssue({ code: 'custom', message: 'no answer to a batch' });
	return named ?? z.NEVER;
});

/** A 200 that only confirms, and what it says of customers where it says anything at all. */
export const confirmation = envelope.transform((body) => ({
	status: body.status,
	named: namedIn(body),
}));

function namedIn(body: unknown): Named | undefined {
	const page = surveyA.readPage(body, 'subscribers');
	const rows = page?.rows ?? keyedRows(body);
	const named = rows?.filter(({ email }) => typeof email === 'string');
	return (
		named && {
			rows: new Map(named.map((row) => [normalizeEmail(String(row.email)), row])),
			isPart: (page?.total ?? 0) > named.length,
		}
	);
}

function keyedRows(body: unknown): IDataObject[] | undefined {
	if (!isObject(body) || !isEnvelope(body)) return undefined;
	const entries = isObject(body.data) ? Object.entries(body.data) : [];
	return entries.flatMap(([email, row]) => (isObject(row) ? [{ email, ...row }] : []));
}

/**
 * Gives what an answer says of a customer; its address alone where the 200 names nobody.
 *
 * @param done the mark of what was to be done: the service may say that it was not
 */
export function customerResult(
	named: Named,
	email: string,
	done?: 'unsubscribed' | 'deleted',
): IDataObject | Failure {
	const row = named.rows.get(normalizeEmail(email));
	if (row === undefined && (named.isPart || named.rows.size === 0)) return { email };
	if (row === undefined) {
		return new Failure({
			words: `${email}: Survey A did not confirm this customer`,
			uncertain: true,
		});
	}
	if (!isFailed(row) && (done === undefined || row[done] !== false)) return row;
	return failureIn(row, email);
}

/** Returns the email and the mark that a response confirms, or the failure of a customer that it refuses. */
export function confirmedCustomer(
	named: Named,
	email: string,
	done: 'unsubscribed' | 'deleted',
): IDataObject | Failure {
	const outcome = customerResult(named, email, done);
	if (outcome instanceof Failure) return outcome;
	return done === 'deleted' ? { email, deleted: true } : { ...outcome, unsubscribed: true };
}

/** What an answer says against one customer. */
export function customerFailure(named: Named | undefined, email: string): Failure | undefined {
	const row = named?.rows.get(normalizeEmail(email));
	return row && isFailed(row) ? failureIn(row, email) : undefined;
}

function isFailed({ status }: IDataObject): boolean {
	return /^(fail|error)/i.test(String(status ?? ''));
}

function failureIn(row: IDataObject, email: string): Failure {
	const said = wordsIn(row.reason) || wordsIn(row.message);
	const reason = brief(said) || 'Survey A could not process this customer';
	return new Failure({
		words: `${email}: ${reason}`,
		advice: adviceFor(surveyA, reason, 200) ?? 'Correct the row, or remove it',
	});
}
