import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import { recordsReader } from '../paging/pages';
import type { ReadContext } from '../fields/context';
import { optionsReader, readFields, readInto, withRead } from '../fields/field';
import type { Field, FieldsOf } from '../fields/field';
import { isMapping } from '../fields/mapping';
import type { InputsOf, Mapping } from '../fields/mapping';
import { rowOptions } from '../fields/sharedFields';
import { isBlank } from '../fields/values';
import { formFields } from '../recordForms';
import type { Input, OperationSpec } from './operationSpec';
import type { Row, UnreadRow } from './rows';
import type { Run } from './run';

/** Reads and checks the parameters of each row of one run. */
export class RowReader<Values extends object, Options extends object> {
	private readonly readOptions: ReturnType<typeof optionsReader<Options>>;
	private readonly readRowOptions = optionsReader(rowOptions);

	private constructor(
		private readonly run: Run,
		private readonly spec: OperationSpec<Values, Options>,
		private readonly fields: FieldsOf<Values>,
		/** The names of mappings, which read their values themselves. */
		private readonly mapped: Set<string>,
	) {
		this.readOptions = optionsReader(spec.options);
	}

	static async start<Values extends object, Options extends object>(
		run: Run,
		spec: OperationSpec<Values, Options>,
	): Promise<RowReader<Values, Options>> {
		const { parameters, client } = run;
		const readRecords = recordsReader(client);
		const mapped = new Set<string>();
		const fieldOfRun: FieldOfRun = async (name, input) => {
			if (!isMapping(input)) return input;
			mapped.add(name);
			const read = await input.start({ parameters, name, readRecords });
			return withRead(input, (_, context, failures = []) => read(context, failures));
		};
		const fields = await fieldsOfRun(spec.fields, fieldOfRun);
		return new RowReader(run, spec, fields, mapped);
	}

	/** Reads one row and its options, or says why it cannot be read. */
	read(item: number): Row<Input<Values, Options>> | UnreadRow {
		let label = '';
		try {
			const context = this.context(item);
			const failures: Failure[] = [];
			const valueOf = (name: string) => this.value(name, item);
			const values = readInto(failures, this.fields, valueOf, context);
			label = this.spec.label?.(values) ?? '';
			const options = this.readOptions(failures, context);
			const shared = this.readRowOptions(failures, context);
			// The output's form is read again with the response, when it is too late to keep a request back.
			const { simplify } = this.spec.record ? formFields(this.spec.record) : {};
			if (simplify) readInto(failures, { simplify }, valueOf, context);
			const input = { ...values, options };
			failures.push(...this.checked(input, failures));
			if (failures.length > 0) return { item, label, failure: Failure.all(failures) };
			return { item, label, input, options: shared, fields: this.fields };
		} catch (failure) {
			return { item, label, failure };
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
		return this.mapped.has(name) ? undefined : this.run.parameters.value(name, item);
	}

	private context(item: number): ReadContext {
		const { parameters, warnings } = this.run;
		const options = parameters.value('options', item);
		if (!isBlank(options) && !isObject(options)) {
			const failure = Failure.value('must be a collection of fields');
			throw Failure.at('Options', options, failure);
		}
		const zone = parameters.context.getTimezone();
		return { zone, options: isObject(options) ? options : NO_OPTIONS, item, warnings };
	}
}

const NO_OPTIONS = {};

type FieldOfRun = <Value>(
	name: string,
	input: Field<Value> | Mapping<Value>,
) => Promise<Field<Value>>;

/** Returns the fields for one run, in which each mapping is started. */
async function fieldsOfRun<Values extends object>(
	inputs: InputsOf<Values>,
	fieldOfRun: FieldOfRun,
): Promise<FieldsOf<Values>> {
	const fields: FieldsOf<Values> = Object.create(Object.prototype);
	for (const name in inputs) fields[name] = await fieldOfRun(name, inputs[name]);
	return fields;
}
