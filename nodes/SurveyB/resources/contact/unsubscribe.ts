import { z } from 'zod';

import { batched } from '../../../shared/batched';
import { text } from '../../../shared/input';
import { maybeEmpty } from '../../../shared/json';
import { post } from '../../../shared/request';
import { email } from '../../fields';

/** `POST /api/v2/contacts/unsubscribe/`: any number of addresses; their pending surveys are cancelled. */
export const unsubscribe = batched({
	name: 'Unsubscribe',
	action: 'Unsubscribe contact',
	description: 'Stop surveying a contact, and cancel the surveys that are scheduled',
	fields: [email],
	input: { email: text },
	returns: z.object({ email: z.string(), unsubscribed: z.boolean() }),

	size: Infinity,
	key: ({ email }) => email,
	request: (contacts) =>
		post('harmless', '/api/v2/contacts/unsubscribe/', {
			emails: contacts.map(({ email }) => email),
		}),
	answer: maybeEmpty,
	output: (_answer, { email }) => ({ email, unsubscribed: true }),
});
