import { z } from 'zod/v4';

import { each } from '../../../shared/operations/each';
import { maybeEmpty } from '../../../shared/http/json';
import { post } from '../../../shared/http/request';
import { email } from '../../parameters/fields';

/** `POST /api/contacts/remove/`: the data and history of a contact go from the organization. */
export const deleteContact = each({
	name: 'Delete',
	action: 'Delete contact',
	description:
		'Delete a contact with all its data and history. This cannot be undone. Returns the email.',
	irreversible: true,
	fields: { email },
	writes: true,
	outputSchema: () => z.object({ email: z.string(), deleted: z.boolean() }),

	request: ({ email }) => ({
		...post('idempotent', '/api/contacts/remove/', { email }),
		removes: true,
	}),
	responseSchema: maybeEmpty,
	output: (_answer, { email }) => ({ email, deleted: true }),
});
