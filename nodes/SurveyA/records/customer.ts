import { z } from 'zod/v4';

import type { CustomerInput } from '../parameters/customer';
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

/** The service's write object of a customer. Fields that are not given are left out. */
export function customerBody({ email, additionalFields }: CustomerInput) {
	const { properties: rows, propertiesJson: json } = additionalFields;
	const labels = new Set(rows.map((row) => row?.label));
	const properties = [...json.filter((property) => !labels.has(property?.label)), ...rows].filter(
		(property) => property !== undefined,
	);
	return {
		...legacyCustomerBody({ email, additionalFields }),
		properties: properties.length > 0 ? properties : undefined,
	};
}

/** The write object of the deprecated endpoint. */
export function legacyCustomerBody({ email, additionalFields }: CustomerInput) {
	const { firstName, lastName, company, tags } = additionalFields;
	return { email, first_name: firstName, last_name: lastName, company, tags };
}
