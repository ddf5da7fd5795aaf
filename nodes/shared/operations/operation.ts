import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';

import { collection, notice, optionsOf, propertiesOf } from '../parameters/fields';
import type { Field, FieldsOf } from '../parameters/field';
import { answersAsColumns, formFields, inForm, simplifiedSchema } from './recordForms';
import type { RecordForms } from './recordForms';
import { RowReader } from './rowReader';
import type { Run } from './run';

/** One operation of a node: what the editor shows, and what a run does. */
export interface Operation {
	name: string;
	action: string;
	description: string;
	effect?: string;
	fields: INodeProperties[];
	/** The shape of its output items, for the editor's preview before the first run. */
	outputSchema: () => z.ZodType;
	run(run: Run): Promise<void>;
}

/** An operation's input for one row. */
export type Input<Values, Options> = Values & { options: Options };

/** What every operation declares. */
export interface OperationSpec<Values extends object, Options extends object> {
	/** Title Case, without the resource: `Get Many`. */
	name: string;
	/** Sentence case, with the resource, without articles: `Get many customers`. */
	action: string;
	/** One or two sentences: what it does, what it costs, what it returns. */
	description: string;
	/** An addition for AI agents, when the linter prescribes the description. */
	effect?: string;
	/** A notice above all fields, such as what replaces a deprecated operation. */
	notice?: string;
	fields: FieldsOf<Values>;
	/** The entries of its Options collection; the runner adds those that all operations share. */
	options?: FieldsOf<Options>;
	/** The field that names a row in messages; the first one by default. */
	rowName?: keyof Values & string;
	/** Checks fields against each other. @throws InvalidFields */
	check?(input: Input<Values, Options>): void;
	/** The record that it returns, when it has a simplified form. */
	record?: RecordForms;
	/** The shape of its output, when it is no such record. */
	outputSchema?: () => z.ZodType;
}

/** The fields that a kind of operation adds to its own. */
interface Shared {
	before?: Record<string, Field<unknown>>;
	options: Record<string, Field<unknown>>;
	after?: Record<string, Field<unknown>>;
}

/** Returns an operation's fields as the editor shows them, shared ones included, and a reader of its rows. */
export function prepare<Values extends object, Options extends object>(
	spec: OperationSpec<Values, Options>,
	shared: Shared,
): {
	fields: INodeProperties[];
	reader(run: Run): Promise<RowReader<Values, Options>>;
} {
	const all: Record<string, Field<unknown>> = {
		...(spec.notice ? { notice: notice(spec.notice) } : {}),
		...shared.before,
		...spec.fields,
		...(spec.record ? formFields(spec.record) : {}),
		options: collection('Options', {
			...optionsOf(spec.fields),
			...spec.options,
			...(spec.record?.answers ? { answersAsColumns } : {}),
			...shared.options,
		}),
		...shared.after,
	};
	const fields = propertiesOf(all);
	return { fields, reader: async (run) => await RowReader.start(run, spec, fields) };
}

/** Returns what puts an item's records into the form that the user chose. */
export function formatterFor(
	run: Run,
	reader: Pick<RowReader<object, object>, 'field'>,
	item: number,
	forms?: RecordForms,
): (record: IDataObject) => IDataObject {
	if (forms === undefined) return (record) => record;
	const { simplify, output, outputFields } = formFields(forms);
	// Output exists only where the node is an AI agent's tool.
	const form = {
		simplify: reader.field('simplify', simplify, item),
		output: reader.field('output', output, item),
		outputFields: reader.field('outputFields', outputFields, item),
		answersAsColumns: reader.field('options.answersAsColumns', answersAsColumns, item),
	};
	return (record) => inForm(forms, record, form, run.answerColumns);
}

/** Returns the shape of an operation's output items, for the editor's preview before the first run. */
export function outputSchemaOf({
	record,
	outputSchema,
}: Pick<OperationSpec<object, object>, 'record' | 'outputSchema'>): z.ZodType {
	return record ? simplifiedSchema(record) : (outputSchema?.() ?? z.looseObject({}));
}
