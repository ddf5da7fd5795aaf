import type { GenericValue, IDataObject } from 'n8n-workflow';

import { get } from '../../shared/http/request';
import { isObject } from '../../shared/http/json';
import { CellReader, columns } from '../../shared/parameters/columns';
import type { Cell, Column, ColumnSpec, EmptyValues } from '../../shared/parameters/columns';
import type { ReadContext } from '../../shared/parameters/context';
import { flag, json } from '../../shared/parameters/fields';
import type { ReadRows } from '../../shared/parameters/parameters';
import { dateOrder, emptyValues } from '../../shared/parameters/sharedFields';
import { isBlank, readBoolean, readId, readList } from '../../shared/parameters/values';
import {
	AttributeReader,
	attributesIn,
	attributeType,
	isAmbiguous,
	rejectedCharacters,
} from './attributes';
import type { RejectedCharacters } from './attributes';

// The columns of a contact and of a survey (contract: POST contacts, POST survey).

/** A contact as it is sent. */
interface Contact {
	email: string;
	firstName?: string;
	lastName?: string;
	unsubscribed?: boolean;
	contactLists?: string[];
	attributes?: IDataObject;
	surveyAttributes?: IDataObject;
}

const ATTRIBUTE = 'attribute:';
const SURVEY_ATTRIBUTE = 'surveyAttribute:';

const PERSON: Column[] = [
	{ id: 'email', displayName: 'Email', type: 'string', required: true },
	{ id: 'firstName', displayName: 'First Name', type: 'string' },
	{ id: 'lastName', displayName: 'Last Name', type: 'string' },
];
const UNSUBSCRIBED: Column = { id: 'unsubscribed', displayName: 'Unsubscribed', type: 'boolean' };
const CONTACT_LIST: Column = {
	id: 'contactLists',
	displayName: 'Contact List',
	type: 'string',
	aliases: ['contactListId', 'contactListIds'],
};
/** The names that the service itself writes into a contact. */
const RECORD_NAMES = ['id', 'created_date'];
/** The columns that a survey does not take. */
const CONTACT_ONLY = [UNSUBSCRIBED, CONTACT_LIST].flatMap(({ id, displayName, aliases = [] }) => [
	id,
	displayName,
	...aliases,
]);

interface ValueOptions {
	emptyValues?: EmptyValues;
	rejectedCharacters?: RejectedCharacters;
	additionalProperties?: IDataObject;
	surveyAttributes?: IDataObject;
	resubscribe?: boolean;
}

const additionalProperties = attributesJson(
	'Additional Properties (JSON)',
	'Attributes to save on the contact, as a JSON object of names and values, such as those that the account does not have yet. A mapped column with the same name wins.',
);
const surveyAttributes = attributesJson(
	'Survey Attributes (JSON)',
	'Attributes of this survey only, such as an order number, as a JSON object of names and values. A mapped column with the same name wins.',
);
const valueOptions = {
	dateOrder,
	emptyValues: emptyValues('names and attributes'),
	rejectedCharacters,
	additionalProperties,
};

function attributesJson(displayName: string, description: string) {
	const placeholder = 'e.g. { "plan": "pro", "seats": 12 }';
	return json({ displayName, placeholder, description });
}

const TYPE_NAMES: Record<string, string> = {
	...{ string: 'text', dateTime: 'date', array: 'list' },
};

const extra: ColumnSpec<ValueOptions, Contact>['extra'] = {
	idOf: (name) => {
		const ofSurvey = surveyAttributeName(name);
		if (ofSurvey !== undefined) return SURVEY_ATTRIBUTE + ofSurvey;
		return name.startsWith(ATTRIBUTE) ? name : ATTRIBUTE + name;
	},
	plural: 'Attributes',
	typeOf: attributeType,
	isAmbiguous: (values) => values.some(isAmbiguous),
	typeOfField: (type) => type ?? 'string',
	typeName: (type) => TYPE_NAMES[type] ?? type,
	read: accountAttributes,
};

/** The columns of a contact. */
export const contactColumns = columns<ValueOptions, Contact>('Survey B', {
	fixed: [...PERSON, UNSUBSCRIBED, CONTACT_LIST],
	extra,
	ownNames: (row) => [
		...recordNames(row),
		...Object.keys(row).filter((name) => surveyAttributeName(name) !== undefined),
	],
	expand: attributeCells,
	options: {
		...valueOptions,
		resubscribe: flag({
			displayName: 'Resubscribe',
			displayOptions: { show: { '/columns.mappingMode': ['autoMapInputData'] } },
			description:
				'Whether a column Unsubscribed that holds false subscribes the contact again. Without this option only true is sent, so that no one is subscribed again by accident.',
		}),
	},
	read: readContact,
});

/** The columns of a survey: it takes no status and no lists, and has attributes of its own. */
export const surveyColumns = columns<ValueOptions, Contact>('Survey B', {
	fixed: PERSON,
	extra,
	ownNames: (row) => [...recordNames(row), ...CONTACT_ONLY],
	expand: attributeCells,
	options: { ...valueOptions, surveyAttributes },
	read: readContact,
});

function readContact(
	cells: Cell[],
	options: ValueOptions,
	context: ReadContext,
	isAutomatic: boolean,
): Contact {
	const reader = new CellReader(cells, options.emptyValues);
	const attributes = new AttributeReader(context, options.rejectedCharacters);
	const unsubscribed = reader.fixed('unsubscribed', readBoolean);
	// Only what the user mapped by hand or asked for may subscribe a person again.
	const mayResubscribe = !isAutomatic || options.resubscribe === true;
	const read = (prefix: string, label: string, more?: IDataObject) => {
		const own = cells.filter(({ id }) => id.startsWith(prefix));
		const others = jsonCells(prefix, label, more).filter(({ id }) =>
			own.every((one) => one.id !== id),
		);
		const entries = [...others, ...own].map((cell) =>
			reader.read(cell, () => attributeOf(cell, prefix, attributes, reader)),
		);
		return sentAttributes(reader, label, entries.filter(isSent));
	};
	const contact: Contact = {
		email: reader.fixed('email', readId) ?? '',
		firstName: reader.text('firstName'),
		lastName: reader.text('lastName'),
		unsubscribed: unsubscribed === false && !mayResubscribe ? undefined : unsubscribed,
		contactLists: reader.fixed('contactLists', readList),
		attributes: read(ATTRIBUTE, additionalProperties.label, options.additionalProperties),
		surveyAttributes: read(SURVEY_ATTRIBUTE, surveyAttributes.label, options.surveyAttributes),
	};
	reader.finish();
	return contact;
}

/** Returns the entries of a JSON option as cells. */
function jsonCells(prefix: string, option: string, json: IDataObject = {}): Cell[] {
	return Object.entries(json).map(([name, value]) => ({
		id: prefix + name,
		label: `${option}: ${name}`,
		value,
	}));
}

/** Returns an attribute as it is sent; undefined for one without a value. */
function attributeOf(
	{ id, value, type }: Cell,
	prefix: string,
	attributes: AttributeReader,
	reader: CellReader,
): [string, GenericValue] | undefined {
	const name = id.slice(prefix.length);
	if (!isBlank(value)) return attributes.entry(name, value, type);
	const cleared = reader.cleared(value);
	return cleared === undefined ? undefined : attributes.entry(name, cleared);
}

function isSent<Entry>(entry: Entry | undefined): entry is Entry {
	return entry !== undefined;
}

function sentAttributes(
	reader: CellReader,
	label: string,
	entries: Array<[string, GenericValue]>,
): IDataObject | undefined {
	if (entries.length === 0) return undefined;
	return reader.read({ id: label, label, value: undefined }, () => attributesIn(entries));
}

/** Returns the name of an attribute of the survey; undefined for a column of another name. */
function surveyAttributeName(name: string): string | undefined {
	return name.match(/^survey(?:Attribute)?:\s*(.+)$/i)?.[1];
}

/** A contact of Survey B has an integer ID and its attributes in an object. */
function recordNames(row: IDataObject): string[] {
	return Number.isInteger(row.id) && isObject(row.attributes) ? RECORD_NAMES : [];
}

/** Returns the cells of the `attributes` object that the service's own records have. */
function attributeCells(name: string, value: unknown): Cell[] | undefined {
	if (name !== 'attributes' || !isObject(value)) return undefined;
	return Object.entries(value).map(([label, inside]) => ({
		id: ATTRIBUTE + label,
		label,
		value: inside,
	}));
}

/** The columns that every account has, by operation. */
export function fixedColumns(operation: string): Column[] {
	return operation === 'send' ? PERSON : [...PERSON, UNSUBSCRIBED, CONTACT_LIST];
}

/** Reads the columns that an operation has in this account, beyond the fixed ones or with choices. */
export async function accountColumns(readRows: ReadRows, operation: string): Promise<Column[]> {
	if (operation === 'send') return await accountAttributes(readRows);
	const [list, attributes] = await Promise.all([
		contactListColumn(readRows),
		accountAttributes(readRows),
	]);
	return [list, ...attributes.filter(({ id }) => id.startsWith(ATTRIBUTE))];
}

/** Returns the Contact List column with the account's lists as choices. */
async function contactListColumn(readRows: ReadRows): Promise<Column> {
	const rows = await readRows(get('/api/lists/'), 'results');
	const options = rows.map(({ id, name }) => ({ name: String(name ?? id), value: String(id) }));
	return { ...CONTACT_LIST, type: 'options', options };
}

/** Reads the attributes of the first contacts and of the newest surveys (contract: contacts, feedback). */
async function accountAttributes(readRows: ReadRows): Promise<Column[]> {
	const [contacts, feedback] = await Promise.all([
		readRows(get('/api/v2/contacts/'), 'results'),
		readRows(get('/api/v2/feedback/'), 'results'),
	]);
	return [
		...attributeColumns(ATTRIBUTE, '', [...contacts, ...feedback.map(({ contact }) => contact)]),
		...attributeColumns(
			SURVEY_ATTRIBUTE,
			'Survey: ',
			feedback.map(({ survey }) => survey),
		),
	];
}

/** Returns a column for each attribute that these records have. */
function attributeColumns(prefix: string, label: string, records: unknown[]): Column[] {
	const values = new Map<string, unknown[]>();
	for (const { attributes } of records.filter(isObject)) {
		for (const [name, value] of Object.entries(isObject(attributes) ? attributes : {})) {
			const known = values.get(name);
			if (known) known.push(value);
			else values.set(name, [value]);
		}
	}
	return [...values]
		.map(([name, all]) => ({
			id: prefix + name,
			displayName: label + name,
			type: attributeType(all),
		}))
		.sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
}
