import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject, objectsIn } from '../base/json';
import { isBlank } from '../base/text';
import { addressIn, normalizeEmail } from '../fields/values';
import { wordsKey } from './shape';
import type { Cell } from './shape';

// Finds the email of a row, and says where it is if the columns do not: the first thing that goes wrong for most people.

/** The cell with the address of a row. */
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
	if (label === undefined) throw missing('is not in the row', row, 'Email Column');
	if (others.some((name) => !isSameAddress(row[name], row[label]))) throw severalEmails(filled);
	return { label, value: row[label] };
}

/** Returns whether two cells hold one address, whatever its case and spaces. */
export function isSameAddress(one: unknown, other: unknown): boolean {
	return normalizeEmail(String(one)) === normalizeEmail(String(other));
}

function severalEmails(names: string[]): Failure {
	const columns = names.map((name) => `'${name}'`).join(' and ');
	const hint = "Set Options → 'Email Column' to the one with the email address";
	const failure = Failure.value(`could be in the columns ${columns}`, hint, 'invalidEmail');
	return Failure.at('Email', undefined, failure);
}

/** An address inside a row. */
interface Found {
	/** As an expression writes it: `$json.Contact.Email`. */
	path: string;
	/** The column, if it is not inside another one. */
	column?: string;
	/** The list in which it is, if that has several entries. */
	list?: string;
	/** True if there are other values beside it. */
	hasOthers?: boolean;
	isOfOther: boolean;
	rank: number;
}

const MOST_LEVELS = 5;
const MOST_ADDRESSES = 5;

/** Paths to people who work with a record, and to mailboxes that receive it: not the one to survey. */
const OTHERS =
	/owner|assign|creat|modif|updat|agent|sender|admin|rep$|manager|reply|(?:^|\W)(?:b?cc|to)(?:_e?mail|\W|$)/i;

/**
 * Returns the failure of a row without an email, which names the addresses that are in it.
 *
 * @param message the end of a sentence about the email
 * @param field where to write the path: Email Column, or the column Email of Map Each Column
 */
export function missing(
	message: string,
	row: IDataObject,
	field: 'Email Column' | 'Email',
): Failure {
	const found = addressesIn(row).sort((one, other) => one.rank - other.rank);
	const paths = found.slice(0, MOST_ADDRESSES).map(({ path }) => path.replace('$json.', ''));
	const [first] = found;
	if (first === undefined) return missingEmail(message, withoutAddress(row, message));
	if (first.isOfOther) return missingEmail(message, onlyOfOthers(paths));
	// Another column may suit this row, and not the others.
	const isBlankCell = field === 'Email Column' && message === 'is missing';
	const hints = isBlankCell ? [FILL_IN] : adviceFor(first, field);
	const others = isBlankCell ? paths : paths.slice(1);
	if (others.length > 0) hints.push(`Other addresses are in ${others.join(', ')}`);
	return missingEmail(message, hints.join('. '));
}

function missingEmail(message: string, hint: string): Failure {
	return Failure.value(message, hint, 'missingEmail');
}

const FILL_IN = 'Fill it in, or remove the row';

function adviceFor(
	{ path, column, list, hasOthers }: Found,
	field: 'Email Column' | 'Email',
): string[] {
	const name = field === 'Email' ? "the column 'Email'" : "Options → 'Email Column'";
	if (list !== undefined) {
		return [
			`The address is in a list of several entries. Put a Split Out node before this one, with Fields To Split Out = ${list}`,
		];
	}
	if (field === 'Email') return [`Set ${name} to {{ ${path} }}`];
	if (column !== undefined) return [`Set ${name} to ${column}`];
	const [, parent] = (hasOthers && path.match(/^\$json\.([\w.]+)\.\w+$/)) || [];
	const others = `The other values of ${parent} are not sent: to send them, too, put an Edit Fields node before this one (JSON: {{ $json.${parent} }})`;
	return [`Set ${name} to {{ ${path} }}`, ...(parent ? [others] : [])];
}

function onlyOfOthers(paths: string[]): string {
	return `Only addresses of others are in this row, by their names: ${paths.join(', ')}. ${GET_PERSON}`;
}

const GET_PERSON = 'Get the person in a node before this one';

function withoutAddress(row: IDataObject, message: string): string {
	if (message === 'is missing') return FILL_IN;
	const names = Object.keys(row);
	const [only = ''] = names.length === 1 ? names : [];
	if (/[;\t|]/.test(only)) {
		return 'The file was read with another delimiter than it has: set it in the node that reads it';
	}
	const has = names.length > 0 ? `: it has ${names.join(', ')}` : '';
	return `No value in this row is an email address${has}. ${GET_PERSON}`;
}

function addressesIn(row: IDataObject): Found[] {
	const found: Found[] = [];
	type Place = Pick<Found, 'path' | 'column' | 'list' | 'hasOthers'>;
	const look = (value: unknown, at: Place, level: number) => {
		if (found.length >= 4 * MOST_ADDRESSES || level > MOST_LEVELS) return;
		if (typeof value === 'string') {
			if (addressIn(value) !== undefined) found.push({ ...at, ...rankOf(at.path, level) });
		} else if (Array.isArray(value)) {
			const [primary, flag] = primaryIn(value);
			if (primary) {
				const path = `${at.path}.find((one) => one${step(flag)})`;
				return look(primary, { path, list: at.list }, level + 1);
			}
			const list = value.length > 1 ? at.path.replace('$json.', '') : at.list;
			look(value[0], { path: `${at.path}[0]`, list: at.list ?? list }, level + 1);
		} else if (isObject(value)) {
			const hasOthers = Object.values(value).filter((one) => !isBlank(one)).length > 1;
			for (const [name, inside] of Object.entries(value)) {
				look(inside, { path: at.path + step(name), list: at.list, hasOthers }, level + 1);
			}
		}
	};
	for (const [name, value] of Object.entries(row)) {
		look(value, { path: `$json${step(name)}`, column: name }, 0);
	}
	return found;
}

/** Ranks the obvious path first: near the top, called email, and of nobody who only works with the record. */
function rankOf(path: string, level: number): Pick<Found, 'isOfOther' | 'rank'> {
	const isNamed = /e-?mail/i.test(path);
	const isOfOther = OTHERS.test(path);
	return { isOfOther, rank: level + (isNamed ? 0 : 10) + (isOfOther ? 20 : 0) };
}

/** Returns the entry that a list of one person's addresses marks as the primary one, and the name of the mark. */
function primaryIn(list: unknown[]): [entry: IDataObject | undefined, flag: string] {
	const entries = list.length > 1 ? objectsIn(list) : [];
	const flag = Object.keys(entries[0] ?? {}).find((name) => /primary/i.test(name)) ?? '';
	return [entries.find((entry) => entry[flag] === true), flag];
}

function step(name: string): string {
	return /^[a-z_$][\w$]*$/i.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}
