import { z } from 'zod';

import { each } from '../../../shared/each';
import { text } from '../../../shared/input';
import { maybeEmpty } from '../../../shared/json';
import { post } from '../../../shared/request';
import { email } from '../../fields';

/** `POST /api/contacts/remove/`: the data and history of a contact go from the organization. */
export const deleteContact = each({
	name: 'Delete',
	action: 'Delete contact',
	description: 'Delete a contact permanently, with all its data and history',
	fields: [email],
	input: { email: text },
	returns: z.object({ email: z.string(), deleted: z.boolean() }),

	request: ({ email }) => ({
		...post('harmless', '/api/contacts/remove/', { email }),
		removes: true,
	}),
	answer: maybeEmpty,
	output: (_answer, { email }) => ({ email, deleted: true }),
});
