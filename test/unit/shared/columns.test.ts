import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';

import { columnKey, isNested, sortColumns } from '../../../nodes/shared/parameters/columns';

const FIELDS = new Map([
	['firstname', 'firstName'],
	['company', 'company'],
	['companyname', 'company'],
]);
const SETTINGS = { emailColumn: 'email', ignoredColumns: [] };
const EMAIL = 'ada@acme.example';

const sort = (row: IDataObject) => sortColumns({ email: EMAIL, ...row }, FIELDS, SETTINGS);

test.each(['firstName', 'First Name', 'first_name', 'FIRST NAME', ' first-name '])(
	'%j is the first name',
	(name) => {
		expect(columnKey(name)).toBe('firstname');
		const { known, others } = sort({ [name]: 'Ada' });
		expect(known.get('firstName')).toEqual({ name, value: 'Ada' });
		expect(others).toEqual([]);
	},
);

test('the address stands where the user says, and a column email is then like any other', () => {
	const row = { 'Work E-Mail': 'ada@acme.example', email: 'private@acme.example', Plan: 'Team' };
	const { known, others } = sortColumns(row, FIELDS, { ...SETTINGS, emailColumn: 'work e mail' });
	expect(known.get('email')?.value).toBe('ada@acme.example');
	expect(others.map(({ name }) => name)).toEqual(['email', 'Plan']);
});

test('ignored columns are left out, the address never', () => {
	const row = { Email: 'ada@acme.example', Row_Number: 7, Notes: 'x', 'First name': 'Ada' };
	const ignoredColumns = ['row number', 'notes', 'FIRSTNAME', 'email'];
	const sorted = sortColumns(row, FIELDS, { ...SETTINGS, ignoredColumns });
	expect([...sorted.known.keys()]).toEqual(['email']);
	expect(sorted.others).toEqual([]);
});

test.each([
	[{ company: 'Acme', companyName: 'Globex' }, 'Acme', ['companyName']],
	[{ company: '', companyName: 'Globex' }, 'Globex', []],
	[{ company: 'Acme', companyName: null }, 'Acme', []],
])('of the columns %j for one field the first with a value goes out', (row, company, repeated) => {
	const sorted = sort(row);
	expect(sorted.known.get('company')?.value).toBe(company);
	expect(sorted.repeated).toEqual(repeated);
});

test('of two columns for the address the one that is spelled as asked goes out', () => {
	const row = { 'E-Mail': 'first@acme.example', email: 'second@acme.example' };
	const sorted = sortColumns(row, FIELDS, SETTINGS);
	expect(sorted.known.get('email')?.value).toBe('second@acme.example');
	expect(sorted.repeated).toEqual(['E-Mail']);
});

test.each([
	['text', false],
	[7, false],
	[null, false],
	[['a', 1, null], false],
	[new Date(), false],
	[DateTime.now(), false],
	[{}, true],
	[[{ a: 1 }], true],
	[[['a']], true],
])('%p nested: %p', (value, nested) => {
	expect(isNested(value)).toBe(nested);
});

test('a row without the column of the address is told, with the columns that it has', () => {
	const sorting = () => sortColumns({ Mail: EMAIL, Plan: 'Team' }, FIELDS, SETTINGS);
	expect(sorting).toThrow("The row has no column 'email'");
	try {
		sorting();
	} catch (error) {
		expect(error).toMatchObject({
			details: {
				advice: "Set 'Email Column' to the column with the email address. This row has: Mail, Plan",
			},
		});
	}
});
