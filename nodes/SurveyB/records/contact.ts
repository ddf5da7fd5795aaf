import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { simplifyTo } from '../../shared/operations/simplify';
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

/** A contact made short: the contract's fields, whatever else a server adds. */
export const simplifiedContactRecord = () =>
	z.object({
		id: z.number(),
		email: z.string(),
		first_name: z.string(),
		last_name: z.string(),
		unsubscribed: z.boolean(),
		created_date: z.string(),
		attributes: z.record(z.string(), z.unknown()),
	});

/** Makes a contact short, as `simplifiedContactRecord` shows it. */
export const simplifyContact = simplifyTo(simplifiedContactRecord);
