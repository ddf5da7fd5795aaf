import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';

import { collection, notice, optionsOf, propertiesOf } from '../parameters/fields';
import type { Field } from '../parameters/field';
import { answersAsColumns, formFields, inForm, simplifiedSchema } from '../recordForms';
import type { RecordForms } from '../recordForms';
import type { OperationSpec } from './operationSpec';
import { RowReader } from './rowReader';
import type { Run } from './run';

/** The fields that a kind of operation adds to its own. */
interface Shared {
	before?: Record<string, Field<unknown>>;
	options: Record<string, Field<unknown>>;
	after?: Record<string, Field<unknown>>;
}

const toolNotice = notice(
	'This operation cannot be undone. Add a human review step to this tool, so that a person approves each call before it runs.',
	{ show: { '@tool': [true] } },
);

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
		...(spec.irreversible ? { toolNotice } : {}),
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
