import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../../shared/base/failure';
import { anyObject, isObject, reading } from '../../shared/base/json';
import { isBlank, truncate } from '../../shared/base/text';
import { hintFor, isRefused, isSent, isTrue, quoted } from '../../shared/http/response';
import { namedPeople } from '../../shared/operations/namedPeople';
import type { NamedPeople } from '../../shared/operations/namedPeople';
import { surveyA, textIn } from '../service';

// Responses of Survey A, in the contract's form and in older ones that servers still send.

/** Returns whether a response says that all went well: `success`, a `code`, or a survey's status. */
function isConfirmed({ success, code, status }: IDataObject): boolean {
	return isTrue(success) || /^2\d\d$/.test(String(code)) || isSent(status);
}

/** Reads a response that only confirms. */
export const envelope = anyObject.refine(isConfirmed);

/**
 * Returns the record that was asked for. A single record is taken as it is: the service may format its ID
 * differently.
 *
 * @param message the service's message when there is none
 * @throws Failure when there is none
 */
export function onlyRecord(
	records: IDataObject[],
	message: string,
	isWanted: (record: IDataObject) => boolean = () => true,
): IDataObject {
	const record = records.length === 1 ? records[0] : records.find(isWanted);
	if (record) return record;
	throw new Failure('failed', message, { status: 404, hint: hintFor(surveyA, message, 404) });
}

/** Reads the response to a batch: customers with addresses, an object keyed by them, or a confirmation without any. */
export const namedCustomers = reading((body) => {
	const named = namedIn(body);
	const isResponse = named.count > 0 || (isObject(body) && isConfirmed(body));
	return isResponse ? named : undefined;
});

interface Confirmation {
	status: IDataObject['status'];
	/** False if it confirms only the customers whom it names. */
	isWhole: boolean;
	named: NamedPeople;
}

/**
 * Reads the response to a survey: `success` or a status that says that all are on their way, or the results of single
 * customers.
 */
export const confirmation = reading((body): Confirmation | undefined => {
	if (!isObject(body)) return undefined;
	const { status } = body;
	const isWhole = !isRefused(body) && isConfirmed({ ...body, code: undefined });
	const isPart = surveyA.reportsDoneItems?.(body) === true;
	return isWhole || isPart ? { status, isWhole, named: namedIn(body) } : undefined;
});

function namedIn(body: unknown): NamedPeople {
	const page = surveyA.readPage(body, 'subscribers');
	const { total, pages = 1 } = page ?? {};
	return namedPeople(page?.records ?? keyedCustomers(body), pages > 1 ? Infinity : total);
}

function keyedCustomers(body: unknown): IDataObject[] {
	const data = isObject(body) && isObject(body.data) ? body.data : {};
	return Object.entries(data).flatMap(([key, customer]) => {
		if (!isObject(customer)) return [];
		const { email, ...others } = customer;
		return [{ email: email || key, ...others }];
	});
}

/** Returns the saved customer. A response that lists a part of the customers confirms the others, too. */
export function savedCustomer(named: NamedPeople, email: string): IDataObject | Failure {
	const isLeftOut = named.isPartial && !named.of(email);
	return isLeftOut ? { email, confirmed: false } : customerResult(named, email);
}

/** Returns the result of a customer whom the response must name. */
function customerResult(named: NamedPeople, email: string): IDataObject | Failure {
	const customer = named.of(email);
	if (customer) return customerFailure(named, email) ?? customer;
	return new Failure('unconfirmed', `${email}: Survey A did not confirm this customer`);
}

/**
 * Returns the result of a customer with the field that says that the request took effect.
 *
 * @param done the name of this field
 */
export function confirmedCustomer(
	named: NamedPeople,
	email: string,
	done: 'unsubscribed' | 'deleted',
): IDataObject | Failure {
	const result = customerResult(named, email);
	if (result instanceof Failure) return result;
	const said = result[done];
	// An older response names the customer without this field. A reason then says why it was not done.
	const isDone = said === undefined ? isBlank(result.reason) : isTrue(said);
	return isDone ? { ...result, email, [done]: true } : failureIn(result, email);
}

/** Returns the result of a customer to whom a survey is on its way. */
export function surveyedCustomer(named: NamedPeople, email: string): IDataObject | Failure {
	const result = customerResult(named, email);
	if (result instanceof Failure || isSent(result.status)) return result;
	const message = `${email}: Survey A did not confirm the survey${quoted(result)}`;
	return new Failure('unconfirmed', message);
}

/** Returns the output of a survey to one customer, or the failure that the response reports. */
export function surveyResult(
	{ named, status, isWhole }: Confirmation,
	email: string,
	campaignId: string,
): IDataObject | Failure {
	const customer = named.of(email);
	const isNamed = customer !== undefined && !(isBlank(customer.status) && isBlank(customer.reason));
	if (isNamed || !isWhole) {
		const result = surveyedCustomer(named, email);
		return result instanceof Failure ? result : { email, campaignId, status: result.status };
	}
	return customerFailure(named, email) ?? { email, campaignId, status };
}

/** Returns the failure that a response reports for one customer. */
function customerFailure(named: NamedPeople, email: string): Failure | undefined {
	const customer = named.of(email);
	return customer && isRefused(customer) ? failureIn(customer, email) : undefined;
}

function failureIn(customer: IDataObject, email: string): Failure {
	const texts = [customer.reason, customer.error, customer.errors, customer.message].map((part) =>
		textIn(part),
	);
	const reason = truncate(texts.find(Boolean));
	const message = reason ?? `Survey A could not process this customer${quoted(customer)}`;
	return new Failure('failed', `${email}: ${message}`, {
		reason: reason ?? textIn(customer.status),
		hint: hintFor(surveyA, reason, 200) ?? 'Correct the row, or remove it',
	});
}
