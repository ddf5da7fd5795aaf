import type { INodeProperties } from 'n8n-workflow';

import { choice, id, textList } from './fields';

export const AUTOMATIC = 'autoMapInputData';

/** Shows an option only with Map Automatically. */
export const onlyAutomatic: INodeProperties['displayOptions'] = {
	show: { '/columns.mappingMode': [AUTOMATIC] },
};

/** Returns the options of every mapped row. */
export function mappingOptions(plural = 'Columns') {
	return {
		emailColumn: id({
			displayName: 'Email Column',
			requiresDataPath: 'single',
			displayOptions: onlyAutomatic,
			placeholder: 'e.g. Work Email',
			description:
				'Column with the email address: enter its name, or drag the column here, also from inside another one. Uppercase, spaces and underscores do not matter. Needed when no column is named Email or Email Address.',
		}),
		extraColumns: choice({
			displayName: 'Extra Columns',
			displayOptions: onlyAutomatic,
			options: [
				{ name: `Add as ${plural}`, value: 'add', description: 'Create what the account lacks' },
				{ name: 'Error', value: 'error', description: 'The row fails' },
				{ name: 'Ignore', value: 'ignore', description: 'Leave these columns out' },
			],
			description:
				'What to do with input columns that the Columns field does not show with Map Each Column',
		}),
		ignoredColumns: textList({
			displayName: 'Ignored Columns',
			displayOptions: onlyAutomatic,
			placeholder: 'e.g. row_number, notes',
			description:
				'Names of input columns to leave out, separated by commas. Without this option, columns that n8n adds itself are left out: row_number, createdAt, updatedAt, submittedAt and formMode.',
		}),
	};
}

/** Reads the options of both services, which differ only in labels. */
export const MAPPING_OPTIONS = mappingOptions();
