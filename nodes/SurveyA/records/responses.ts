import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../../shared/base/failure';
import { anyObject, isObject, objectsIn, reading } from '../../shared/base/json';
import { isBlank } from '../../shared/base/text';
import { isNegative, isRefused, isTrue } from '../../shared/http/response';
import { NamedPeople } from '../../surveys/namedPeople';
import { surveyA } from '../service';

// Responses of Survey A, in the contract's form and in older ones that servers still send.

/** The statuses of a survey that is on its way (contract, Surveys); the first one is of older servers. */
const ON_ITS_WAY = ['sent', 'sending', 'queued'];

const isSent = (status: unknown) => ON_ITS_WAY.includes(String(status).trim().toLowerCase());

function isConfirmed({ success, code, status }: IDataObject): boolean {
	return isTrue(success) || /^2\d\d$/.test(String(code)) || isSent(status);
}

export const envelope = anyObject.refine(isConfirmed);

/** Reads the response to a batch: customers with addresses, an object keyed by them, or a confirmation without any. */
export const namedCustomers = reading((body) => {
	const named = namedIn(body);
	const isResponse = named.count > 0 || (isObject(body) && isConfirmed(body));
	return isResponse ? named : undefined;
});

function namedIn(body: unknown): NamedPeople {
	const fields = fieldsOf(body);
	const refused = fields.filter(([name]) => isNegative(name));
	const others = fields.filter(([name]) => !isNegative(name));
	// A customer who was refused may be in another list, too: the last record of a person counts.
	return new NamedPeople(surveyA, [...others, ...refused].flatMap(customersIn));
}

/** The fields in `data`, and those beside it. */
function fieldsOf(body: unknown): Array<[name: string, value: unknown]> {
	const { data, ...others }: IDataObject = isObject(body) ? body : {};
	const inside = isObject(data) ? data : { data: Array.isArray(body) ? body : data };
	return Object.entries({ ...others, ...inside });
}

/** A list, or one customer under the address. The name of a list may say that they were refused. */
function customersIn([name, value]: [string, unknown]): IDataObject[] {
	if (Array.isArray(value) && isNegative(name)) return refusedCustomers(name, value);
	if (Array.isArray(value)) return objectsIn(value);
	if (!isObject(value)) return [];
	const { email, ...others } = value;
	return email || name.includes('@') ? [{ email: email || name, ...others }] : [];
}

function refusedCustomers(status: string, customers: unknown[]): IDataObject[] {
	return customers.map((customer) => ({
		email: String(customer),
		...(isObject(customer) && customer),
		status,
	}));
}

export function confirmedCustomer(
	named: NamedPeople,
	email: string,
	done: 'unsubscribed' | 'deleted',
): IDataObject | Failure {
	// An older response names the customer without this field. A reason then says why it was not done.
	const result = named.result(email, ({ [done]: said, reason }) =>
		said === undefined ? isBlank(reason) : isTrue(said),
	);
	return result instanceof Failure ? result : { ...result, email, [done]: true };
}

export function surveyedCustomer(named: NamedPeople, email: string): IDataObject | Failure {
	return named.result(email, ({ status }) => isSent(status));
}

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
	const isPart = surveyA.itemResults?.(body).some(({ isDone }) => isDone) === true;
	return isWhole || isPart ? { status, isWhole, named: namedIn(body) } : undefined;
});

export function surveyResult(
	{ named, status, isWhole }: Confirmation,
	email: string,
	campaignId: string,
): IDataObject | Failure {
	const customer = named.of(email);
	const hasOwn = customer && !(isBlank(customer.status) && isBlank(customer.reason));
	// A response that confirms all customers may name some of them without a result.
	if (isWhole && !hasOwn && !isRefused(customer)) return { email, campaignId, status };
	const result = surveyedCustomer(named, email);
	return result instanceof Failure ? result : { email, campaignId, status: result.status };
}
