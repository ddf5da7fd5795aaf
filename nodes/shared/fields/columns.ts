import type { INodeProperties, ResourceMapperField } from 'n8n-workflow';

import type { Column, EmptyValues } from './columnSpec';
import { startMapping } from './mappedRows';
import type { ColumnSpec } from './mappedRows';
import type { Mapping } from './mapping';
import { mappingOptions } from './mappingOptions';

// Rows that n8n's resource mapper maps: each column by hand, or the columns of the input items by name.

/** Returns the mapping of a service's rows, which n8n shows as a resource mapper. */
export function columns<Options extends { emptyValues?: EmptyValues }, Value>(
	service: string,
	spec: ColumnSpec<Options, Value>,
): Mapping<Value> {
	return {
		label: 'Columns',
		options: { ...mappingOptions(spec.extra?.plural), ...spec.options },
		property: (name) => mapperProperty(name, true),
		// An agent has no input items whose columns could be mapped by name.
		toolProperty: (name) => mapperProperty(name, false),
		start: async (run) => await startMapping(service, spec, run),
	};
}

function mapperProperty(name: string, supportAutoMap: boolean): INodeProperties {
	return {
		displayName: 'Columns',
		name,
		type: 'resourceMapper',
		noDataExpression: true,
		required: true,
		default: { mappingMode: 'defineBelow', value: null },
		typeOptions: {
			resourceMapper: {
				resourceMapperMethod: 'getColumns',
				mode: 'add',
				fieldWords: { singular: 'column', plural: 'columns' },
				addAllFields: false,
				noFieldsError: 'Choose a credential above, then click Retry.',
				supportAutoMap,
			},
			loadOptionsDependsOn: ['resource', 'operation'],
		},
		builderHint: {
			propertyHint:
				'With mappingMode defineBelow, value holds one entry for each column ID; email is required. With autoMapInputData, value is null and the input columns are matched by name.',
		},
	};
}

/** Returns the columns as n8n's resource mapper lists them. */
export function mapperFields(columns: Column[]): ResourceMapperField[] {
	return columns.map(({ id, displayName, type, required = false, options }) => ({
		...{ id, displayName, type, required, options },
		...{ defaultMatch: false, canBeUsedToMatch: false, display: true },
	}));
}
