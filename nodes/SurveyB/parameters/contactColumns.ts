import type { IDataObject } from 'n8n-workflow';

import { get } from '../../shared/http/request';
import { isObject, wholeNumber } from '../../shared/base/json';
import { columns, mappingOptions, onlyAutomatic } from '../../shared/fields/columns';
import type { RowOptions } from '../../shared/fields/columns';
import { columnKey, RunColumn, typeOf } from '../../shared/fields/runColumns';
import type { MappedRow } from '../../shared/fields/mappedRow';
import type { Cell, Column, ReadRecords } from '../../shared/fields/mapping';
import { flag, json } from '../../shared/fields/fields';
import { dateOrder } from '../../shared/fields/sharedFields';
import { readBoolean, readId, readList } from '../../shared/fields/values';
import { AttributeReader, attributesIn, rejectedCharacters } from './attributes';
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
	{
		id: 'email',
		displayName: 'Email',
		type: 'string',
		required: true,
		aliases: ['emailAddress'],
	},
	{ id: 'firstName', displayName: 'First Name', type: 'string' },
	{ id: 'lastName', displayName: 'Last Name', type: 'string' },
];
const CONTACT_LIST: Column = {
	id: 'contactLists',
	displayName: 'Contact List',
	type: 'string',
	aliases: ['contactListId', 'contactListIds'],
};
const UNSUBSCRIBED: Column = { id: 'unsubscribed', displayName: 'Unsubscribed', type: 'boolean' };
const CONTACT_ONLY = [UNSUBSCRIBED, CONTACT_LIST];

/** The columns that every account has for a contact. @internal */
export const FIXED = [...PERSON, ...CONTACT_ONLY];

const CONTACT_ONLY_KEYS = new Set(
	CONTACT_ONLY.flatMap(({ id, displayName, aliases = [] }) => [id, displayName, ...aliases]).map(
		columnKey,
	),
);

/** The names that the service writes in its own records. */
const OWN_NAMES = new Set(['id', 'created_date']);

interface ValueOptions extends RowOptions {
	rejectedCharacters?: RejectedCharacters;
	additionalProperties?: IDataObject;
	surveyAttributes?: IDataObject;
	resubscribe?: boolean;
}

const placeholder = 'e.g. { "plan": "pro", "seats": 12 }';
const additionalProperties = json({
	displayName: 'Additional Properties (JSON)',
	placeholder,
	description:
		'Attributes to save on the contact, as a JSON object of names and values, such as those that the account does not have yet. A mapped column with the same name wins.',
});
const surveyAttributes = json({
	displayName: 'Survey Attributes (JSON)',
	placeholder,
	description:
		'Attributes of this survey only, such as an order number, as a JSON object of names and values. A mapped column with the same name wins.',
});
const valueOptions = {
	dateOrder,
	...mappingOptions('Attributes', 'names and attributes'),
	rejectedCharacters,
	additionalProperties,
};

const isNumber = (value: unknown) => typeof value === 'number';

const base = {
	extra: {
		idOf: (name: string) => {
			const ofSurvey = surveyAttributeName(name);
			if (ofSurvey !== undefined) return SURVEY_ATTRIBUTE + ofSurvey;
			return name.startsWith(ATTRIBUTE) ? name : ATTRIBUTE + name;
		},
		prefixes: [ATTRIBUTE],
		isNumber,
		typeNames: { string: 'text', dateTime: 'date', array: 'list' },
		json: [
			{
				option: 'additionalProperties',
				prefix: ATTRIBUTE,
				label: additionalProperties.label,
			},
		],
		read: accountAttributes,
	},
	expand: attributeCells,
	read: readContact,
};

/** The columns of a contact. */
export const contactColumns = columns<ValueOptions, Contact>('Survey B', {
	...base,
	fixed: FIXED,
	isLeftOut: (name, row) => isOwn(name, row) || surveyAttributeName(name) !== undefined,
	options: {
		...valueOptions,
		resubscribe: flag({
			displayName: 'Resubscribe',
			displayOptions: onlyAutomatic,
			description:
				'Whether a column Unsubscribed that holds false subscribes the contact again. Without this option only true is sent, so that no one is subscribed again by accident.',
		}),
	},
});

/** The columns of a survey: it takes no status and no lists, and has attributes of its own. */
export const surveyColumns = columns<ValueOptions, Contact>('Survey B', {
	...base,
	extra: {
		...base.extra,
		prefixes: [ATTRIBUTE, SURVEY_ATTRIBUTE],
		json: [
			...base.extra.json,
			{ option: 'surveyAttributes', prefix: SURVEY_ATTRIBUTE, label: surveyAttributes.label },
		],
	},
	fixed: PERSON,
	isLeftOut: (name, row) => isOwn(name, row) || CONTACT_ONLY_KEYS.has(columnKey(name)),
	options: { ...valueOptions, surveyAttributes },
});

function readContact(row: MappedRow, options: ValueOptions, isAutomatic: boolean): Contact {
	const attributes = new AttributeReader(row.context, options.rejectedCharacters);
	const unsubscribed = row.fixed('unsubscribed', readBoolean);
	// Only what the user mapped by hand or asked for may subscribe a person again.
	const mayResubscribe = !isAutomatic || options.resubscribe === true;
	const read = (prefix: string, label: string) => {
		const entries = row.extras(prefix, (name, value, type) => attributes.entry(name, value, type));
		if (entries.length === 0) return undefined;
		try {
			return attributesIn(entries);
		} catch (error) {
			return row.failCell({ label, value: undefined }, error);
		}
	};
	return {
		email: row.fixed('email', readId) ?? '',
		firstName: row.text('firstName'),
		lastName: row.text('lastName'),
		unsubscribed: unsubscribed === false && !mayResubscribe ? undefined : unsubscribed,
		contactLists: row.fixed('contactLists', readList),
		attributes: read(ATTRIBUTE, additionalProperties.label),
		surveyAttributes: read(SURVEY_ATTRIBUTE, surveyAttributes.label),
	};
}

/** Returns the name of an attribute of the survey; undefined for a column of another name. */
function surveyAttributeName(name: string): string | undefined {
	return name.match(/^survey(?:Attribute)?:\s*(.+)$/i)?.[1];
}

/** Returns whether a column is one that the service itself writes in its records. */
function isOwn(name: string, row: IDataObject): boolean {
	return OWN_NAMES.has(name) && isContact(row);
}

/** Returns whether a row is a contact as the service returns it. Salesforce's records have `attributes`, too. */
function isContact(row: IDataObject): boolean {
	const { attributes, id } = row;
	const hasAttributes = isObject(attributes) || attributes === null;
	return hasAttributes && (wholeNumber(id) !== undefined || 'first_name' in row);
}

/** Returns the cells of the `attributes` object that the service's own contacts have. */
function attributeCells(column: string, row: IDataObject): Cell[] | undefined {
	if (column !== 'attributes' || !isContact(row) || !isObject(row.attributes)) return undefined;
	return Object.entries(row.attributes).map(([label, value]) => {
		return { id: ATTRIBUTE + label, label, value, type: typeOf(value, isNumber) };
	});
}

/** Reads the columns that can be mapped: those of every account, then the attributes of this one. */
export async function accountColumns(
	readRecords: ReadRecords,
	operation: string,
): Promise<Column[]> {
	if (operation === 'send') return [...PERSON, ...(await accountAttributes(readRecords))];
	const [list, attributes] = await Promise.all([
		contactListColumn(readRecords),
		accountAttributes(readRecords),
	]);
	const ofContacts = attributes.filter(({ id }) => id.startsWith(ATTRIBUTE));
	return [...PERSON, UNSUBSCRIBED, list, ...ofContacts];
}

/** Returns the Contact List column with the account's lists as choices. */
async function contactListColumn(readRecords: ReadRecords): Promise<Column> {
	const lists = await readRecords(get('/api/lists/'), 'results');
	const options = lists.map(({ id, name }) => ({ name: String(name ?? id), value: String(id) }));
	return { ...CONTACT_LIST, type: 'options', options };
}

/** Reads the attributes of the first contacts and of the newest surveys (contract: contacts, feedback). */
async function accountAttributes(readRecords: ReadRecords): Promise<Column[]> {
	const [contacts, feedback] = await Promise.all([
		readRecords(get('/api/v2/contacts/'), 'results'),
		readRecords(get('/api/v2/feedback/'), 'results'),
	]);
	const people = [...contacts, ...feedback.map(({ contact }) => contact)];
	const surveys = feedback.map(({ survey }) => survey);
	return [
		...attributeColumns(ATTRIBUTE, '', people),
		...attributeColumns(SURVEY_ATTRIBUTE, 'Survey: ', surveys),
	];
}

/** Returns a column for each attribute that these records have. */
function attributeColumns(prefix: string, label: string, records: unknown[]): Column[] {
	const columns = new Map<string, RunColumn>();
	for (const { attributes } of records.filter(isObject)) {
		for (const [name, value] of Object.entries(isObject(attributes) ? attributes : {})) {
			const column = columns.get(name) ?? new RunColumn(prefix + name, isNumber);
			columns.set(name, column);
			column.add(value);
		}
	}
	const found = [...columns].map(([name, { id, type }]) => {
		return { id, displayName: label + name, type };
	});
	return found.sort((a, b) => (a.displayName < b.displayName ? -1 : 1));
}
