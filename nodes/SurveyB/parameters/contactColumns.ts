import type { FieldType, IDataObject } from 'n8n-workflow';

import { Failure } from '../../shared/base/failure';
import { isObject, wholeNumber } from '../../shared/base/json';
import { compareTexts } from '../../shared/base/text';
import { columns, mappingOptions } from '../../shared/fields/columns';
import type { ReadRecords } from '../../shared/fields/field';
import { flag, json } from '../../shared/fields/fields';
import { columnKey, commonType, namesOf, typeOf } from '../../shared/fields/mappedItem';
import type { Cell, Column, MappedItem } from '../../shared/fields/mappedItem';
import { dateOrder, personColumns, unsubscribed } from '../../shared/fields/sharedFields';
import { readBoolean, readEmail, readList } from '../../shared/fields/values';
import { get } from '../../shared/http/request';
import { AttributeReader, attributesIn, rejectedCharacters } from './attributes';
import { numericId } from './fields';

// The columns of a contact and of a survey (contract: POST contacts, POST survey).

const ATTRIBUTE = 'attribute:';
const SURVEY_ATTRIBUTE = 'surveyAttribute:';

const CONTACT_LIST: Column = {
	id: 'contactLists',
	displayName: 'Contact List',
	type: 'string',
	aliases: ['contactListId', 'contactListIds'],
};

/** The columns that every account has for a contact. @internal */
export const FIXED = [...personColumns, unsubscribed, CONTACT_LIST];

const CONTACT_LIST_KEYS = new Set(namesOf(CONTACT_LIST).map(columnKey));

/** The names that the service writes in its own records. */
const OWN_NAMES = new Set(['id', 'created_date']);

const placeholder = 'e.g. { "plan": "pro", "seats": 12 }';
const additionalProperties = json({
	displayName: 'Additional Properties (JSON)',
	placeholder,
	description:
		'More contact attributes as a JSON object of names and values. A mapped column with the same name wins. Without this option, there are none.',
});
const surveyAttributes = json({
	displayName: 'Survey Attributes (JSON)',
	placeholder,
	description:
		'Attributes of this survey only, as a JSON object of names and values. A mapped column with the same name wins. Without this option, there are none.',
});
const valueOptions = {
	dateOrder,
	...mappingOptions('Attributes', 'names, attributes and, by an empty list, contact lists'),
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
		prefixes: { additionalProperties: ATTRIBUTE },
		isNumber,
		typeNames: { string: 'text', dateTime: 'date', array: 'list' },
		read: accountAttributes,
	},
	expand: attributeCells,
};

const idsOf = (named: Column[]) => named.map(({ id }) => id).join(', ');

/** The columns of a contact. */
export const contactColumns = columns('Survey B', {
	...base,
	example: `Column IDs: ${idsOf(FIXED)}, and attribute:<name> for each attribute; a new name creates it.
columns: { mappingMode: 'defineBelow', value: { email: expr('{{ $json.email }}'), firstName: expr('{{ $json.first_name }}'), 'attribute:plan': 'Team' } }`,
	fixed: FIXED,
	isLeftOut: (name, item) => isOwn(name, item) || surveyAttributeName(name) !== undefined,
	options: {
		...valueOptions,
		resubscribe: flag({
			displayName: 'Resubscribe',
			description:
				'Whether Unsubscribed = false subscribes the contact again. Without this option, only true is sent.',
		}),
	},
	read(item, options) {
		const isOptedOut = item.fixed('unsubscribed', readBoolean);
		// A model has to fill every boolean that n8n lets it fill, and most contacts in a CRM are not unsubscribed.
		const mayResubscribe = options.resubscribe === true;
		return {
			...contactOf(item, new AttributeReader(item.context, options.rejectedCharacters)),
			// promise: no-resubscribe
			unsubscribed: isOptedOut === false && !mayResubscribe ? undefined : isOptedOut,
			contact_list: item.list('contactLists', readListIds, 'list'),
		};
	},
});

/** The columns of a survey: it takes no status and no lists, and has attributes of its own. */
export const surveyColumns = columns('Survey B', {
	...base,
	example: `Column IDs: ${idsOf(personColumns)}; attribute:<name> is saved on the contact, surveyAttribute:<name> on this survey only; a new name creates it.
columns: { mappingMode: 'defineBelow', value: { email: expr('{{ $json.email }}'), 'attribute:plan': 'Team', 'surveyAttribute:order': expr('{{ $json.order }}') } }`,
	extra: {
		...base.extra,
		prefixes: { ...base.extra.prefixes, surveyAttributes: SURVEY_ATTRIBUTE },
	},
	// An item that says that the person unsubscribed is skipped; the request has no such field.
	fixed: [...personColumns, { ...unsubscribed, isNotSent: true }],
	isLeftOut: (name, item) => isOwn(name, item) || CONTACT_LIST_KEYS.has(columnKey(name)),
	options: { ...valueOptions, surveyAttributes },
	read(item, options) {
		const reader = new AttributeReader(item.context, options.rejectedCharacters);
		return {
			...contactOf(item, reader),
			unsubscribed: item.fixed('unsubscribed', readBoolean) || undefined,
			surveyAttributes: attributeValues(item, reader, SURVEY_ATTRIBUTE, surveyAttributes.label),
		};
	},
});

/** Returns the contact that both endpoints take. */
function contactOf(item: MappedItem, reader: AttributeReader) {
	return {
		email: item.fixed('email', readEmail) ?? '',
		first_name: item.text('firstName'),
		last_name: item.text('lastName'),
		attributes: attributeValues(item, reader, ATTRIBUTE, additionalProperties.label),
	};
}

/** Reads the attributes with a prefix. @param label names them in the failure of two with one name */
function attributeValues(item: MappedItem, reader: AttributeReader, prefix: string, label: string) {
	const entries = item.extras(prefix, (name, value, type) => reader.entry(name, value, type));
	if (entries.length === 0) return undefined;
	try {
		return attributesIn(entries);
	} catch (error) {
		return item.failCell({ label, value: undefined }, error);
	}
}

/** Reads the IDs of contact lists, which are numbers. */
function readListIds(value: unknown): number[] | undefined {
	return readList(value)?.map((entry) => {
		const id = numericId(entry);
		if (typeof id === 'number') return id;
		throw Failure.value(
			'must be the IDs of contact lists, such as 11: Contact List → Get Many has them',
		);
	});
}

/** Returns the name of an attribute of the survey; undefined for a column of another name. */
function surveyAttributeName(name: string): string | undefined {
	return name.match(/^survey(?:Attribute)?:\s*(.+)/is)?.[1];
}

/** Returns whether a column is one that the service itself writes in its records. */
function isOwn(name: string, item: IDataObject): boolean {
	return OWN_NAMES.has(name) && isContact(item);
}

/** The names that only a contact of the service has, and those that others have, too. */
const NAMES_OF_CONTACT = ['first_name', 'last_name', 'created_date', 'unsubscribed'];
const COMMON_NAMES = ['id', 'email', 'attributes'];

/**
 * Returns whether an item is a contact as the service returns it. Feedback and the records of Salesforce and Brevo have
 * `attributes`, too.
 */
function isContact(item: IDataObject): boolean {
	const { attributes, id } = item;
	if (!isObject(attributes) && attributes !== null) return false;
	if (isOfFeedback(attributes)) return false;
	if ('first_name' in item) return true;
	const names = Object.keys(item);
	const isOwn = names.some((name) => NAMES_OF_CONTACT.includes(name));
	const isAll = names.every((name) => COMMON_NAMES.includes(name));
	return wholeNumber(id) !== undefined && (isOwn || isAll);
}

/** Returns whether attributes are those of feedback: one object of the contact's and one of the survey's. */
function isOfFeedback(attributes: IDataObject | null): boolean {
	return isObject(attributes?.contact) && isObject(attributes.survey);
}

/** Returns the cells of the `attributes` object that the service's own contacts have. */
function attributeCells(column: string, item: IDataObject): Cell[] | undefined {
	if (column !== 'attributes' || !isContact(item) || !isObject(item.attributes)) return undefined;
	return Object.entries(item.attributes).map(([label, value]) => {
		const type = typeOf(value, isNumber);
		return { id: ATTRIBUTE + label, label, value, type, source: 'record' };
	});
}

/** Reads the columns that can be mapped: those of every account, then the attributes of this one. */
export async function accountColumns(
	readRecords: ReadRecords,
	operation: string,
): Promise<Column[]> {
	if (operation === 'send') return [...personColumns, ...(await accountAttributes(readRecords))];
	const [lists, attributes] = await Promise.all([
		readRecords(get('/api/lists/')),
		accountAttributes(readRecords),
	]);
	const options = lists.map(({ id, name }) => ({ name: String(name ?? id), value: String(id) }));
	const ofContacts = attributes.filter(({ id }) => id.startsWith(ATTRIBUTE));
	return [
		...personColumns,
		unsubscribed,
		{ ...CONTACT_LIST, type: 'options', options },
		...ofContacts,
	];
}

/** Returns whether a column is one of another operation: surveys have no lists, and contacts no attributes of a survey. */
export function isOfOtherOperation(id: string, operation: string): boolean {
	return operation === 'send'
		? CONTACT_LIST_KEYS.has(columnKey(id))
		: surveyAttributeName(id) !== undefined;
}

/** Reads the attributes of the first contacts and of the newest surveys (contract: contacts, feedback). */
async function accountAttributes(readRecords: ReadRecords): Promise<Column[]> {
	const [contacts, feedback] = await Promise.all([
		readRecords(get('/api/v2/contacts/')),
		readRecords(get('/api/v2/feedback/')),
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
	const types = new Map<string, FieldType | undefined>();
	for (const { attributes } of records.filter(isObject)) {
		for (const [name, value] of Object.entries(isObject(attributes) ? attributes : {})) {
			types.set(name, commonType(types.get(name), value, isNumber));
		}
	}
	const found = [...types].map(([name, type = 'string']) => {
		return { id: prefix + name, displayName: label + name, type };
	});
	return found.sort((a, b) => compareTexts(a.displayName, b.displayName));
}
