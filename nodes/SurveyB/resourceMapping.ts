import { mapperColumns } from '../shared/operations/mapperColumns';
import {
	accountAttributes,
	CONTACT,
	contactAttributes,
	contactListColumn,
	PERSON,
} from './parameters/contactColumns';
import { surveyB } from './service';

/** Lists the columns that can be mapped: the contact's fields, then the account's attributes. */
export const resourceMapping = {
	getColumns: mapperColumns(surveyB, {
		fixed: (operation) => (operation === 'send' ? PERSON : CONTACT),
		read: async (readRows, operation) =>
			operation === 'send'
				? await accountAttributes(readRows)
				: [await contactListColumn(readRows), ...(await contactAttributes(readRows))],
	}),
};
