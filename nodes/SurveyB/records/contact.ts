import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { attributes, number, text } from './scalars';

/** Contract: Feedback, `contact`; Events, contact.unsubscribed. */
export const feedbackContactRecord = () =>
	z.looseObject({
		attributes: attributes(),
		first_name: text(),
		last_name: text(),
		id: number(),
		email: text(),
	});

/** Gives a contact with `unsubscribed` as a boolean: some answers write it as text. */
export function contactFromAnswer(answer: IDataObject): IDataObject {
	const { unsubscribed } = answer;
	if (typeof unsubscribed !== 'string') return answer;
	return { ...answer, unsubscribed: unsubscribed.toLowerCase() === 'true' };
}

/** Contract: Contact. */
export const contactRecord = () =>
	z.looseObject({
		id: z.number(),
		email: z.string(),
		first_name: text(),
		last_name: text(),
		created_date: text(),
		unsubscribed: z.boolean().nullish(),
		attributes: attributes(),
	});
