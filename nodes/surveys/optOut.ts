import type { IDataObject } from 'n8n-workflow';

import type { SkipReason } from '../shared/base/codes';
import { Cache, lazy } from '../shared/base/cache';
import { Failure } from '../shared/base/failure';
import { isObject, valueAt } from '../shared/base/json';
import { isBlank } from '../shared/base/text';
import { hasEntries, isDateObject } from '../shared/fields/dates';
import { addressesIn, addressIn, normalizeEmail } from '../shared/fields/values';
import type { MappedItem } from '../shared/mapping/mappedItem';
import { MAP_IT, unsubscribed } from './people';
import { MAY_SAY_NO, NAMES, PATHS, PERSONS, TEXTS, TOPICS, VALUES, WORDS } from './optOutTable';

// Reads by the table of names whether the person of a row said no. A survey to somebody who did is the worst that a send can do.

/** The meaning of a column's name. `mayBe`: it is in no list, and has words of one. */
type NameMeaning = keyof typeof NAMES | 'mayBe' | 'other';

/** The meaning of a value under such a name. `unreadable`: neither yes nor no, where it has to say one of them. `unclear`: yes, if the name may be one. */
type Saying = 'optedOut' | 'notOptedOut' | 'notAgreed' | 'unreadable' | 'unclear';

interface Said {
	column: string;
	value: unknown;
	says: Saying;
}

/** `emailoptout` for `Email-Opt-Out 2`. A text without letters stays. */
function tableKey(text: string): string {
	const plain = text.normalize('NFD').toLowerCase();
	return plain.replace(/[^\p{L}]+/gu, '') || text.trim();
}

/** Each topic takes the place of `*`. */
function tableKeys(list: string): string[] {
	const topics = TOPICS.split(',');
	const named = (entry: string) =>
		entry.includes('*') ? topics.map((topic) => entry.replace('*', topic)) : entry;
	return list.split(',').flatMap(named).map(tableKey);
}

function meaningsOf<Meaning extends string>(lists: Record<Meaning, string>): Map<string, Meaning> {
	const meanings = new Map<string, Meaning>();
	for (const meaning in lists) {
		for (const key of tableKeys(lists[meaning])) meanings.set(key, meaning);
	}
	return meanings;
}

/** Matches one of a list's words; the longest first. */
const oneOf = (list: string) =>
	`(${tableKeys(list)
		.sort((a, b) => b.length - a.length)
		.join('|')})`;

const keys = lazy(() => ({
	names: meaningsOf(NAMES),
	texts: meaningsOf(TEXTS),
	values: meaningsOf(VALUES),
	ofOther: new Set(tableKeys(WORDS.ofOther)),
	inFront: RegExp(`^${oneOf(WORDS.inFront)}`),
	behind: RegExp(`${oneOf(WORDS.behind)}$`),
	persons: new Set(tableKeys(PERSONS)),
	addresses: new Set(tableKeys(WORDS.ofAddresses)),
	maySayNo: tableKeys(MAY_SAY_NO),
}));

/** Meanings by the names of columns. Rows of one source have the same ones. */
const nameMeanings = new Cache<NameMeaning>(5000);

function meaningOfName(name: string): NameMeaning {
	return nameMeanings.of(name, () => {
		// `No. of contacts` counts them.
		if (/\bno\.|#/i.test(name)) return 'other';
		const bare = name.replace(/(__p?c|\.value|[_ ]fla?g)$/i, '');
		const [head = ''] = bare.split(/[:@]/);
		const { ofOther, maySayNo } = keys();
		const isOfOther = wordsIn(head).some((word) => ofOther.has(word));
		const parts = [bare, head, head.split('(')[0], head.split(/__|\.| - /).at(-1)];
		const meanings = (isOfOther ? [bare] : parts).map((part = '') => meaningOfKey(tableKey(part)));
		const whole = tableKey(bare);
		const mayBe = !isOfOther && maySayNo.some((key) => whole.includes(key));
		return meanings.find(Boolean) ?? (mayBe ? 'mayBe' : 'other');
	});
}

/** `is`, `do`, `not`, `email` of `isDoNotEmail` */
function wordsIn(name: string): string[] {
	const words = name.normalize('NFD').replace(/([a-z])([A-Z])/g, '$1 $2');
	return words.match(/[\p{L}\p{Mark}]+/gu)?.map(tableKey) ?? [];
}

/** No name in the table is as long. */
const MOST_LETTERS = 200;

/** Words in front of a name and behind it add nothing, also without spaces between them. */
function meaningOfKey(key: string): NameMeaning | undefined {
	const { names, inFront, behind } = keys();
	const meaning = names.get(key);
	if (meaning || key.length > MOST_LETTERS) return meaning;
	if (names.get(key.replace(behind, '')) === 'optedOut') return 'any';
	const rest = key.replace(inFront, '');
	return rest === key ? undefined : meaningOfKey(rest);
}

/** Such a column is no property of the person. */
export function isOptOutName(name: string): boolean {
	return ['optedOut', 'no', 'any'].includes(meaningOfName(name));
}

/** HubSpot writes `{ value: x }`. A list of one entry is that entry. */
function bareValue(value: unknown): unknown {
	if (Array.isArray(value)) return value.length === 1 ? bareValue(value[0]) : value;
	return isObject(value) && 'value' in value ? bareValue(value.value) : value;
}

/** Whatever has the shape of a date: `2026-03-04`, `4.3.2026`, UNIX time. */
const DATE = /^\s*(\d{4}-\d\d-\d\d|\d{1,2}([-/.])\d{1,2}\2\d{4}|\d{10}(\d{3})?\s*$)/;

function meaningOfValue(value: unknown): keyof typeof VALUES | undefined {
	if (isBlank(value)) return 'blank';
	const text = hasEntries(value) ? '' : String(value).trim();
	const key = /\d/.test(text) ? text.slice(0, 10) : tableKey(text);
	return keys().values.get(key);
}

function sayingOf(name: NameMeaning, given: unknown): Saying | undefined {
	const value = bareValue(given);
	if (name === 'status') return sayingOfTexts(value);
	// A remark may follow in a consent: `No (2024)`.
	const isText = name === 'consent' && typeof value === 'string';
	const meaning = meaningOfValue(isText ? value.split(/[(,;]/)[0] : value);
	const is = (...meanings: Array<typeof meaning>) => meanings.includes(meaning);
	if (name === 'consent') {
		return is('no', 'refuses', 'forbids') ? 'notAgreed' : sayingOfTexts(value);
	}
	if (is('blank')) return undefined;
	const isDate = !meaning && (isDateObject(value) || DATE.test(String(value)));
	if (name === 'mayBe') return isDate || is('yes') ? 'unclear' : undefined;
	if (is('no', 'allows')) return 'notOptedOut';
	const isOptedOut =
		isDate || is('yes', 'forbids') || name === 'any' || sayingOfTexts(value) === 'optedOut';
	return isOptedOut ? 'optedOut' : 'unreadable';
}

/** An object says what its entries say, such as `opt_out.email`, if all that say anything are clear. */
function saidBy(name: string, given: unknown): Said[] {
	const value = bareValue(given);
	if (!isOptOutName(name) || !isObject(value) || isDateObject(value)) return saidByOne(name, given);
	const entries = Object.entries(value);
	const inside = entries.flatMap(([key, part]) => saidByOne(`${name}.${key}`, part));
	const isClear = inside.every(({ says }) => says === 'optedOut' || says === 'notOptedOut');
	const isOfPath = Object.keys(PATHS).some((path) => path.startsWith(`${name}.`));
	const hasAll = inside.length > 0 || isOfPath || entries.length === 0;
	return isClear && hasAll ? inside : saidByOne(name, given);
}

function saidByOne(column: string, value: unknown, meaning = meaningOfName(column)): Said[] {
	const says = meaning === 'other' ? undefined : sayingOf(meaning, value);
	return says ? [{ column, value, says }] : [];
}

/** One text, or several, such as tags. */
function sayingOfTexts(value: unknown): Saying | undefined {
	const said = [value]
		.flat()
		.map((part: unknown) => (isObject(part) ? (part.name ?? part.value) : part))
		.flatMap((text) => (typeof text === 'string' ? text.split(/[,;|]/) : []))
		.map((text) => keys().texts.get(tableKey(text)));
	return said.find((says) => says === 'optedOut') ?? said.find(Boolean);
}

/** Reads the column Unsubscribed for what writes it: a date or another text is no statement. */
export function readUnsubscribed(value: unknown): boolean | undefined {
	const meaning = meaningOfValue(bareValue(value));
	if (meaning === 'blank') return undefined;
	if (meaning === 'yes' || meaning === 'no') return meaning === 'yes';
	throw UNREADABLE;
}

/**
 * Returns what a row says, by the paths of its columns, such as `properties.hs_email_optout`: in the row, in objects at any depth
 * that hold its address, and in those directly inside these that are about the person.
 */
function saidIn(row: IDataObject, email: string): Said[] {
	const said: Said[] = [];
	const add = (path: string, cells: Said[]) =>
		said.push(...cells.map((cell) => ({ ...cell, column: path + cell.column })));
	const paths = new Map<object, string>([[row, '']]);
	const persons = new Set<object>();
	// The map grows while it is read.
	for (const [object, path] of paths) {
		const hasAddress =
			object === row || Object.entries(object).some((cell) => holdsAddress(email, cell));
		const isPerson = hasAddress || persons.has(object);
		for (const [key, value] of Object.entries(object)) {
			const name = Array.isArray(object) ? entryLabel(value, key) : key;
			if (isPerson) add(path, saidBy(name, value));
			if (!hasEntries(value)) continue;
			paths.set(value, `${path}${name}.`);
			if (hasAddress && keys().persons.has(tableKey(name))) persons.add(value);
		}
		if (!isPerson || !isObject(object) || paths.size === 1) continue;
		for (const [name, meaning] of Object.entries(PATHS))
			add(path, saidByOne(name, valueAt(object, name), meaning));
	}
	return said;
}

/** Several addresses may be in a text, a list, or records in a column such as `emails`. Other records are of other people. */
function holdsAddress(email: string, [name, value]: [string, unknown]): boolean {
	const isEmail = (text: unknown) =>
		typeof text === 'string' &&
		text.includes('@') &&
		text.split(/[,;]/).some((part) => normalizeEmail(addressIn(part) ?? part) === email);
	if (!hasEntries(value)) return isEmail(value);
	const inside = (entry: unknown) =>
		isObject(entry) && keys().addresses.has(tableKey(name)) ? Object.values(entry) : entry;
	return [value].flat().map(bareValue).flatMap(inside).some(isEmail);
}

/** Survey A has properties such as `[{ label: 'Unsubscribed', value: true }]`. */
function entryLabel(entry: unknown, index: string): string {
	return isObject(entry) ? String(entry.label || entry.name || index) : index;
}

/**
 * Returns why an item's person is not surveyed; undefined if the item says nothing against it. One column that says that the person
 * opted out is enough, whatever others say. Unsubscribed settles what is unclear; if somebody mapped it, a consent, too.
 */
export function objectionOf(item: MappedItem, email: string): SkipReason | undefined {
	const { inputs, mapping } = item;
	const said = inputs.flatMap((row) => saidIn(row, normalizeEmail(email)));
	const those = (wanted: Saying) => said.filter(({ says }) => says === wanted);
	const open = (wanted: Saying) => those(wanted).filter(({ column }) => !mapping.isIgnored(column));
	const fail = (cells: Said[], failure: Failure) =>
		cells.forEach(({ column, value }) => item.fail(column, value, failure));
	const [optedOut] = those('optedOut');
	// promise: opted-out
	if (optedOut) return objection(item, email, optedOut.column, 'unsubscribed');
	fail(those('unreadable'), UNREADABLE);
	const mapped = mapping.isAutomatic ? undefined : inputs[0]?.[unsubscribed.displayName];
	if (sayingOf('optedOut', mapped) === 'notOptedOut') return undefined;
	const [refused] = open('notAgreed');
	if (refused) return objection(item, email, refused.column, 'notAgreed', REFUSED);
	const stated = those('notOptedOut').some(({ column }) => tableKey(column) === unsubscribed.id);
	if (!stated) fail(open('unclear'), UNCLEAR);
	return undefined;
}

/** @param hint for the end of the run, which then counts by column */
function objection(
	item: MappedItem,
	email: string,
	column: string,
	code: 'unsubscribed' | 'notAgreed',
	hint?: string,
): SkipReason {
	const says = code === 'unsubscribed' ? 'unsubscribed' : 'did not agree';
	const skip = { code, countedAs: hint && `${code}: ${column}`, hint };
	holdBack(item, email, { ...skip, reason: `Another row of this person says that they ${says}` });
	return { ...skip, reason: `Column '${column}' says that the person ${says}` };
}

/** Skips the other rows of the person, also if this one fails. Its email may be several addresses. */
function holdBack(item: MappedItem, email: string, skip: SkipReason): void {
	const { objections } = item.context;
	const written = email || item.fixed('email', String);
	for (const address of addressesIn(written ?? '')) {
		const key = normalizeEmail(address);
		if (objections.get(key)?.code !== 'unsubscribed') objections.set(key, skip);
	}
}

const REFUSED =
	"notAgreed is a consent that says no. To survey these people all the same, name the column in Options → 'Ignored Columns', or, with Map Each Column, map Unsubscribed";

const UNREADABLE = Failure.value(
	'does not say whether the person unsubscribed',
	'Write true or false in it',
);

const UNCLEAR = Failure.value(
	'may say that the person does not want surveys',
	`${MAP_IT}. With Map Automatically, make a column Unsubscribed in an Edit Fields node, or name this one in Options → 'Ignored Columns'`,
);
