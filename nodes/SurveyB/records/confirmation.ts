import type { IDataObject } from 'n8n-workflow';

import { maybeEmpty } from '../../shared/base/json';
import { notSaved } from '../../shared/http/response';
import { numeric, record, boolean } from '../../shared/records';
import { numericId } from '../parameters/common';

export function removalBy<Field extends string>(field: Field) {
	type Input = Record<Field, string>;
	const deleted = (input: Input) => ({ id: numericId(input[field]), deleted: true });
	return {
		irreversible: true,
		outputSchema: record({ id: numeric, deleted: boolean }),
		responseSchema: maybeEmpty,
		output: ({ id }: IDataObject, input: Input) =>
			notSaved('ID', input[field], id) ?? deleted(input),
		removed: deleted,
	};
}
