import { z } from 'zod/v4';

import { fields, listOf, record, string, strings } from '../../shared/records';

/** Contract: Property, `value`. */
export const propertyValue = () =>
	z
		.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))])
		.nullish();

const properties = listOf(
	record({ label: string, name: string, type: string, value: propertyValue }),
);

/** Contract: Customer (in `subscribers` of GET responses). */
export const customerRecord = record({
	id: z.string,
	...fields(string, 'email', 'firstName', 'lastName', 'companyName', 'companyId'),
	tags: strings,
	createdDate: string,
	properties,
});

/** Contract: Endpoints, POST customers, the rows of its response. */
export const writtenCustomerRecord = record({
	email: z.string,
	...fields(string, 'first_name', 'last_name', 'company'),
	tags: strings,
	createdDate: string,
	properties,
});
