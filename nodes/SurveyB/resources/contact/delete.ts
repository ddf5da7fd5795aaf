import { each } from '../../../shared/operations/each';
import { maybeEmpty } from '../../../shared/http/json';
import { post } from '../../../shared/http/request';
import { boolean, record, string } from '../../../shared/records';
import { email } from '../../parameters/fields';

/** `POST /api/contacts/remove/`. */
export const deleteContact = each({
	name: 'Delete',
	action: 'Delete contact',
	description:
		'Delete a contact with all its data and history. This cannot be undone. Returns the email.',
	irreversible: true,
	fields: { email },
	writes: true,
	outputSchema: record({ email: string, deleted: boolean }),

	request: ({ email }) => ({
		...post('idempotent', '/api/contacts/remove/', { email }),
		removes: true,
	}),
	responseSchema: maybeEmpty,
	output: (_response, { email }) => ({ email, deleted: true }),
});
