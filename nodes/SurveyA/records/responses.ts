import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { normalizeEmail } from '../../shared/fields/emails';
import { Failure } from '../../shared/base/failure';
import { anyObject, isObject } from '../../shared/http/json';
import { truncate } from '../../shared/base/text';
import { hintFor } from '../../shared/http/messages';
import { surveyA, textIn } from '../service';

// Responses of Survey A, in the contract's form and in older ones that servers still send.

const ENVELOPE = ['code', 'message', 'data', 'success', 'status'];

function isEnvelope(body: IDataObject): boolean {
	return ENVELOPE.some((name) => name in body);
}

/** Reads a response that only confirms. */
export const envelope = anyObject.refine(isEnvelope);

/**
 * Returns a schema for the response to a get by ID: a list of one, as the contract has it, or the bare record.
 *
 * @param key the name of the list
 * @param idName a field that every record has
 */
export function recordsIn(key: string, idName = 'id') {
	return z.unknown().transform((body, context): IDataObject[] => {
		const rows = surveyA.readPage(body, key)?.rows ?? bareRecord(body, idName);
		if (rows === undefined) context.addIssue({ code: 'custom', message: 'no record' });
		return rows ?? z.NEVER;
	});
}

function bareRecord(body: unknown, idName: string): IDataObject[] | undefined {
	const candidates = isObject(body) ? [body.data, body].filter(isObject) : [];
	const record = candidates.find((candidate) => idName in candidate);
	return record && [record];
}

/**
 * Returns the first record.
 *
 * @param message the service's message when there is none
 * @throws Failure when there is none
 */
export function onlyRecord([record]: IDataObject[], message: string): IDataObject {
	if (record) return record;
	throw new Failure('failed', message, { status: 404, hint: hintFor(surveyA, message, 404) });
}

/** The customers that a response names. */
interface Named {
	/** By the normalized address. */
	rows: Map<string, IDataObject>;
	/** True if the response lists all customers of the request, so that one that is missing was not processed. */
	isComplete: boolean;
}

/** Reads the response to a batch: rows with addresses, an object keyed by them, or no list at all. */
export const namedCustomers = z.unknown().transform((body, context): Named => {
	if (isObject(body) && isEnvelope(body)) return namedIn(body);
	const isList = surveyA.readPage(body, 'subscribers') !== undefined;
	if (isList) return namedIn(body);
	context.addIssue({ code: 'custom', message: 'no response to a batch' });
	return z.NEVER;
});

/** Reads a response that confirms, and the customers that it names. */
export const confirmation = envelope.transform((body) => ({
	status: body.status,
	named: namedIn(body),
}));

function namedIn(body: unknown): Named {
	const page = surveyA.readPage(body, 'subscribers');
	const list = page?.rows ?? keyedRows(body);
	if (list === undefined) return { rows: new Map(), isComplete: false };
	const named = list.filter(({ email }) => typeof email === 'string');
	return {
		rows: new Map(named.map((row) => [normalizeEmail(String(row.email)), row])),
		isComplete: (page?.total ?? 0) <= named.length,
	};
}

function keyedRows(body: unknown): IDataObject[] | undefined {
	if (!isObject(body) || !isObject(body.data)) return undefined;
	const entries = Object.entries(body.data);
	return entries.flatMap(([email, row]) => (isObject(row) ? [{ email, ...row }] : []));
}

/** Returns the result of one customer. */
export function customerResult(named: Named, email: string): IDataObject | Failure {
	const row = named.rows.get(normalizeEmail(email));
	if (row === undefined)
		return named.isComplete ? notConfirmed(email) : { email, confirmed: false };
	return isFailed(row) ? failureIn(row, email) : row;
}

/**
 * Returns the result of one customer, with the field that says that the request took effect.
 *
 * @param done the name of this field
 */
export function confirmedCustomer(
	named: Named,
	email: string,
	done: 'unsubscribed' | 'deleted',
): IDataObject | Failure {
	const outcome = customerResult(named, email);
	if (outcome instanceof Failure) return outcome;
	return outcome[done] === false ? failureIn(outcome, email) : { ...outcome, email, [done]: true };
}

function notConfirmed(email: string): Failure {
	const message = `${email}: Survey A did not confirm this customer`;
	return new Failure('uncertain', message);
}

/** Returns the failure that a response reports for one customer. */
export function customerFailure(named: Named, email: string): Failure | undefined {
	const row = named.rows.get(normalizeEmail(email));
	return row && isFailed(row) ? failureIn(row, email) : undefined;
}

function isFailed({ status }: IDataObject): boolean {
	return /^(fail|error)/i.test(String(status));
}

function failureIn(row: IDataObject, email: string): Failure {
	const reason =
		truncate(textIn(row.reason) || textIn(row.message)) ||
		'Survey A could not process this customer';
	return new Failure('failed', `${email}: ${reason}`, {
		hint: hintFor(surveyA, reason, 200) ?? 'Correct the row, or remove it',
	});
}
