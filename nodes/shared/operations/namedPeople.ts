import type { IDataObject } from 'n8n-workflow';

import { normalizeEmail } from '../fields/values';

/** The people whom a response names. */
export type NamedPeople = ReturnType<typeof namedPeople>;

/**
 * Returns the people whom the response to a batch names.
 *
 * @param total their number on all pages, if the response states it
 */
export function namedPeople(records: IDataObject[], total = 0) {
	const named = records.filter(({ email }) => typeof email === 'string');
	const byEmail = new Map(named.map((record) => [normalizeEmail(String(record.email)), record]));
	return {
		count: named.length,
		/** True if the response lists a part of the people, as a page does, or nobody. */
		isPartial: named.length === 0 || total > named.length,
		/** Returns the record of a person. */
		of: (email: string) => byEmail.get(normalizeEmail(email)),
	};
}
