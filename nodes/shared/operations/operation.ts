import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { collection, notice, propertiesOf } from '../fields/fields';
import type { Field, Shown } from '../fields/field';
import { mappingsIn } from '../fields/mapping';
import { answersAsColumns, formFields, inForm, simplifiedSchema } from '../recordForms';
import type { RecordForms } from '../recordForms';
import type { OperationSpec } from './operationSpec';
import { RowReader } from './rows';
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

/** Returns an operation with all fields that the editor shows, without its run, and a reader of its rows. */
export function prepare<Values extends object, Options extends object>(
	spec: OperationSpec<Values, Options>,
	shared: Shared,
) {
	const { record, outputSchema } = spec;
	const all: Record<string, Shown> = {
		...(spec.notice ? { notice: notice(spec.notice) } : {}),
		...(spec.irreversible ? { toolNotice } : {}),
		...shared.before,
		...spec.fields,
		...shared.after,
		...(record ? formFields(record) : {}),
		options: collection('Options', {
			...mappingsIn(spec.fields)[0]?.[1].options,
			...spec.options,
			...(record?.answers ? { answersAsColumns } : {}),
			...shared.options,
		}),
	};
	const fields = propertiesOf(all);
	return {
		operation: {
			...spec,
			fields,
			outputSchema: () =>
				record ? simplifiedSchema(record) : (outputSchema?.() ?? z.looseObject({})),
		},
		reader: async (run: Run) => await RowReader.start(run, spec),
	};
}

/** Returns a function that converts an item's records to the form that the user chose. */
export function formatterFor(
	run: Run,
	reader: Pick<RowReader<object, object>, 'field'>,
	item: number,
	forms?: RecordForms,
): (record: IDataObject) => IDataObject {
	if (forms === undefined) return (record) => record;
	const { simplify, output, outputFields } = formFields(forms);
	// Only AI agents' tools have Output.
	const form = {
		simplify: reader.field('simplify', simplify, item),
		output: reader.field('output', output, item),
		outputFields: reader.field('outputFields', outputFields, item),
		answersAsColumns: reader.field('options.answersAsColumns', answersAsColumns, item),
	};
	return (record) => inForm(forms, record, form, run.answerColumns);
}
