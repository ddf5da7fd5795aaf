import type { INodeParameters } from 'n8n-workflow';

/** A column as n8n stores it in the node. */
type StoredColumn = { id: string; displayName?: string; type?: string };

/** Parameters of a row that is mapped by hand: column IDs and their values or expressions. */
export function mapped(value: INodeParameters, schema: StoredColumn[] = []): INodeParameters {
	const fields = schema.map((field) => ({
		required: false,
		defaultMatch: false,
		display: true,
		...field,
		displayName: field.displayName ?? field.id,
	}));
	return { columns: { mappingMode: 'defineBelow', value, schema: fields } };
}

/** Parameters of rows whose columns are mapped by name. */
export function automatic(schema: StoredColumn[] = []): INodeParameters {
	const { columns } = mapped({}, schema);
	return { columns: { ...Object(columns), mappingMode: 'autoMapInputData', value: null } };
}
