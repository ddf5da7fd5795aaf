import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import { isBlank } from '../base/text';
import { isDateObject } from '../fields/dates';
import { addressIn, normalizeEmail } from '../fields/values';
import { wordsKey } from './shape';
import type { Cell } from './shape';

// Finds the email of a row, and says where addresses are if the columns do not: the first thing that goes wrong for most people.

const NOT_IN_ROW = 'is not in the row';

export type EmailCell = Pick<Cell, 'label' | 'value'> & {
	/** True if an expression of Email Column has the address itself. */
	isByExpression?: boolean;
};

/**
 * Returns the cell with the row's address.
 *
 * @param asked Email Column: a name, or an address by an expression
 * @param isEmail returns whether a column is one with an email
 * @throws Failure if the row has none, or several
 */
export function emailOf(
	row: IDataObject,
	asked: string | undefined,
	isEmail: (name: string) => boolean,
): EmailCell {
	if (asked?.includes('@') && !Object.hasOwn(row, asked))
		return { label: 'Email Column', value: asked, isByExpression: true };
	const names = Object.keys(row).filter((name) =>
		asked === undefined ? isEmail(name) : wordsKey(name) === wordsKey(asked),
	);
	const exact = names.filter((name) => name === asked);
	const filled = (exact.length > 0 ? exact : names).filter((name) => !isBlank(row[name]));
	const [label = names[0], ...others] = filled;
	if (label === undefined) throw missing(NOT_IN_ROW, row, 'Email Column');
	if (others.some((name) => !isSameAddress(row[name], row[label]))) throw severalEmails(filled);
	return { label, value: row[label] };
}

export function isSameAddress(one: unknown, other: unknown): boolean {
	return normalizeEmail(String(one)) === normalizeEmail(String(other));
}

function severalEmails(names: string[]): Failure {
	const columns = names.map((name) => `'${name}'`).join(' and ');
	const hint = "Set Options → 'Email Column' to the one with the email address";
	const failure = Failure.value(`could be in the columns ${columns}`, hint, 'invalidEmail');
	return Failure.at('Email', undefined, failure);
}

const FILL_IN = 'Fill it in, or remove the row';

const MOST_COLUMNS = 20;
const MOST_PATHS = 5;

/**
 * Returns the failure of a row without an email. It says where the row has addresses, and not which of them is the person's.
 *
 * @param message the end of a sentence about the email
 * @param field where to write the path: Email Column, or the column Email of Map Each Column
 */
export function missing(
	message: string,
	row: IDataObject,
	field: 'Email Column' | 'Email',
): Failure {
	const isByName = field === 'Email Column';
	const paths = addressesIn(row).map((path) => placeOf(path, isByName));
	const isBlankCell = message === 'is missing' && (isByName || paths.length === 0);
	const hints = isBlankCell ? [FILL_IN] : [];
	if (paths.length > 0) {
		const name = isByName ? "Options → 'Email Column'" : "the column 'Email'";
		// Another column may suit this row, and not the others.
		const what = isBlankCell ? 'Other addresses are in' : `Set ${name} to the one of the person:`;
		hints.push(`${what} ${paths.join(', ')}`);
	} else if (!isBlankCell) hints.push('No value in this row is an email address');
	const columns = Object.keys(row).slice(0, MOST_COLUMNS);
	if (message === NOT_IN_ROW && columns.length > 0)
		hints.push(`The columns are: ${columns.join(', ')}`);
	return Failure.value(message, hints.join('. '), 'missingEmail');
}

type Path = Array<string | number>;

/** Addresses near the top come first. */
function addressesIn(row: IDataObject): Path[] {
	const found: Path[] = [];
	const places: Array<[value: unknown, path: Path]> = [[row, []]];
	for (const [value, path] of places) {
		if (typeof value === 'string') {
			if (addressIn(value) !== undefined) found.push(path);
			if (found.length === MOST_PATHS) return found;
		} else if (Array.isArray(value)) {
			value.forEach((entry, index) => places.push([entry, [...path, index]]));
		} else if (isObject(value) && !isDateObject(value)) {
			for (const [name, inside] of Object.entries(value)) places.push([inside, [...path, name]]);
		}
	}
	return found;
}

/** The field takes the name of a column, or an expression. */
function placeOf(path: Path, isByName: boolean): string {
	const [column, ...inside] = path;
	if (isByName && inside.length === 0) return String(column);
	const steps = path.map((step) =>
		/^[a-z_$][\w$]*$/i.test(String(step)) ? `.${step}` : `[${JSON.stringify(step)}]`,
	);
	return `{{ $json${steps.join('')} }}`;
}
