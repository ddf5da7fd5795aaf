import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { ApiClient, INTERACTIVE_TIME_LIMITS } from '../http/client';
import { Failure } from '../base/failure';
import type { Service } from '../http/service';
import type { Column, ReadRecords } from '../fields/mapping';
import { toNodeError } from '../nodeError';
import { recordsReader } from '../paging/pages';

/** Reads the columns that can be mapped: those of every account, then those that this one has beyond them. */
type ReadColumns = (readRecords: ReadRecords, operation: string) => Promise<Column[]>;

/**
 * Returns the method that fills n8n's resource mapper. Without columns, the editor shows the field's `noFieldsError`, and
 * after a failure its own message; both offer to retry. n8n calls it for a new node before a credential is chosen.
 *
 * @throws NodeApiError or NodeOperationError
 */
export function mapperColumns(service: Service, readColumns: ReadColumns) {
	return async function (this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		if (!this.getNode().credentials) return { fields: [] };
		const operation = String(this.getCurrentNodeParameter('operation') ?? '');
		try {
			const client = new ApiClient(this, service, INTERACTIVE_TIME_LIMITS);
			const columns = await readColumns(recordsReader(client), operation);
			const fields = columns.map(({ id, displayName, type, required = false, options }) => ({
				...{ id, displayName, type, required, options },
				...{ defaultMatch: false, canBeUsedToMatch: false, display: true },
			}));
			return { fields };
		} catch (error) {
			const failure = Failure.from(error);
			throw toNodeError(this.getNode(), failure, failure.headline);
		}
	};
}
