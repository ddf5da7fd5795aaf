import { collection, locator } from '../../../shared/fields/fields';
import { list } from '../../../shared/operations/list';
import { get } from '../../../shared/http/request';
import { contactFromResponse, contactRecord } from '../../records/contact';
import { emailFilter } from '../../parameters/fields';

/** `GET /api/v2/contacts/`: 100 a page. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many contacts',
	description: 'Get contacts with their attributes, by email or contact list',
	fields: {
		filters: collection('Filters', {
			contactListId: locator({
				displayName: 'Contact List',
				search: 'searchContactLists',
				by: [{ displayName: 'By ID', name: 'id', placeholder: 'e.g. 11' }],
				description: 'Only return contacts of this list',
			}),
			email: emailFilter,
		}),
	},
	sortHere: [
		{ name: 'Created Date', value: 'created_date' },
		{ name: 'Email', value: 'email' },
		{ name: 'First Name', value: 'first_name' },
		{ name: 'Last Name', value: 'last_name' },
	],
	outputSchema: contactRecord,

	request: ({ filters: { email, contactListId } }) =>
		get('/api/v2/contacts/', { email, contact_list__id: contactListId }),
	rowsKey: 'results',
	pageSize: 100,
	output: contactFromResponse,
});
