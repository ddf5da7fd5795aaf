import type { IDataObject } from 'n8n-workflow';

import { maybeEmpty } from '../../shared/base/json';
import { notSaved } from '../../shared/http/proof';
import { numeric, record, boolean } from '../../shared/records';
import { numericId } from '../parameters/fields';

/** Returns what all removals by ID have in common. @param field the field that has the ID */
export function removalBy<Field extends string>(field: Field) {
	type Input = Record<Field, string>;
	return {
		irreversible: true,
		outputSchema: record({ id: numeric, deleted: boolean }),
		responseSchema: maybeEmpty,
		output: ({ id }: IDataObject, input: Input) =>
			notSaved('ID', input[field], id) ?? { id: numericId(input[field]), deleted: true },
	};
}
