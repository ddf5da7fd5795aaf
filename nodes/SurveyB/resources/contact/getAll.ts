import { collection, optionalId, optionalLocator } from '../../../shared/parameters/schemas';
import { list } from '../../../shared/operations/list';
import { get } from '../../../shared/http/request';
import { contactFromAnswer, simplifyContact, simplifiedContactRecord } from '../../records/contact';
import { emailFilter } from '../../parameters/fields';

/** `GET /api/v2/contacts/`: 100 a page. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many contacts',
	description: 'Get contacts with their attributes, by email or contact list',
	fields: [
		{
			displayName: 'Filters',
			name: 'filters',
			type: 'collection',
			placeholder: 'Add filter',
			default: {},
			options: [
				{
					displayName: 'Contact List',
					name: 'contactListId',
					type: 'resourceLocator',
					default: { mode: 'list', value: '' },
					description: 'Only return contacts of this list',
					modes: [
						{
							displayName: 'From List',
							name: 'list',
							type: 'list',
							typeOptions: { searchListMethod: 'searchContactLists', searchable: true },
						},
						{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 11' },
					],
				},
				emailFilter,
			],
		},
	],
	input: () => ({ filters: collection({ email: optionalId, contactListId: optionalLocator }) }),
	outputSchema: simplifiedContactRecord,
	simplify: simplifyContact,

	request: ({ filters: { email, contactListId } }) =>
		get('/api/v2/contacts/', { email, contact_list__id: contactListId }),
	rowsKey: 'results',
	pageSize: 100,
	output: contactFromAnswer,
});
