import { Failure } from '../shared/base/failure';
import { withRead } from '../shared/fields/field';
import type { Field } from '../shared/fields/field';

/**
 * Returns the field of a campaign, which an expression may set to its name. IDs of Survey A are hexadecimal, and those of
 * Survey B are numbers: text with another character or without a digit is neither. No ID is refused for its length.
 */
export function campaignField<Value extends string | undefined>(field: Field<Value>): Field<Value> {
	return withRead(field, (value, context) => {
		const id = field.read(value, context);
		if (id === undefined || (/\d/.test(id) && /^[\da-f]+$/i.test(id))) return id;
		throw Failure.value(
			'must be an ID, not a name',
			'Choose the campaign from the list, or enter its ID',
		);
	});
}
