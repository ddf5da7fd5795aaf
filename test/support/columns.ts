import type { INodeParameters, ResourceMapperField } from 'n8n-workflow';

/** Parameters of a row that is mapped by hand: column IDs and their values or expressions. */
export function mapped(
	value: INodeParameters,
	schema: Array<Partial<ResourceMapperField>> = [],
): INodeParameters {
	const fields = schema.map((field) => ({
		displayName: field.id,
		required: false,
		defaultMatch: false,
		display: true,
		...field,
	}));
	return { columns: { mappingMode: 'defineBelow', value, schema: fields } };
}

/** Parameters of rows whose columns are mapped by name. */
export function automatic(schema: Array<Partial<ResourceMapperField>> = []): INodeParameters {
	const { columns } = mapped({}, schema);
	return { columns: { ...Object(columns), mappingMode: 'autoMapInputData', value: null } };
}
