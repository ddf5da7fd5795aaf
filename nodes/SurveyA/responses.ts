import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../shared/base/failure';
import { isObject, objectThat } from '../shared/base/json';
import { isBlank } from '../shared/base/text';
import { isBare, isNegative, isRefused, isSuccessCode, isTrue } from '../shared/http/response';
import { NamedPeople } from '../surveys/namedPeople';
import { isOptOutName } from '../surveys/optOut';
import { customersIn, DONE_LISTS, surveyA } from './service';

// Responses of Survey A, in the contract's form and in older ones that servers still send.

/** The statuses of a survey that is on its way (contract, Surveys); the first one is of older servers. */
const ON_ITS_WAY = ['sent', 'sending', 'queued'];

const isSent = (status: unknown) => ON_ITS_WAY.includes(String(status).trim().toLowerCase());

function isConfirmed({ success, code, status }: IDataObject): boolean {
	return isTrue(success) || isSuccessCode(code) || isSent(status);
}

/** Reads a response that confirms a request of one record. */
export const confirmed = objectThat(isConfirmed);

/** Reads the response to a batch: customers with addresses, an object keyed by them, or a confirmation without any. */
export function namedCustomers(body: unknown): NamedPeople | undefined {
	const named = new NamedPeople(surveyA, customersIn(body, isNegative));
	const isResponse = named.byEmail.size > 0 || (isObject(body) && isConfirmed(body));
	return isResponse ? named : undefined;
}

export function surveyedCustomer(named: NamedPeople, email: string): IDataObject | Failure {
	return named.result(email, (customer) => isSent(customer.status) && !isExcluded(customer));
}

/** Returns whether a mark such as `unsubscribed: true` says that the customer gets no survey. */
function isExcluded(customer: IDataObject): boolean {
	const marks = Object.keys(customer).filter((name) => isTrue(customer[name]));
	return marks.some((name) => isNegative(name) || isOptOutName(name));
}

const LISTS_OF_PEOPLE =
	'data results items records surveys emails subscribers customers contacts people members users recipients respondents created updated added new existing';

/** Lists in the response to a survey whose names say nothing of the customers in them. Nobody in another list is confirmed. */
const PLAIN_LISTS = new Set([...DONE_LISTS, ...LISTS_OF_PEOPLE.split(' ')]);

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
export function confirmation(body: unknown): Confirmation | undefined {
	if (!isObject(body)) return undefined;
	const { status } = body;
	const isWhole = !isRefused(body) && isConfirmed({ ...body, code: undefined });
	const customers = customersIn(body, (name) => !PLAIN_LISTS.has(name));
	const named = new NamedPeople(surveyA, customers);
	return isWhole || named.byEmail.size > 0 ? { status, isWhole, named } : undefined;
}

export function surveyResult(
	{ named, status, isWhole }: Confirmation,
	email: string,
	campaignId: string,
): IDataObject | Failure {
	const customer = named.of(email) ?? {};
	const hasOwn = !isBlank(customer.status) || !isBare(customer) || isExcluded(customer);
	// A response that confirms all customers may name some of them without a result.
	if (isWhole && !hasOwn && !isRefused(customer)) return { email, campaignId, status };
	const result = surveyedCustomer(named, email);
	return result instanceof Failure ? result : { email, campaignId, status: result.status };
}
