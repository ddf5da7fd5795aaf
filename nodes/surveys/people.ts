import { Failure } from '../shared/base/failure';
import { withRead } from '../shared/fields/field';
import type { Field } from '../shared/fields/field';
import { emailAddress, id } from '../shared/fields/kinds';
import type { Column } from '../shared/mapping/shape';

export const personColumns: Column[] = [
	{
		id: 'email',
		displayName: 'Email',
		type: 'string',
		required: true,
		aliases: ['emailAddress'],
	},
	{ id: 'firstName', displayName: 'First Name', type: 'string' },
	{ id: 'lastName', displayName: 'Last Name', type: 'string' },
];

export const unsubscribed: Column = {
	id: 'unsubscribed',
	displayName: 'Unsubscribed',
	type: 'boolean',
};

export const idsOf = (columns: Column[]) => columns.map(({ id }) => id).join(', ');

/** The advice for a column that the table of opt-outs does not have. */
export const MAP_IT =
	"Another column, or a question of a form? Map it to Unsubscribed, such as {{ $json['May we contact you?'] === 'No' }}";

export function nameFields(person: string, example: string) {
	const shown = { displayName: 'Email', placeholder: 'e.g. nathan@example.com' };
	return {
		email: emailAddress({
			...shown,
			required: true,
			description: `Email of the ${person}`,
		}),
		emailFilter: emailAddress({
			...shown,
			description: 'Only return results for this email',
		}),
		feedbackId: id({
			displayName: 'Feedback ID',
			required: true,
			placeholder: `e.g. ${example}`,
		}),
	};
}

/** IDs of Survey A are hexadecimal, mostly 24 digits, and those of Survey B are numbers. No ID is refused for its length. */
const ID = /^(?:[\da-f]{24}|(?=.*\d)[\da-f]+)$/i;

/** An expression may set a campaign or a list to its name. A service may ignore such a filter, and return everything. */
export function idOnly<Value extends string | undefined>(field: Field<Value>): Field<Value> {
	return withRead(field, (value, context) => {
		const id = field.read(value, context);
		if (id === undefined || ID.test(id)) return id;
		throw Failure.value('must be an ID, not a name', 'Choose it from the list, or enter its ID');
	});
}
