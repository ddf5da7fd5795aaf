import { get } from '../../shared/http/request';
import { list } from '../../shared/operations/list';
import type { Resource } from '../../shared/operations/operation';
import { numeric, record, string } from '../../shared/records';

export const contactListResource: Resource = {
	/** `GET /api/lists/`: without a version in its path. */
	getAll: list({
		action: 'Get many contact lists',
		description: 'Get the contact lists',
		outputSchema: record({ id: numeric, name: string }),

		request: () => get('/api/lists/'),
	}),
};
