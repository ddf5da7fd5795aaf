import type { ReadContext } from '../fields/context';
import { optionsReader, readAllFields, readFields, withRead } from '../fields/field';
import type { Field, FieldsOf } from '../fields/field';
import { isMapping, mappingsIn } from '../fields/mapping';
import type { Mapping } from '../fields/mapping';
import { rowOptions } from '../fields/sharedFields';
import { isBlank } from '../base/text';
import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import { recordsReader } from '../paging/pages';
import { yieldToEventLoop } from '../parallel';
import { formFields } from '../recordForms';
import type { Input, OperationSpec } from './operationSpec';
import { UNREADABLE_ROW } from './run';
import type { Run } from './run';

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
