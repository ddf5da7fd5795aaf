import type { IDataObject } from 'n8n-workflow';

import { maybeEmpty } from '../../shared/base/json';
import { notRemoved, notSaved } from '../../shared/http/response';
import { numeric, record, boolean } from '../../shared/records';
import { numericId } from '../parameters/common';
import { surveyB } from '../service';

export function removalBy<Field extends string>(field: Field) {
	type Input = Record<Field, string>;
	const deleted = (input: Input) => ({ id: numericId(input[field]), deleted: true });
	return {
		irreversible: true,
		outputSchema: record({ id: numeric, deleted: boolean }),
		readBody: maybeEmpty,
		output: (body: IDataObject, input: Input) =>
			notRemoved(surveyB, body) ?? notSaved('ID', input[field], body.id) ?? deleted(input),
		removed: deleted,
	};
}
