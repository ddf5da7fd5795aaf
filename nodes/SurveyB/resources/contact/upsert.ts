import { normalizeEmail } from '../../../shared/parameters/emails';
import { each } from '../../../shared/operations/each';
import { collection, stringList, clearableText, id } from '../../../shared/parameters/schemas';
import { objectWith } from '../../../shared/http/json';
import { post } from '../../../shared/http/request';
import { ignoredColumnsField, rowFields } from '../../../shared/parameters/columns';
import {
	allAttributes,
	attributesField,
	attributesInput,
	attributesJsonField,
	attributesJsonInput,
	rejectedCharactersField,
} from '../../parameters/attributes';
import { contactColumns } from '../../parameters/columns';
import { contactFromAnswer, simplifyContact, simplifiedContactRecord } from '../../records/contact';
import { email, firstName, lastName, numberOf } from '../../parameters/fields';
import { optionalBoolean } from '../../../shared/parameters/numbers';
import { dateOrderField, emptyValuesField } from '../../../shared/parameters/fields';

/** `POST /api/v2/contacts/`: adds or updates a contact, in all lists; sends no survey. */
export const upsert = each({
	name: 'Create or Update',
	action: 'Create or update contact',
	description: 'Create a new contact, or update the current one if it already exists (upsert)',
	effect: 'Sends no survey. Returns the saved contact.',
	fields: rowFields([
		email,
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add field',
			default: {},
			options: [
				attributesField('Attributes', 'attributes', 'Attributes to save on the contact'),
				attributesJsonField('Attributes (JSON)', 'attributesJson', 'Attributes'),
				{
					displayName: 'Contact List Names or IDs',
					name: 'contactLists',
					type: 'multiOptions',
					typeOptions: { loadOptionsMethod: 'getContactLists' },
					default: [],
					description:
						'Lists for a new contact. If empty, the contact is added to the default list. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
				},
				firstName,
				lastName,
				{
					displayName: 'Unsubscribed',
					name: 'unsubscribed',
					type: 'boolean',
					default: true,
					description:
						'Whether the contact is unsubscribed. Turn off to subscribe the contact again.',
				},
			],
		},
	]),
	options: [dateOrderField, emptyValuesField, ignoredColumnsField, rejectedCharactersField],
	columns: contactColumns,
	input: () => ({
		email: id,
		additionalFields: collection({
			firstName: clearableText,
			lastName: clearableText,
			unsubscribed: optionalBoolean,
			attributes: attributesInput(),
			attributesJson: attributesJsonInput(),
			contactLists: stringList,
		}),
	}),
	writes: true,
	outputSchema: simplifiedContactRecord,
	simplify: simplifyContact,

	serializeBy: ({ email }) => normalizeEmail(email),
	request: ({ email, additionalFields }) =>
		post('idempotent', '/api/v2/contacts/', {
			email,
			first_name: additionalFields.firstName,
			last_name: additionalFields.lastName,
			unsubscribed: additionalFields.unsubscribed,
			attributes: allAttributes(additionalFields.attributesJson, additionalFields.attributes),
			contact_list: additionalFields.contactLists?.length
				? additionalFields.contactLists.map(numberOf)
				: undefined,
		}),
	responseSchema: objectWith('id', 'email'),
	output: contactFromAnswer,
});
