import type { GenericValue, IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { lazy } from './base/cache';
import { isObject, jsonValue, valueAt } from './base/json';
import { compareTexts, titleOf } from './base/text';
import { choice, common, multiChoice, toggle } from './fields/kinds';

// Schemas of records. Real servers null or leave out most scalars and add keys of their own, so only what identifies a
// record is required, and unknown keys are kept. Only deliveries are checked against them. A schema is made when it is first
// needed: making all of them while n8n loads the nodes would take as long as loading the nodes.

interface FieldSchema {
	(): z.ZodType;
	/** Reads a value in the type that the contract states: some servers write numbers, true and false as text. */
	typed?(value: unknown): unknown;
}

export interface RecordSchema {
	(): z.ZodObject<Record<string, z.ZodType>, z.core.$loose>;
	/** The names of its fields, without making it. */
	fields: string[];
	/** A value of another type than the contract's stays as it is. */
	typed(record: IDataObject): IDataObject;
}

type Shape = Record<string, FieldSchema>;

export function record(shape: Shape): RecordSchema {
	const make = lazy(() =>
		z.looseObject(
			Object.fromEntries(Object.entries(shape).map(([name, schema]) => [name, schema()])),
		),
	);
	const readers = Object.entries(shape).flatMap(([name, { typed }]) =>
		typed ? [{ name, typed }] : [],
	);
	return Object.assign(make, {
		fields: Object.keys(shape),
		typed(record: IDataObject) {
			if (!isObject(record)) return record;
			const read = readers.filter(({ name }) => name in record);
			const values = read.map(({ name, typed }) => [name, typed(record[name])]);
			return { ...record, ...Object.fromEntries(values) };
		},
	});
}

/** Reads text with or without a percent sign. */
export function numberIn(value: unknown): unknown {
	const isNumber = typeof value === 'string' && /^\s*-?\d{1,15}(\.\d+)?\s?%?\s*$/.test(value);
	return isNumber ? Number.parseFloat(value) : value;
}

function booleanIn(value: unknown): unknown {
	const word = typeof value === 'string' ? value.trim().toLowerCase() : '';
	return ['true', '1'].includes(word) || (['false', '0'].includes(word) ? false : value);
}

export function fields(schema: FieldSchema, ...names: string[]): Shape {
	return Object.fromEntries(names.map((name) => [name, schema]));
}

/** A record that may be null or absent. */
export function optional(inside: Shape | RecordSchema) {
	const schema = typeof inside === 'function' ? inside : record(inside);
	return Object.assign(() => schema().nullish(), { typed: schema.typed });
}

/** A list that may be null or absent. */
export function listOf(schema: FieldSchema) {
	const { typed = (value: unknown) => value } = schema;
	return Object.assign(() => z.array(schema()).nullish(), {
		typed: (value: unknown) => (Array.isArray(value) ? value.map((entry) => typed(entry)) : value),
	});
}

/** A number that some servers write as text. */
export const asNumber = (schema: () => z.ZodType) => Object.assign(schema, { typed: numberIn });
export const requiredNumber = asNumber(() => z.number());

// Fields that may be null or absent.
export const numeric = asNumber(() => z.number().nullish());
/** The service gives a number in some responses and a text in others. */
export const numericOrString = asNumber(() => z.union([z.number(), z.string()]).nullish());
export const boolean = Object.assign(() => z.boolean().nullish(), { typed: booleanIn });
export const string = () => z.string().nullish();
export const strings = listOf(z.string);
/** An object whose fields the account decides, such as properties. */
export const anyFields = () => z.record(z.string(), z.unknown()).nullish();

/** Undefined if the service did not return a name. */
export function fullName(...names: unknown[]): string | undefined {
	const given = names.filter((name) => typeof name === 'string' && name.trim() !== '');
	return given.map((name) => String(name).trim()).join(' ') || undefined;
}

/** The fields of a simplified record, at most ten: each by the path in the raw record, or by what makes it of that. */
export type SimplifiedFields = Record<string, string | ((record: IDataObject) => unknown)>;

/** Named and placed as in the raw record. */
export function unchanged(...names: string[]): SimplifiedFields {
	return Object.fromEntries(names.map((name) => [name, name]));
}

/** A record that is offered raw, simplified, or with selected fields. */
export interface RecordForms {
	raw: RecordSchema;
	simplified: SimplifiedFields;
	/** Answers, properties and attributes, by question or label. */
	answers?: (record: IDataObject) => Array<[label: string, value: unknown]>;
	/** Raw and simplified fields that the answers replace when they are columns. */
	answerFields?: string[];
}

/** Fields that the service did not return are null. */
function simplified(forms: RecordForms, raw: IDataObject): IDataObject {
	const record = forms.raw.typed(raw);
	return Object.fromEntries(
		Object.entries(forms.simplified).map(([name, field]) => [
			name,
			generic(typeof field === 'string' ? valueAt(record, field) : field(record)),
		]),
	);
}

function generic(value: unknown): GenericValue {
	return jsonValue(value) ?? null;
}

/** A switch for people, a choice for AI agents. */
export function formFields({ raw, simplified }: RecordForms) {
	const names = Object.keys(simplified);
	const choices = [...new Set([...names, ...raw.fields])]
		.map((field) => ({ name: titleOf(field), value: field }))
		.sort((one, other) => compareTexts(one.name, other.name));
	return {
		simplify: common(
			toggle({
				displayName: 'Simplify',
				// Not `show`: versions of n8n that do not know '@tool' would hide it everywhere.
				displayOptions: { hide: { '@tool': [true] } },
				default: true,
				description:
					'Whether to return a simplified version of the response instead of the raw data',
			}),
		),
		output: choice({
			displayName: 'Output',
			displayOptions: { show: { '@tool': [true] } },
			options: [
				{ name: 'Raw', value: 'raw', description: 'All fields, named as the service names them' },
				{ name: 'Selected Fields', value: 'selectedFields', description: 'The fields you choose' },
				{ name: 'Simplified', value: 'simplified', description: 'The most useful fields' },
			],
			default: 'simplified',
			description: 'Which fields to return to the AI agent',
		}),
		outputFields: multiChoice({
			displayName: 'Output Fields',
			displayOptions: { show: { '@tool': [true], output: ['selectedFields'] } },
			options: choices,
			description: 'Fields to return. The ID is always returned.',
		}),
	};
}

export interface Form {
	simplify?: boolean;
	output?: 'simplified' | 'raw' | 'selectedFields';
	outputFields?: string[];
	answersAsColumns?: boolean;
}

export function inForm(forms: RecordForms, record: IDataObject, form: Form): IDataObject {
	if (form.output === 'selectedFields') return selected(forms, record, form.outputFields ?? []);
	const isRaw = form.output ? form.output === 'raw' : form.simplify === false;
	const base = isRaw ? record : simplified(forms, record);
	if (!form.answersAsColumns || !forms.answers) return base;
	const { answerFields = [] } = forms;
	const others = Object.entries(base).filter(([name]) => !answerFields.includes(name));
	const fields = isRaw ? forms.raw.fields : [];
	return withAnswers(Object.fromEntries(others), forms.answers(record), fields);
}

function selected(forms: RecordForms, record: IDataObject, names: string[]): IDataObject {
	const all = { ...forms.raw.typed(record), ...simplified(forms, record) };
	const id = 'id' in all ? ['id'] : Object.keys(forms.simplified).slice(0, 1);
	const wanted = [...new Set([...id, ...names])];
	return Object.fromEntries(wanted.map((name) => [name, all[name] ?? null]));
}

/**
 * Returns a record with its answers as columns; a label that a field has already is marked.
 *
 * @param fields the fields that some records have, and this one may lack
 */
function withAnswers(
	base: IDataObject,
	answers: Array<[label: string, value: unknown]>,
	fields: string[],
): IDataObject {
	const isField = (label: string) => label in base || fields.includes(label);
	const columns = answers.map(([label, value]): [string, unknown] => [
		isField(label) ? `${label} (answer)` : label,
		cell(value),
	]);
	return { ...base, ...byLabel(columns) };
}

/** A sheet or a data table cannot hold a list or an object in a cell: they become text. */
function cell(value: unknown): GenericValue {
	const isPlain = (part: unknown) => typeof part !== 'object' || part === null;
	if (Array.isArray(value) && value.every(isPlain)) return value.join(', ');
	return isPlain(value) ? generic(value) : JSON.stringify(value);
}

/** A label that comes twice is numbered, so that no answer is lost. */
export function byLabel(answers: Array<[label: string, value: unknown]>): IDataObject {
	const labeled: IDataObject = {};
	for (const [label, value] of answers) {
		let name = label;
		for (let number = 2; name in labeled; number++) name = `${label} (${number})`;
		labeled[name] = generic(value);
	}
	return labeled;
}

/** The record and the date that a delivery is about, by which its repeats are found. */
export interface Subject {
	/** Names the record, and nothing else. */
	record: unknown;
	/**
	 * The date of the change if the data has it, or any text for what happens to a record once: an equal delivery is a repeat
	 * then, however late it comes.
	 */
	date?: string;
}
