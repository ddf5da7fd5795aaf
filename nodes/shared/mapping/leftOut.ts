import type { IDataObject } from 'n8n-workflow';

import { DETAIL_NAMES } from '../base/failure';
import { isObject } from '../base/json';
import { parsedJson } from '../fields/values';

/** Columns that n8n's Google Sheets, Data Table, Form and Webhook nodes add to their items. */
export const COLUMNS_OF_N8N = [
	...['row_number', 'createdAt', 'updatedAt', 'submittedAt', 'formMode', 'webhookUrl'],
	'executionMode',
];

/** All that is left out without failing. docs/values.md prints it; whatever it does not name is sent, or its row fails. @internal */
export const LEFT_OUT = {
	blank:
		'Blank cells: no value, white space, or an empty list. With Options → **Empty Values** = Clear only those of numbers and booleans, and of columns that the account lacks',
	written: `What n8n or the service itself writes into a row: ${COLUMNS_OF_N8N.map((name) => `\`${name}\``).join(', ')}; a data table's \`id\` beside the two dates; \`error\` and \`details\` of a row from the error output; Survey A's \`id\`, \`companyId\` and \`createdDate\` and Survey B's \`id\` and \`created_date\` in their own records. Map such a column by hand to send it`,
	asked:
		'What an option names: **Ignored Columns**, **Extra Columns** = Ignore. Columns without a name, too',
	noField:
		"What the operation has no field for: objects and lists of objects in columns that the Columns field does not show, Contact List in Survey B's Send, attributes of a survey in its Create or Update, properties in Survey A's deprecated Send, and attributes with characters that Survey B rejects: the item names these in `skippedAttributes`",
	weaker:
		"What a column says again: inside a service's own record, in **Additional Properties** or **Survey Attributes**, and an email column with the address that **Email Column** has",
	decides:
		'A column that says whether the person opted out, under any usual name, also in German, French, Spanish, Portuguese, Italian or Dutch: Send skips a row that opted out, Create or Update of Survey B unsubscribes its contact, and that of Survey A fails. No opt-out subscribes somebody again only with Options → **Resubscribe** (Survey B)',
};

// An item that failed once comes from the error output, or from a sheet in which it was stored.

const NAMES = new Set<string>(DETAIL_NAMES);
const NONE: string[] = [];

/** Returns the columns that the failure of an item added to it. */
export function addedByFailure(item: IDataObject): string[] {
	if (typeof item.error !== 'string') return NONE;
	return detailsOf(item) ? ['error', 'details'] : NONE;
}

/** Returns an item as it was before its failure, which moved its own `error` and `details` into `details.row`. */
export function withoutFailure(item: IDataObject): IDataObject {
	const added = addedByFailure(item);
	if (added.length === 0) return item;
	const own = detailsOf(item)?.row;
	const rest = Object.entries(item).filter(([name]) => !added.includes(name));
	return { ...Object.fromEntries(rest), ...(isObject(own) ? own : {}) };
}

/** Returns the details of a failure; undefined for any other value in this column, such as an object with other entries. */
function detailsOf({ details }: IDataObject): IDataObject | undefined {
	const read = typeof details === 'string' ? parsedJson(details) : details;
	const isOfFailure = isObject(read) && Object.keys(read).every((name) => NAMES.has(name));
	return isOfFailure ? read : undefined;
}
