import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { isObject } from '../../shared/http/json';
import { isNested, sortColumns } from '../../shared/parameters/columns';
import type {
	Column,
	ReadColumns,
	RowParameters,
	SortedColumns,
} from '../../shared/parameters/columns';
import { isBlank } from '../../shared/parameters/values';

// Map Automatically for contacts and surveys: columns of the same meaning become the contact's fields,
// all others attributes (contract: Contact).

const OF_PERSON: Array<[string, string]> = [
	['firstname', 'firstName'],
	['lastname', 'lastName'],
];
const OF_CONTACT: Array<[string, string]> = [
	['unsubscribed', 'unsubscribed'],
	['contactlist', 'contactLists'],
	['contactlists', 'contactLists'],
	['contactlistid', 'contactLists'],
	['contactlistids', 'contactLists'],
];
const CONTACT_FIELDS = new Map([...OF_PERSON, ...OF_CONTACT]);

/** What the service itself writes into a contact: no attributes of it. */
const OF_RECORD = new Set(['id', 'created_date']);

/** What a row of attributes came to. */
interface Attributes {
	rows: Column[];
	/** Those that stand in an object already, as the service gives them. */
	object?: IDataObject;
	leftOut: string[];
}

/** What an item's columns are of a contact: parameters as if they had been filled in by hand. */
export const contactColumns: ReadColumns = (row, settings) => {
	const sorted = sortColumns(row, CONTACT_FIELDS, settings);
	const { rows, object, leftOut } = attributesIn(row, sorted);
	return parametersOf(sorted, rows, leftOut, {
		attributes: { attribute: rows },
		attributesJson: object,
	});
};

/** The same of a survey: it takes no status and no list, and its attributes are of two kinds. */
export const surveyColumns: ReadColumns = (row, settings, valueFor) => {
	const sorted = sortColumns(row, CONTACT_FIELDS, settings);
	const { rows, object, leftOut } = attributesIn(row, sorted);
	const [own, other] =
		valueFor(attributesAreField.name) === 'survey'
			? ['surveyAttributes', 'contactAttributes']
			: ['contactAttributes', 'surveyAttributes'];
	// A contact as Survey B gives it has its attributes in an object, whatever else stands beside it.
	const objectName = isContact(row) ? 'contactAttributesJson' : `${own}Json`;
	const notTaken = ['unsubscribed', 'contactLists'].flatMap((field) => {
		const column = sorted.known.get(field);
		sorted.known.delete(field);
		return column && !isContact(row) && !isBlank(column.value) ? [column.name] : [];
	});
	return parametersOf(sorted, rows, [...leftOut, ...notTaken], {
		[own]: { attribute: rows },
		[other]: undefined,
		[objectName]: object,
	});
};

/** Whose attributes the other columns are. */
export const attributesAreField: INodeProperties = {
	displayName: 'Save Other Columns As',
	name: 'attributesAre',
	type: 'options',
	options: [
		{
			name: 'Contact Attributes',
			value: 'contact',
			description: 'Saved on the contact',
		},
		{
			name: 'Survey Attributes',
			value: 'survey',
			description: 'Of this survey only, such as an order number',
		},
	],
	default: 'contact',
	description: 'Where to save input columns other than the email and names',
};

/** A contact as Survey B gives it: what is its own goes back as it came. */
function isContact(row: IDataObject): boolean {
	return 'id' in row && 'created_date' in row;
}

function attributesIn(row: IDataObject, { others, repeated }: SortedColumns): Attributes {
	const found: Attributes = { rows: [], leftOut: [...repeated] };
	for (const column of others) {
		const { name, value } = column;
		if (isContact(row) && OF_RECORD.has(name)) continue;
		if (name === 'attributes' && isObject(value)) found.object = value;
		else if (!isNested(value) && name.trim() !== '') found.rows.push({ name, value });
		else if (!isBlank(value)) found.leftOut.push(name);
	}
	return found;
}

function parametersOf(
	{ known }: SortedColumns,
	rows: Column[],
	leftOut: string[],
	attributes: Record<string, unknown>,
): RowParameters {
	const { email, ...fields } = Object.fromEntries(
		[...known].map(([field, { value }]) => [field, value]),
	);
	return {
		parameters: { email, additionalFields: { ...fields, ...attributes } },
		leftOut,
		columnAt: ([first = '', second = '', , index]) =>
			typeof index === 'number'
				? rows[index]?.name
				: known.get(String(first === 'additionalFields' ? second : first))?.name,
	};
}
