import type { IDataObject } from 'n8n-workflow';

import {
	customerColumns,
	legacyCustomerColumns,
	typeOf,
} from '../../../nodes/SurveyA/parameters/columns';
import { contactColumns, surveyColumns } from '../../../nodes/SurveyB/parameters/columns';

// What Map Automatically makes of a row: its columns as parameters, as if they had been filled in.

const EMAIL = 'ada@acme.example';
const SETTINGS = { emailColumn: 'email', ignoredColumns: [] };
const inContact = () => 'contact';
const inSurvey = () => 'survey';

const customer = (row: IDataObject) =>
	customerColumns({ email: EMAIL, ...row }, SETTINGS, inContact);
const contact = (row: IDataObject) => contactColumns({ email: EMAIL, ...row }, SETTINGS, inContact);
const survey = (row: IDataObject, valueFor = inContact) =>
	surveyColumns({ email: EMAIL, ...row }, SETTINGS, valueFor);

const property = (label: string, type: string, value: unknown) => ({ label, type, value });

const propertiesOf = (row: IDataObject) => customer(row).parameters.additionalFields;

describe('a customer', () => {
	test.each<[string, IDataObject, string[]]>([
		['its own ID and date as Survey A gives it', { id: '7', createdDate: 'x', companyId: 'c' }, []],
		['its properties and date as Survey A gives it', { properties: [], createdDate: 'x' }, []],
		['an ID of another system', { id: '7', companyId: 'c' }, ['id', 'companyId']],
		[
			'a date of another system',
			{ createdDate: 'x', companyId: 'c' },
			['createdDate', 'companyId'],
		],
		['properties without a date', { id: '7', properties: [] }, ['id']],
	])('with %s: what becomes of the columns', (_, row, labels) => {
		expect(propertiesOf(row)).toEqual({
			properties: { property: labels.map((label) => expect.objectContaining({ label })) },
		});
	});

	test('keeps the properties that Survey A gave, by label or by name, with their types', () => {
		const properties = [
			{ label: 'Plan', type: 'text', value: 'Team' },
			{ name: 'Seats', value: 5 },
			{ label: '', name: 'Since', value: '2026-11-21' },
		];
		expect(propertiesOf({ properties })).toEqual({
			properties: {
				property: [
					property('Plan', 'text', 'Team'),
					property('Seats', 'integer', 5),
					property('Since', 'date', '2026-11-21'),
				],
			},
		});
	});

	test.each<[string, unknown]>([
		['without a value', [{ label: 'Plan' }]],
		['without a name', [{ value: 1 }]],
		['that are no objects', [{ label: 'Plan', value: 1 }, ['label', 'value']]],
		['that are no list', { label: 'Plan', value: 1 }],
	])('with properties %s: they have no place', (_, properties) => {
		const read = customer({ properties: properties as IDataObject });
		expect(read.leftOut).toEqual(['properties']);
		expect(read.parameters.additionalFields).toEqual({ properties: { property: [] } });
	});

	test('has no place for objects, for columns without a name, and for what stands there twice', () => {
		const row = { Address: { city: 'Kiel' }, ' ': 'x', company: 'Acme', companyName: 'Other' };
		expect(customer(row).leftOut).toEqual(['companyName', 'Address', ' ']);
		expect(customer({ Address: null, '': '', company: 'Acme', companyName: '' }).leftOut).toEqual(
			[],
		);
	});

	test('tells which column gave a value', () => {
		const row = { 'First Name': 'Ada', properties: [{ name: 'Plan', value: 1 }], Seats: 2 };
		const { columnAt } = customer(row);
		const within = (...path: PropertyKey[]) => columnAt(['additionalFields', ...path]);
		expect(columnAt(['email'])).toBe('email');
		expect(within('firstName')).toBe('First Name');
		expect(within('properties', 'property', 0, 'value')).toBe('Plan');
		expect(within('properties', 'property', 1, 'value')).toBe('Seats');
		expect(within('properties', 'property', 2, 'value')).toBeUndefined();
		expect(within('lastName')).toBeUndefined();
		expect(columnAt([])).toBeUndefined();
	});

	test('of the deprecated endpoint has no properties', () => {
		const read = legacyCustomerColumns(
			{ email: EMAIL, tags: 'a,b', Plan: 'Team', Empty: '' },
			SETTINGS,
			inContact,
		);
		expect(read.leftOut).toEqual(['Plan']);
		expect(read.parameters).toEqual({
			email: EMAIL,
			additionalFields: { tags: 'a,b', properties: { property: [] } },
		});
	});
});

test.each<[unknown, string]>([
	[true, 'boolean'],
	[7, 'integer'],
	[2 ** 53, 'string'],
	[7.5, 'string'],
	['7', 'string'],
	['007', 'string'],
	[['a'], 'collection'],
	['2026-11-21', 'date'],
	[' 2026-11-21 ', 'date'],
	['2026-11-21T10:30', 'date'],
	['2026-11-21 10:30:00.5+01:00', 'date'],
	['2026-11-21T10:30:00Z', 'date'],
	['2026-11-21T10:30:00 +0100', 'date'],
	['2026-11-21T10', 'string'],
	['2026-11-21 and more', 'string'],
	['on 2026-11-21', 'string'],
	['21.11.2026', 'string'],
	[new Date(0), 'date'],
	[null, 'string'],
])('%p goes out as a %s', (value, type) => expect(typeOf(value)).toBe(type));

describe('a contact', () => {
	test.each<[string, IDataObject, string[]]>([
		['as Survey B gives it', { id: 7, created_date: 'x', Plan: 'Team' }, ['Plan']],
		['with an ID of another system', { id: 7, Plan: 'Team' }, ['id', 'Plan']],
		['with a date of another system', { created_date: 'x' }, ['created_date']],
	])('%s: what becomes of its columns', (_, row, names) => {
		expect(contact(row).parameters.additionalFields).toEqual({
			attributes: { attribute: names.map((name) => ({ name, value: row[name] })) },
			attributesJson: undefined,
		});
	});

	test('has its own fields, whatever they are called', () => {
		const row = { 'Last Name': 'Lovelace', Unsubscribed: false, 'Contact List IDs': [3] };
		expect(contact(row).parameters.additionalFields).toMatchObject({
			lastName: 'Lovelace',
			unsubscribed: false,
			contactLists: [3],
			attributes: { attribute: [] },
		});
	});

	test('has its attributes in an object as well', () => {
		const attributes = { plan: 'team', deep: { a: 1 } };
		expect(contact({ attributes, Seats: 5 }).parameters.additionalFields).toEqual({
			attributes: { attribute: [{ name: 'Seats', value: 5 }] },
			attributesJson: attributes,
		});
		expect(contact({ attributes: 'plan' }).parameters.additionalFields).toMatchObject({
			attributes: { attribute: [{ name: 'attributes', value: 'plan' }] },
		});
	});

	test('has no place for objects, for columns without a name, and for what stands there twice', () => {
		const row = { Address: { city: 'Kiel' }, ' ': 'x', first_name: 'Ada', FirstName: 'Grace' };
		expect(contact(row).leftOut).toEqual(['FirstName', 'Address', ' ']);
		expect(contact({ Address: null, ' ': '' }).leftOut).toEqual([]);
	});

	test('tells which column gave a value', () => {
		const { columnAt } = contact({ 'First Name': 'Ada', Seats: 5 });
		expect(columnAt(['email'])).toBe('email');
		expect(columnAt(['additionalFields', 'firstName'])).toBe('First Name');
		expect(columnAt(['additionalFields', 'attributes', 'attribute', 0, 'value'])).toBe('Seats');
		expect(columnAt(['additionalFields', 'attributes', 'attribute', 1, 'value'])).toBeUndefined();
		expect(columnAt(['firstName'])).toBe('First Name');
	});
});

describe('a survey', () => {
	const rows = [{ name: 'Seats', value: 5 }];

	test("saves other columns as the contact's attributes, or as its own, and takes them from nowhere else", () => {
		expect(survey({ Seats: 5 }).parameters.additionalFields).toStrictEqual({
			contactAttributes: { attribute: rows },
			surveyAttributes: undefined,
			contactAttributesJson: undefined,
		});
		expect(survey({ Seats: 5 }, inSurvey).parameters.additionalFields).toStrictEqual({
			surveyAttributes: { attribute: rows },
			contactAttributes: undefined,
			surveyAttributesJson: undefined,
		});
	});

	test("keeps a contact's attributes with the contact", () => {
		const ofContact = { id: 7, created_date: 'x', attributes: { plan: 'team' }, Seats: 5 };
		expect(survey(ofContact, inSurvey).parameters.additionalFields).toEqual({
			surveyAttributes: { attribute: rows },
			contactAttributes: undefined,
			contactAttributesJson: { plan: 'team' },
		});
		expect(survey({ attributes: { plan: 'team' } }, inSurvey).parameters).toMatchObject({
			additionalFields: { surveyAttributesJson: { plan: 'team' } },
		});
	});

	test('takes no status and no list: it says so of rows that are no contact of Survey B', () => {
		const row = { unsubscribed: false, lists: '', contactLists: [3], Plan: 'Team' };
		expect(survey(row).leftOut).toEqual(['unsubscribed', 'contactLists']);
		expect(survey({ ...row, id: 7, created_date: 'x' }).leftOut).toEqual([]);
		expect(survey({ unsubscribed: '', contactLists: null }).leftOut).toEqual([]);
		expect(survey(row).parameters.additionalFields).not.toHaveProperty('unsubscribed');
	});
});
