import type { IDataObject } from 'n8n-workflow';

import { isObject } from '../../shared/http/json';
import { isNested, sortColumns } from '../../shared/parameters/columns';
import { isDateObject } from '../../shared/parameters/dates';
import { isBlank } from '../../shared/parameters/values';
import type {
	Column,
	ColumnSettings,
	ReadColumns,
	RowParameters,
} from '../../shared/parameters/columns';

// Map Automatically for customers: columns of the same meaning become the customer's fields, all others
// its properties (contract: Customer write object).

const FIELDS = new Map([
	['firstname', 'firstName'],
	['lastname', 'lastName'],
	['company', 'company'],
	['companyname', 'company'],
	['tags', 'tags'],
]);

/** What the service itself writes into a customer: no properties of it. */
const OF_RECORD = new Set(['id', 'companyId', 'createdDate']);

/** A date with or without a time, as ISO 8601 writes it with separators. */
const ISO_DATE =
	/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}([.,]\d+)?)?\s?(Z|[+-]\d{2}(:?\d{2})?)?)?$/i;

/** A row of the Properties field, and the column that gave it. */
interface Property {
	column: string;
	row: IDataObject;
}

/** What an item's columns are of a customer: parameters as if they had been filled in by hand. */
export const customerColumns: ReadColumns = (row, settings) => read(row, settings, propertiesIn);

/** The same for the deprecated endpoint, which takes no properties. */
export const legacyCustomerColumns: ReadColumns = (row, settings) =>
	read(row, settings, () => undefined);

function read(
	row: IDataObject,
	settings: ColumnSettings,
	propertiesOf: (column: Column) => Property[] | undefined,
): RowParameters {
	const { known, others, repeated } = sortColumns(row, FIELDS, settings);
	const isOwn = isCustomer(row);
	const leftOut = [...repeated];
	const properties: Property[] = [];
	for (const column of others) {
		if (isOwn && OF_RECORD.has(column.name)) continue;
		const found = propertiesOf(column);
		if (found) properties.push(...found);
		else if (!isBlank(column.value)) leftOut.push(column.name);
	}
	const { email, ...fields } = Object.fromEntries(
		[...known].map(([field, { value }]) => [field, value]),
	);
	return {
		parameters: {
			email,
			additionalFields: { ...fields, properties: { property: properties.map(({ row }) => row) } },
		},
		leftOut,
		columnAt: ([first = '', second = '', , index]) =>
			typeof index === 'number'
				? properties[index]?.column
				: known.get(String(first === 'additionalFields' ? second : first))?.name,
	};
}

/** A customer as Survey A gives it: what is its own goes back as it came. */
function isCustomer(row: IDataObject): boolean {
	return 'createdDate' in row && ('id' in row || 'properties' in row);
}

/** The properties that a column stands for; undefined for what no property can hold. */
function propertiesIn({ name, value }: Column): Property[] | undefined {
	if (name.trim() === '') return undefined;
	const ofRecord = name === 'properties' && Array.isArray(value) ? value : undefined;
	if (ofRecord?.every(isProperty)) {
		return ofRecord.map((row) => ({
			column: String(row.label ?? row.name),
			row: ownProperty(row),
		}));
	}
	if (isNested(value)) return undefined;
	return [{ column: name, row: { label: name, type: typeOf(value), value } }];
}

function isProperty(entry: unknown): entry is IDataObject {
	return isObject(entry) && 'value' in entry && ('label' in entry || 'name' in entry);
}

/** A property as the service gives it, in the form in which it is written. */
function ownProperty({ label, name, type, value }: IDataObject): IDataObject {
	return { label: label || name, type: type ?? typeOf(value), value };
}

/** The property type of a JSON value. Text stays text: `007` is no number. */
export function typeOf(value: unknown): string {
	if (typeof value === 'boolean') return 'boolean';
	if (Number.isSafeInteger(value)) return 'integer';
	if (Array.isArray(value)) return 'collection';
	const isIsoDate = typeof value === 'string' && ISO_DATE.test(value.trim());
	return isIsoDate || isDateObject(value) ? 'date' : 'string';
}
