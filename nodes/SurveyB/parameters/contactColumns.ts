import type { FieldType, IDataObject } from 'n8n-workflow';

import { get } from '../../shared/http/request';
import { isObject } from '../../shared/http/json';
import { CellReader, columns } from '../../shared/parameters/columns';
import type { Cell, Column, ColumnSpec, EmptyValues } from '../../shared/parameters/columns';
import { flag, json } from '../../shared/parameters/fields';
import type { ReadRows } from '../../shared/parameters/parameters';
import { dateOrder, emptyValues } from '../../shared/parameters/sharedFields';
import { isBlank, readBoolean, readId, readList } from '../../shared/parameters/values';
import { AttributeReader, attributesIn, rejectedCharacters } from './attributes';
import type { RejectedCharacters } from './attributes';

// The columns of a contact and of a survey (contract: POST contacts, POST survey).

/** A contact as it is sent. */
export interface Contact {
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

export const PERSON: Column[] = [
	{ id: 'email', displayName: 'Email', type: 'string', required: true },
	{ id: 'firstName', displayName: 'First Name', type: 'string' },
	{ id: 'lastName', displayName: 'Last Name', type: 'string' },
];
const CONTACT_LISTS: Column = {
	id: 'contactLists',
	displayName: 'Contact List',
	type: 'options',
	aliases: ['contactListId', 'contactListIds', 'contactLists'],
};
export const CONTACT: Column[] = [
	...PERSON,
	{ id: 'unsubscribed', displayName: 'Unsubscribed', type: 'boolean' },
	CONTACT_LISTS,
];

const valueOptions = {
	dateOrder,
	emptyValues: emptyValues('names and attributes'),
	rejectedCharacters,
	additionalProperties: attributesJson(
		'Additional Properties (JSON)',
		'Attributes to save on the contact, as a JSON object of names and values, such as those that the account does not have yet. A mapped column with the same name wins.',
	),
};

function attributesJson(displayName: string, description: string) {
	const placeholder = 'e.g. { "plan": "pro", "seats": 12 }';
	return json({ displayName, placeholder, description });
}

interface ValueOptions {
	emptyValues?: EmptyValues;
	rejectedCharacters?: RejectedCharacters;
	additionalProperties?: IDataObject;
	surveyAttributes?: IDataObject;
	resubscribe?: boolean;
}

const base: Omit<ColumnSpec<ValueOptions, Contact>, 'fixed' | 'options' | 'ownNames'> = {
	extra: {
		idOf: (name) => {
			const [, ofSurvey] = name.match(/^survey(?:Attribute)?:\s*(.+)$/i) ?? [];
			return ofSurvey === undefined ? ATTRIBUTE + name : SURVEY_ATTRIBUTE + ofSurvey;
		},
		plural: 'Attributes',
		// Attributes are JSON: a value keeps its own type unless the account has a date.
		typeOf: () => '',
		isAmbiguous: (values) =>
			values.some((value) => typeof value === 'string' && SLASHED.test(value)),
		typeOfField: (type) => type ?? '',
		typeName: (type) => (type === 'dateTime' ? 'date' : 'attribute'),
		read: accountAttributes,
	},
	expand(name, value) {
		if (name !== 'attributes' || !isObject(value)) return undefined;
		return Object.entries(value).map(([key, inside]) => ({
			id: ATTRIBUTE + key,
			label: key,
			value: inside,
		}));
	},
	read(cells, options, context, isAutomatic) {
		const reader = new CellReader(cells, options.emptyValues);
		const attributes = new AttributeReader(context, options.rejectedCharacters);
		const read = (prefix: string, more?: IDataObject) =>
			attributesIn(
				withMore(cells, prefix, more).map((cell) =>
					reader.read(cell, (value) => entryOf(cell, prefix, value, attributes, reader)),
				),
			);
		const contact: Contact = {
			email: reader.fixed('email', readId) ?? '',
			firstName: reader.text('firstName'),
			lastName: reader.text('lastName'),
			unsubscribed: optOut(reader, isAutomatic && options.resubscribe !== true),
			contactLists: reader.fixed('contactLists', readList),
			attributes: read(ATTRIBUTE, options.additionalProperties),
			surveyAttributes: read(SURVEY_ATTRIBUTE, options.surveyAttributes),
		};
		reader.finish();
		return contact;
	},
};

/** The columns of a contact. */
export const contactColumns = columns<ValueOptions, Contact>('Survey B', {
	...base,
	fixed: CONTACT,
	ownNames: (row) => (isContact(row) ? RECORD_NAMES : []),
	options: {
		...valueOptions,
		resubscribe: flag({
			displayName: 'Resubscribe',
			displayOptions: { show: { '/columns.mappingMode': ['autoMapInputData'] } },
			description:
				'Whether a column Unsubscribed that holds false subscribes the contact again. Without this option only true is sent, so that no one is subscribed again by accident.',
		}),
	},
});

/** The columns of a survey: it takes no status and no lists, and has attributes of its own. */
export const surveyColumns = columns<ValueOptions, Contact>('Survey B', {
	...base,
	fixed: PERSON,
	ownNames: (row) => [
		...CONTACT.slice(PERSON.length).flatMap(({ id, displayName, aliases = [] }) => [
			...[id, displayName, ...aliases],
		]),
		...(isContact(row) ? RECORD_NAMES : []),
	],
	options: {
		...valueOptions,
		surveyAttributes: attributesJson(
			'Survey Attributes (JSON)',
			'Attributes of this survey only, such as an order number, as a JSON object of names and values. A mapped column with the same name wins.',
		),
	},
});

/** The names that the service itself writes into a contact. */
const RECORD_NAMES = ['id', 'created_date'];

/** A contact of Survey B has an integer ID and its attributes in an object. */
function isContact(row: IDataObject): boolean {
	return Number.isInteger(row.id) && isObject(row.attributes);
}

/** Returns the Contact List column with the account's lists as choices. */
export async function contactListColumn(readRows: ReadRows): Promise<Column> {
	const rows = await readRows(get('/api/lists/'), 'results');
	const options = rows.map(({ id, name }) => ({ name: String(name ?? id), value: String(id) }));
	return { ...CONTACT_LISTS, options };
}

/** Reads the attributes that contacts have. */
export async function contactAttributes(readRows: ReadRows): Promise<Column[]> {
	const all = await accountAttributes(readRows);
	return all.filter(({ id }) => id.startsWith(ATTRIBUTE));
}

/** Reads the attributes of the first contacts and of the newest surveys (contract: contacts, feedback). */
export async function accountAttributes(readRows: ReadRows): Promise<Column[]> {
	const [contacts, feedback] = await Promise.all([
		readRows(get('/api/v2/contacts/'), 'results'),
		readRows(get('/api/v2/feedback/'), 'results'),
	]);
	const inside = (rows: unknown[]) => rows.filter(isObject).map(({ attributes }) => attributes);
	const ofContacts = [...contacts, ...feedback.map(({ contact }) => contact)];
	return [
		...attributeColumns(ATTRIBUTE, '', inside(ofContacts)),
		...attributeColumns(SURVEY_ATTRIBUTE, 'Survey: ', inside(feedback.map(({ survey }) => survey))),
	];
}

function attributeColumns(prefix: string, label: string, found: unknown[]): Column[] {
	const values = new Map<string, unknown[]>();
	for (const [name, value] of found.filter(isObject).flatMap(Object.entries)) {
		values.set(name, [...(values.get(name) ?? []), value]);
	}
	return [...values]
		.map(([name, all]) => ({
			id: prefix + name,
			displayName: label + name,
			type: fieldTypeOf(all.filter((value) => !isBlank(value))),
		}))
		.sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
}

function fieldTypeOf(values: unknown[]): FieldType {
	if (values.length === 0) return 'string';
	if (values.every((value) => typeof value === 'number')) return 'number';
	if (values.every((value) => typeof value === 'boolean')) return 'boolean';
	if (values.every(Array.isArray)) return 'array';
	if (values.every((value) => typeof value === 'object')) return 'object';
	return values.every((value) => ISO_DATE.test(String(value))) ? 'dateTime' : 'string';
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}Z?)?)?$/;
const SLASHED = /^\d{1,4}[./-]\d{1,2}[./-]\d{1,4}/;

/** Unsubscribed may be set by any column, but taken back only by a field that the user mapped. */
function optOut(reader: CellReader, onlyTrue: boolean): boolean | undefined {
	const unsubscribed = reader.fixed('unsubscribed', readBoolean);
	return onlyTrue && unsubscribed === false ? undefined : unsubscribed;
}

/** Returns the cells with a prefix, and the entries of a JSON option that no cell has. */
function withMore(cells: Cell[], prefix: string, more: IDataObject = {}): Cell[] {
	const own = cells.filter(({ id }) => id.startsWith(prefix));
	const ids = new Set(own.map(({ id }) => id));
	const others = Object.entries(more)
		.map(([name, value]) => ({ id: prefix + name, label: name, value }))
		.filter(({ id }) => !ids.has(id));
	return [...others, ...own];
}

function entryOf(
	{ id, type }: Cell,
	prefix: string,
	value: unknown,
	attributes: AttributeReader,
	reader: CellReader,
) {
	const name = id.slice(prefix.length);
	if (!isBlank(value)) return attributes.entry(name, value, type);
	const cleared = reader.cleared(value);
	return cleared === undefined ? undefined : attributes.entry(name, cleared);
}
