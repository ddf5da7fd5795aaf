import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../../shared/base/failure';
import { isBlank } from '../../shared/base/text';
import { numericId } from '../parameters/fields';

/** Returns the output for a record that was deleted. */
export function deleted(id: string): IDataObject {
	return { id: numericId(id), deleted: true };
}

/** Returns the failure of a response that has another record than the one in the request. */
export function otherRecord({ id }: IDataObject, requested: string): Failure | undefined {
	if (isBlank(id) || String(id) === String(numericId(requested))) return undefined;
	const message = `Survey B returned the record ${String(id)} instead of ${requested}`;
	return new Failure('unconfirmed', message);
}
