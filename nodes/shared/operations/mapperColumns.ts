import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { ApiClient, INTERACTIVE_TIME_LIMITS } from '../http/client';
import { Failure } from '../base/failure';
import type { Service } from '../http/service';
import type { Column, ReadRecords } from '../fields/mapping';
import { toNodeError } from '../nodeError';
import { recordsReader } from '../paging/pages';

interface Columns {
	/** The columns that every account has. */
	fixed(operation: string): Column[];
	/** Reads the columns that this account has beyond them, or with choices of its own. */
	read(readRecords: ReadRecords, operation: string): Promise<Column[]>;
}

/**
 * Returns the method that fills n8n's resource mapper. Without columns, the editor shows the field's `noFieldsError`, and
 * after a failure its own message; both offer to retry. n8n calls it for a new node before a credential is chosen.
 *
 * @throws NodeApiError or NodeOperationError
 */
export function mapperColumns(service: Service, columns: Columns) {
	return async function (this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		if (!this.getNode().credentials) return { fields: [] };
		const operation = String(this.getCurrentNodeParameter('operation') ?? '');
		try {
			const client = new ApiClient(this, service, INTERACTIVE_TIME_LIMITS);
			const found = await columns.read(recordsReader(client), operation);
			const all = [...columns.fixed(operation), ...found].map((one) => [one.id, one] as const);
			const fields = [...new Map(all).values()].map(
				({ id, displayName, type, required = false, options }) => ({
					...{ id, displayName, type, required, options },
					...{ defaultMatch: false, canBeUsedToMatch: false, display: true },
				}),
			);
			return { fields };
		} catch (error) {
			const failure = Failure.from(error);
			throw toNodeError(this.getNode(), failure, failure.headline);
		}
	};
}
