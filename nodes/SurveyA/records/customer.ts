import { z } from 'zod/v4';

import type { Customer } from '../parameters/customerColumns';
import { propertyRecord } from './property';
import { flag, text, words } from './scalars';

/** Contract: Customer (in `subscribers` of GET responses). */
export const customerRecord = () =>
	z.looseObject({
		id: z.string(),
		email: text(),
		firstName: text(),
		lastName: text(),
		companyName: text(),
		companyId: text(),
		tags: words(),
		createdDate: text(),
		properties: z.array(propertyRecord()).nullish(),
	});

/** Contract: Endpoints, POST customers, the rows of its answer. */
export const writtenCustomerRecord = () =>
	z.looseObject({
		email: z.string(),
		first_name: text(),
		last_name: text(),
		company: text(),
		tags: words(),
		createdDate: text(),
		properties: z.array(propertyRecord()).nullish(),
	});

/** Contract: Endpoints, POST customers/unsubscribe, the rows of its answer. */
export const unsubscribedCustomerRecord = () =>
	z.looseObject({ email: z.string(), unsubscribed: flag() });

/** Contract: Endpoints, DELETE customers, the rows of its answer. */
export const deletedCustomerRecord = () => z.looseObject({ email: z.string(), deleted: flag() });

/** Returns the service's write object of a customer (contract: Customer write object). */
export function customerBody(customer: Customer) {
	const { properties } = customer;
	return {
		...legacyCustomerBody(customer),
		properties: properties.length > 0 ? properties : undefined,
	};
}

/** Returns the write object of the deprecated endpoint. */
export function legacyCustomerBody({ email, firstName, lastName, company, tags }: Customer) {
	return { email, first_name: firstName, last_name: lastName, company, tags };
}
