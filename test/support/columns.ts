import type { INodeParameters, ResourceMapperField, ResourceMapperValue } from 'n8n-workflow';

/** A column as the resource mapper stores it in a node. */
type StoredColumn = Pick<ResourceMapperField, 'id'> & Partial<ResourceMapperField>;

const EMAIL: StoredColumn = { id: 'email', type: 'string' };

/** Returns the parameters of columns mapped by hand: column IDs with values or expressions. */
export function mapped(
	value: ResourceMapperValue['value'],
	schema: StoredColumn[] = [EMAIL],
): INodeParameters {
	return { columns: mapping('defineBelow', value, schema) };
}

/** Returns the parameters of columns mapped automatically, in a node that has stored columns unless `schema` is empty. */
export function automatic(schema: StoredColumn[] = [EMAIL]): INodeParameters {
	return { columns: mapping('autoMapInputData', null, schema) };
}

/** The email by an expression, mapped by hand. */
export const EMAIL_FROM_ROW = mapped({ email: '={{ $json.email }}' });

/** Returns rows `person1@example.com` and on. */
export function people(count: number, from = 1): Array<{ email: string }> {
	return Array.from({ length: count }, (_, i) => ({ email: `person${from + i}@example.com` }));
}

function mapping(
	mappingMode: string,
	value: ResourceMapperValue['value'],
	columns: StoredColumn[],
): ResourceMapperValue {
	const schema = columns.map((column) => ({
		displayName: column.id,
		required: false,
		defaultMatch: false,
		display: true,
		...column,
	}));
	return {
		mappingMode,
		value,
		matchingColumns: [],
		schema,
		attemptToConvertTypes: false,
		convertFieldsToString: false,
	};
}
