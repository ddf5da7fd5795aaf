import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { z } from 'zod/v4';

import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import { isBlank } from '../base/text';
import { optionsReader, readAllFields, readFields, withRead } from '../fields/field';
import type { Field, FieldsOf, ReadContext, Shown } from '../fields/field';
import { collection, notice, propertiesOf } from '../fields/fields';
import { isMapping, mappingsIn } from '../fields/runColumns';
import type { InputsOf, Mapping } from '../fields/runColumns';
import { rowOptions } from '../fields/sharedFields';
import { recordsReader } from '../paging/pages';
import { yieldToEventLoop } from '../parallel';
import { answersAsColumns, formFields, inForm, simplifiedSchema } from '../records';
import type { RecordForms } from '../records';
import { UNREADABLE_ROW } from './run';
import type { Run } from './run';

/** An operation of a resource, ready for the editor and for a run. */
export interface Operation {
	name: string;
	action: string;
	description: string;
	effect?: string;
	fields: INodeProperties[];
	/** True when it changes something at the service. */
	writes?: boolean;
	/** The shape of its output items, for the editor's preview before the first run. */
	outputSchema: () => z.ZodType;
	run(run: Run): Promise<void>;
}

/** One resource of a node: its label, and its operations by their values. Get Many is the default, or else the first one. */
export interface Resource {
	name: string;
	operations: Record<string, Operation>;
}

/** The resources of a node by their values, in the order in which people need them. */
export type Resources = Record<string, Resource>;

/** An operation's input for one row. */
export type Input<Values, Options> = Values & { options: Options };

/** The declarations of every operation. */
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
	/** True when it cannot be undone: an AI agent's tool then shows a notice. */
	irreversible?: boolean;
	fields: InputsOf<Values>;
	/** The entries of its Options collection; the runner adds those that all operations share. */
	options?: FieldsOf<Options>;
	/** Names a row in messages. A row that cannot be read has a part of its input. */
	label?(input: Partial<NoInfer<Input<Values, Options>>>): string | undefined;
	/** Checks fields against each other. @throws Failure */
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

/** An input item whose parameters were read. */
export interface Row<Input> {
	item: number;
	/** Names the row in messages; empty when nothing does. */
	label: string;
	input: Input;
	/** The shared options that each row may set by an expression. */
	options: { [Name in keyof typeof rowOptions]: ReturnType<(typeof rowOptions)[Name]['read']> };
}

/** An input item whose parameters cannot be read. */
export interface UnreadRow {
	item: number;
	label: string;
	failure: Failure;
}

/**
 * Reads the items one after the other, except those that have a result. With On Error = continue, a row is read when it is
 * requested. With stop, all rows are read first, and none is returned if one of them is not usable.
 *
 * @param admit makes a row ready to be sent; returns undefined for a row that gets its result without that
 */
export async function readRows<Input, Ready = Row<Input>>(
	run: Run,
	read: (item: number) => Row<Input> | UnreadRow,
	admit: (row: Row<Input>) => Promise<Ready | undefined>,
): Promise<AsyncIterable<Ready> | Ready[]> {
	const usable = usableRows(run, read, admit);
	if (run.continues) return usable;
	const all: Ready[] = [];
	for await (const row of usable) all.push(row);
	return run.isStopped ? [] : all;
}

async function* usableRows<Input, Ready>(
	run: Run,
	read: (item: number) => Row<Input> | UnreadRow,
	admit: (row: Row<Input>) => Promise<Ready | undefined>,
): AsyncGenerator<Ready> {
	const yieldIfBusy = yieldToEventLoop(() => run.client.isBusy);
	for (let item = 0; item < run.count && !run.isStopped; item++) {
		if (run.result(item)) continue;
		await yieldIfBusy();
		const row = read(item);
		if ('failure' in row) {
			run.fail(row, row.failure);
			continue;
		}
		try {
			const ready = await admit(row);
			if (ready !== undefined) yield ready;
		} catch (error) {
			run.fail(row, Failure.from(error));
		}
	}
}

/** Reads and checks the parameters of each row of one run. */
export class RowReader<Values extends object, Options extends object> {
	private readonly readOptions: ReturnType<typeof optionsReader<Options>>;
	private readonly readRowOptions = optionsReader(rowOptions);
	private readonly mapped: Set<string>;

	private constructor(
		private readonly run: Run,
		private readonly spec: OperationSpec<Values, Options>,
		private readonly fields: FieldsOf<Values>,
	) {
		this.readOptions = optionsReader(spec.options);
		this.mapped = new Set(mappingsIn(spec.fields).map(([name]) => name));
	}

	/** Starts the mappings of an operation, and returns the reader of its rows. */
	static async start<Values extends object, Options extends object>(
		run: Run,
		spec: OperationSpec<Values, Options>,
	): Promise<RowReader<Values, Options>> {
		const fields: FieldsOf<Values> = Object.create(Object.prototype);
		for (const name in spec.fields) fields[name] = await fieldOf(run, spec.fields[name]);
		return new RowReader(run, spec, fields);
	}

	/** Reads one row and its options, or says why it cannot be read. */
	read(item: number): Row<Input<Values, Options>> | UnreadRow {
		let label = '';
		try {
			const context = this.context(item);
			const { failures } = context;
			const valueOf = (name: string) => this.value(name, item);
			const values = readAllFields(this.fields, valueOf, context);
			label = this.spec.label?.(values) ?? '';
			const options = this.readOptions(context);
			const shared = this.readRowOptions(context);
			// The output's form is read again with the response, when it is too late to keep a request back.
			const { simplify } = this.spec.record ? formFields(this.spec.record) : {};
			if (simplify) readAllFields({ simplify }, valueOf, context);
			const input = { ...values, options };
			failures.push(...this.checked(input, failures));
			if (failures.length > 0) return { item, label, failure: Failure.all(failures) };
			return { item, label, input, options: shared };
		} catch (error) {
			return { item, label, failure: Failure.from(error, UNREADABLE_ROW) };
		}
	}

	/** Returns the failures between fields that can be read on their own. */
	private checked(input: Input<Values, Options>, known: Failure[]): Failure[] {
		try {
			this.spec.check?.(input);
			return [];
		} catch (error) {
			// A check fails in any way if a value could not be read.
			if (known.length > 0 && !(error instanceof Failure)) return [];
			const fields = new Set(known.flatMap(({ all }) => all).map(({ field }) => field));
			return Failure.from(error).all.filter(({ field }) => !fields.has(field));
		}
	}

	/** Reads one field on its own, for example `options.dryRun`. @throws Failure */
	field<Value>(name: string, field: Field<Value>, item: number): Value {
		const valueOf = () => this.value(name, item);
		return readFields({ value: field }, valueOf, this.context(item)).value;
	}

	private value(name: string, item: number): unknown {
		// A mapping reads its values itself.
		return this.mapped.has(name) ? undefined : this.run.parameters.value(name, item);
	}

	private context(item: number): ReadContext {
		const { parameters, warnings } = this.run;
		const options = parameters.value('options', item);
		if (!isBlank(options) && !isObject(options)) {
			const failure = Failure.value('must be a collection of fields');
			throw Failure.at('Options', options, failure);
		}
		return {
			zone: parameters.context.getTimezone(),
			options: isObject(options) ? options : NO_OPTIONS,
			item,
			failures: [],
			warn: (text, example) => warnings.add(item, text, example),
		};
	}
}

const NO_OPTIONS = {};

/** Returns the field of an input for one run, in which a mapping is started. */
async function fieldOf<Value>(
	{ parameters, client }: Run,
	input: Field<Value> | Mapping<Value>,
): Promise<Field<Value>> {
	if (!isMapping(input)) return input;
	try {
		const read = await input.start(parameters, recordsReader(client));
		return withRead(input, (_, context) => read(context));
	} catch (error) {
		// It concerns all rows, so each of them fails.
		return withRead(input, () => {
			throw Failure.from(error);
		});
	}
}
