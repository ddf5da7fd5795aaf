import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isBlank, MAX_NESTING, sentences } from '../base/text';
import { hasEntries } from '../fields/dates';
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
 * @param asked Email Column: a name, or an address by an expression
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
	if (others.some((name) => !isSameAddress(row[name], row[label]))) {
		const columns = filled.map((name) => `'${name}'`).join(' and ');
		const hint = "Set Options → 'Email Column' to the one with the email address";
		const failure = Failure.value(`could be in the columns ${columns}`, hint, 'invalidEmail');
		throw Failure.at('Email', undefined, failure);
	}
	return { label, value: row[label] };
}

export function isSameAddress(one: unknown, other: unknown): boolean {
	return normalizeEmail(String(one)) === normalizeEmail(String(other));
}

const MOST_COLUMNS = 20;
const MOST_PATHS = 5;

/**
 * Returns the failure of a row without an email. It says where the row has addresses, and not which of them is the person's.
 *
 * @param field where to write the path: Email Column, or the column Email of Map Each Column
 */
export function missing(
	message: string,
	row: IDataObject,
	field: 'Email Column' | 'Email',
): Failure {
	const isByName = field === 'Email Column';
	const places = pathsOfAddresses(row).map((path) => placeOf(path, isByName));
	const isBlankCell = message === 'is empty' && (isByName || places.length === 0);
	const name = isByName ? "Options → 'Email Column'" : "the column 'Email'";
	// Another column may suit this row, and not the others.
	const what = isBlankCell ? 'Other addresses are in' : `Set ${name} to the one of the person:`;
	const columns = Object.keys(row).slice(0, MOST_COLUMNS).join(', ');
	const hints = [
		isBlankCell && 'Fill it in, or remove the row',
		places.length > 0 && `${what} ${places.join(', ')}`,
		places.length === 0 && !isBlankCell && 'No value in this row is an email address',
		message === NOT_IN_ROW && columns !== '' && `The columns are: ${columns}`,
	];
	return Failure.value(message, sentences(hints), 'missingEmail');
}

/** Those nearest to the top. Nobody would use a path that is longer than services nest their data. */
function pathsOfAddresses(row: IDataObject): string[][] {
	const paths: string[][] = [];
	const places: Array<[value: unknown, path: string[]]> = [[row, []]];
	// The list grows while it is read.
	for (const [value, path] of places) {
		if (typeof value === 'string' && addressIn(value) !== undefined) paths.push(path);
		if (paths.length === MOST_PATHS) break;
		if (!hasEntries(value) || path.length > MAX_NESTING) continue;
		for (const [name, inside] of Object.entries(value)) places.push([inside, [...path, name]]);
	}
	return paths;
}

/** The field takes the name of a column, or an expression. */
function placeOf(path: string[], isByName: boolean): string {
	if (isByName && path.length === 1) return path.join();
	const steps = path.map((step) => {
		if (/^[a-z_$][\w$]*$/i.test(step)) return `.${step}`;
		return /^(0|[1-9]\d*)$/.test(step) ? `[${step}]` : `[${JSON.stringify(step)}]`;
	});
	return `{{ $json${steps.join('')} }}`;
}
