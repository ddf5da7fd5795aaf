import type { ILoadOptionsFunctions, ResourceMapperFields } from 'n8n-workflow';

import { ApiClient, INTERACTIVE_TIME_LIMITS } from '../http/client';
import { Failure } from '../base/failure';
import type { Service } from '../http/service';
import { mapperFields } from '../fields/columns';
import type { Column } from '../fields/columns';
import type { ReadRows } from '../fields/mapping';
import { rowsReader } from '../paging/pages';

interface Columns {
	/** The columns that every account has. */
	fixed(operation: string): Column[];
	/** Reads the columns that this account has beyond them, or with choices of its own. */
	read(readRows: ReadRows, operation: string): Promise<Column[]>;
}

/** Returns the method that fills n8n's resource mapper. When the service cannot be asked, the fixed columns remain. */
export function mapperColumns(service: Service, columns: Columns) {
	return async function (this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		const operation = String(this.getCurrentNodeParameter('operation') ?? '');
		const fixed = columns.fixed(operation);
		try {
			const client = new ApiClient(this, service, INTERACTIVE_TIME_LIMITS);
			const found = await columns.read(rowsReader(client), operation);
			const all = new Map([...fixed, ...found].map((column) => [column.id, column]));
			return { fields: mapperFields([...all.values()]) };
		} catch (error) {
			const { headline } = Failure.from(error);
			const notice = `The columns of the account could not be read: ${headline}`;
			this.logger.warn(notice);
			return { fields: mapperFields(fixed), emptyFieldsNotice: notice };
		}
	};
}
