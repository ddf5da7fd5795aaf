import { mapperColumns } from '../shared/operations/mapperColumns';
import { accountColumns, fixedColumns } from './parameters/contactColumns';
import { surveyB } from './service';

/** Lists the columns that can be mapped: the contact's fields, then the account's attributes. */
export const resourceMapping = {
	getColumns: mapperColumns(surveyB, { fixed: fixedColumns, read: accountColumns }),
};
