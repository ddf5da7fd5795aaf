import type { GenericValue, IDataObject } from 'n8n-workflow';

import { Failure } from '../../shared/base/failure';
import { isObject, jsonValue, wholeNumber } from '../../shared/base/json';
import { compareTexts } from '../../shared/base/text';
import type { ReadRecords } from '../../shared/fields/field';
import { flag, perItem } from '../../shared/fields/kinds';
import { dateOrder } from '../../shared/fields/common';
import { idsOf, personColumns, unsubscribed } from '../../surveys/people';
import { readList, readName } from '../../shared/fields/values';
import { get } from '../../shared/http/request';
import { columns, jsonOption, mappingOptions } from '../../shared/mapping/columns';
import type { MappedItem } from '../../shared/mapping/mappedItem';
import { columnType, commonType, typeOf } from '../../shared/mapping/runProperties';
import type { Cell, Column } from '../../shared/mapping/shape';
import { isOptOutName, objectionOf, readUnsubscribed } from '../../surveys/optOut';
import { AttributeReader, attributesIn } from './attributes';
import { numericId } from './common';

// The columns of a contact and of a survey (contract: POST contacts, POST survey).

const ATTRIBUTE = 'attribute:';
const SURVEY_ATTRIBUTE = 'surveyAttribute:';
const SURVEY_LABEL = 'Survey:';

const CONTACT_LIST: Column = {
	id: 'contactLists',
	displayName: 'Contact List',
	type: 'string',
	aliases: ['contactListId', 'contactListIds'],
};

/** The columns that every account has for a contact. @internal */
export const FIXED = [...personColumns, unsubscribed, CONTACT_LIST];

const placeholder = 'e.g. { "plan": "pro", "seats": 12 }';
const additionalProperties = jsonOption(
	'Additional Properties (JSON)',
	placeholder,
	'More contact attributes',
);
const surveyAttributes = jsonOption(
	'Survey Attributes (JSON)',
	placeholder,
	'Attributes of this survey only',
);
const valueOptions = {
	dateOrder,
	...mappingOptions('Attributes', 'names, attributes and contact lists'),
	additionalProperties,
};

const isNumber = (value: unknown) => typeof value === 'number';

const base = {
	properties: {
		idOf(name: string) {
			if (name.startsWith(SURVEY_ATTRIBUTE)) return name;
			return name.startsWith(SURVEY_LABEL)
				? SURVEY_ATTRIBUTE + name.slice(SURVEY_LABEL.length).trim()
				: ATTRIBUTE + name;
		},
		prefixes: { additionalProperties: ATTRIBUTE },
		isNumber,
		typeNames: { string: 'text', dateTime: 'date', array: 'list' },
		read: accountAttributes,
	},
	ownRecord: {
		isOwn: isContact,
		systemColumns: ['id', 'created_date'],
		column: 'attributes',
		cells: attributeCells,
	},
};

interface MappedContact {
	email: string;
	/** The contact that both endpoints take. */
	contact: IDataObject;
	/** The attributes that Survey B would reject. */
	skippedAttributes?: string[];
}

export const contactColumns = columns('Survey B', {
	...base,
	example: `Column IDs: ${idsOf(FIXED)}, and attribute:<name> for each attribute.`,
	fixed: FIXED,
	options: {
		...valueOptions,
		resubscribe: perItem(
			flag({
				displayName: 'Resubscribe',
				description:
					'Whether Unsubscribed = false subscribes the contact again. Without this option, only true is sent.',
			}),
		),
	},
	read(item, options): MappedContact {
		const given = item.fixed(unsubscribed.id, readUnsubscribed);
		// A model has to fill every boolean that n8n lets it fill, and most contacts in a CRM are not unsubscribed.
		const isResubscribed = given === false && options.resubscribe === true;
		const reader = new AttributeReader(item.context);
		return mappedContact(item, reader, {
			// promise: no-resubscribe
			unsubscribed: given || (isResubscribed ? false : undefined),
			contact_list: item.list('contactLists', readListIds, 'list'),
		});
	},
});

/** The columns of a survey: it takes no status and no lists, and has attributes of its own. */
export const surveyColumns = columns('Survey B', {
	...base,
	isGuard: isOptOutName,
	example: `Column IDs: ${idsOf([...personColumns, unsubscribed])}; attribute:<name> is saved on the contact, surveyAttribute:<name> on this survey only.`,
	properties: {
		...base.properties,
		prefixes: { ...base.properties.prefixes, surveyAttributes: SURVEY_ATTRIBUTE },
	},
	// An item that says that the person unsubscribed is skipped; the request has no such field.
	fixed: [...personColumns, unsubscribed, { ...CONTACT_LIST, isOfOther: true }],
	options: { ...valueOptions, surveyAttributes },
	read(item) {
		const reader = new AttributeReader(item.context);
		const { label } = surveyAttributes;
		const ofSurvey = attributeValues(item, reader, SURVEY_ATTRIBUTE, label);
		const contact = mappedContact(item, reader);
		return {
			surveyAttributes: ofSurvey,
			...contact,
			objection: objectionOf(item, contact.email),
		};
	},
});

function mappedContact(
	item: MappedItem,
	reader: AttributeReader,
	more: IDataObject = {},
): MappedContact {
	const email = item.email();
	const contact = {
		email,
		first_name: item.text('firstName'),
		last_name: item.text('lastName'),
		attributes: attributeValues(item, reader, ATTRIBUTE, additionalProperties.label),
		...more,
	};
	const skippedAttributes = reader.skipped.length > 0 ? reader.skipped : undefined;
	return { email, contact, skippedAttributes };
}

export function withSkipped(output: IDataObject, skippedAttributes?: string[]): IDataObject {
	return skippedAttributes ? { ...output, skippedAttributes } : output;
}

/** Reads the attributes with a prefix. @param label names them in the failure of two with one name */
function attributeValues(item: MappedItem, reader: AttributeReader, prefix: string, label: string) {
	const entries = item.properties<[string, GenericValue]>(prefix, (name, value, type, isOwn) =>
		isOwn ? [readName(name), jsonValue(value)] : reader.entry(name, value, type),
	);
	if (entries.length === 0) return undefined;
	try {
		return attributesIn(entries);
	} catch (error) {
		return item.failCell({ label, value: undefined }, error);
	}
}

function readListIds(value: unknown): number[] | undefined {
	return readList(value)?.map((entry) => {
		const id = numericId(entry);
		if (typeof id === 'number') return id;
		throw Failure.value(
			'must be the IDs of contact lists, such as 11: Contact List → Get Many has them',
		);
	});
}

/**
 * Tables may have a numeric ID and this date, and records of Salesforce and Brevo have `attributes`: only a contact of the
 * service has all three, or its state in place of the attributes.
 */
function isContact({ id, created_date, unsubscribed: state, attributes }: IDataObject): boolean {
	const isOfService = state !== undefined || attributes !== undefined;
	return isOfService && wholeNumber(id) !== undefined && created_date !== undefined;
}

function attributeCells({ attributes }: IDataObject): Cell[] | undefined {
	if (!isObject(attributes)) return undefined;
	return Object.entries(attributes).map(([label, value]) => {
		const type = columnType(typeOf(value, isNumber));
		return { id: ATTRIBUTE + label, label, value, type, source: 'record' };
	});
}

export async function accountColumns(
	readRecords: ReadRecords,
	operation: string,
): Promise<Column[]> {
	if (operation === 'send') {
		return [...personColumns, unsubscribed, ...(await accountAttributes(readRecords))];
	}
	const [lists, attributes] = await Promise.all([
		readRecords(get('/api/lists/')),
		accountAttributes(readRecords),
	]);
	const choices = lists.map(({ id, name }) => ({ name: String(name ?? id), value: String(id) }));
	const ofContacts = attributes.filter(({ id }) => id.startsWith(ATTRIBUTE));
	return [
		...personColumns,
		unsubscribed,
		{ ...CONTACT_LIST, type: 'options', options: choices },
		...ofContacts,
	];
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
		...attributeColumns(SURVEY_ATTRIBUTE, `${SURVEY_LABEL} `, surveys),
	];
}

function attributeColumns(prefix: string, label: string, records: unknown[]): Column[] {
	const types = new Map<string, ReturnType<typeof commonType>>();
	for (const { attributes } of records.filter(isObject)) {
		for (const [name, value] of Object.entries(isObject(attributes) ? attributes : {})) {
			types.set(
				name,
				commonType(types.get(name), value, () => typeOf(value, isNumber)),
			);
		}
	}
	const named = [...types].map(([name, type]) => {
		return { id: prefix + name, displayName: label + name, type: columnType(type) };
	});
	return named.sort((a, b) => compareTexts(a.displayName, b.displayName));
}
