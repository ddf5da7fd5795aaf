import { mapperColumns } from '../shared/operations/mapperColumns';
import { accountProperties, FIXED } from './parameters/customerColumns';
import { surveyA } from './service';

/** Lists the columns that can be mapped: the customer's fields, then the account's properties. */
export const resourceMapping = {
	getColumns: mapperColumns(surveyA, {
		fixed: () => FIXED,
		read: async (readRows, operation) =>
			operation === 'sendLegacy' ? [] : await accountProperties(readRows),
	}),
};
