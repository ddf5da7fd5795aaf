import type { INodeProperties } from 'n8n-workflow';

import { isObject } from '../http/json';
import type { DateOrder, ReadContext, RunSource } from '../parameters/context';
import { InvalidFields, problemsIn, readFields, readInto, readOrFail } from '../parameters/field';
import type { Field, FieldsOf, Problem } from '../parameters/field';
import { located, optionsOf } from '../parameters/fields';
import { dateOrder, rowOptions } from '../parameters/sharedFields';
import { isBlank } from '../parameters/values';
import { formFields } from '../recordForms';
import type { Input, OperationSpec } from './operationSpec';
import { rowsReader } from '../pagination/pages';
import type { RowNames } from './errorItem';
import type { Row } from './rows';
import type { Run } from './run';

/** The types of filters that say whom or what a list is about. */
const NAMING_TYPES = new Set(['string', 'resourceLocator']);

/** Reads and checks the parameters of each row of one run. */
export class RowReader<Values extends object, Options extends object> implements RowNames {
	private readonly hasDateOrder: boolean;

	private constructor(
		private readonly run: Run,
		private readonly spec: OperationSpec<Values, Options>,
		private readonly fields: FieldsOf<Values>,
		private readonly properties: INodeProperties[],
	) {
		this.hasDateOrder = 'dateOrder' in { ...spec.options, ...optionsOf(spec.fields) };
	}

	static async start<Values extends object, Options extends object>(
		run: Run,
		spec: OperationSpec<Values, Options>,
		properties: INodeProperties[],
	): Promise<RowReader<Values, Options>> {
		const { parameters, client } = run;
		const readRows = rowsReader(client);
		const fields = await forRun(spec.fields, (name) => ({ parameters, readRows, name }));
		const reader = new RowReader(run, spec, fields, properties);
		run.names = reader;
		return reader;
	}

	/**
	 * Reads one row, its own options included.
	 *
	 * @throws SurveyError with all that is wrong with the row
	 */
	read(item: number): Row<Input<Values, Options>> {
		return readOrFail(() => {
			const context = this.context(item);
			const problems: Problem[] = [];
			const values = readInto(
				problems,
				this.fields,
				(name, field) => this.value(name, item, field),
				context,
			);
			const options = readInto(
				problems,
				this.spec.options,
				(name) => context.options[name],
				context,
			);
			const shared = readInto(problems, rowOptions, (name) => context.options[name], context);
			const { record } = this.spec;
			// The output's form is read again with the response, when it is too late to keep a request back.
			const { simplify } = record ? formFields(record) : {};
			if (simplify) readInto(problems, { simplify }, () => this.value('simplify', item), context);
			const input = { ...values, options };
			problems.push(...this.checked(input, problems));
			if (problems.length > 0) throw new InvalidFields(problems);
			return { item, input, options: shared };
		});
	}

	/** Returns what is wrong with fields that can be read each by itself. */
	private checked(input: Input<Values, Options>, known: Problem[]): Problem[] {
		try {
			this.spec.check?.(input);
			return [];
		} catch (error) {
			// Only a check of values that could be read counts.
			if (known.length > 0 && !(error instanceof InvalidFields)) return [];
			const labels = new Set(known.map(({ label }) => label));
			return problemsIn(error, '', undefined).filter(({ label }) => !labels.has(label));
		}
	}

	/** Reads one field by itself, for example `options.dryRun`. @throws SurveyError */
	field<Value>(name: string, field: Field<Value>, item: number): Value {
		return readOrFail(
			() =>
				readFields({ value: field }, () => this.value(name, item, field), this.context(item)).value,
		);
	}

	nameOf(item: number): string {
		const filters = this.filters.flatMap(({ name, type }) =>
			NAMING_TYPES.has(type) ? [`filters.${name}`] : [],
		);
		const names = 'filters' in this.fields ? filters : [this.rowName];
		return names.flatMap((name) => this.idOf(name, item) ?? []).join(', ');
	}

	get record(): string | undefined {
		const { displayName = '', type } = this.property(this.rowName) ?? {};
		const isRecord = type === 'resourceLocator' || displayName.endsWith(' ID');
		return isRecord && !('filters' in this.fields) ? displayName.replace(/ ID$/, '') : undefined;
	}

	fieldOf(parameters: string[], item: number): { field?: string; value?: string } {
		for (const name of parameters) {
			const property = this.property(name);
			if (property) return { field: property.displayName, value: this.idOf(name, item) };
			const filter = this.filters.find((one) => one.name === name);
			const value = filter && this.idOf(`filters.${name}`, item);
			if (filter && value !== undefined) return { field: filter.displayName, value };
			if (name === 'email' && 'columns' in this.fields) {
				return { field: 'Email', value: this.idOf('columns', item) };
			}
		}
		return {};
	}

	private get rowName(): string {
		return this.spec.rowName ?? Object.keys(this.fields)[0] ?? '';
	}

	private property(name: string): INodeProperties | undefined {
		return this.properties.find((one) => one.name === name);
	}

	private get filters(): INodeProperties[] {
		const options = this.property('filters')?.options ?? [];
		return options.flatMap((option) => ('type' in option ? [option] : []));
	}

	/** Returns the text of a parameter that identifies a record; undefined when it has none. */
	private idOf(name: string, item: number): string | undefined {
		try {
			const fields: Record<string, Field<unknown>> = { ...this.fields };
			const field = fields[name];
			const value = this.value(name, item, field);
			const found = field?.identify?.(value, this.context(item)) ?? located(value);
			return isBlank(found) || isObject(found) ? undefined : String(found).trim();
		} catch {
			return undefined;
		}
	}

	private value(name: string, item: number, field?: Field<unknown>): unknown {
		return this.run.parameters.value(name + (field?.path ?? ''), item);
	}

	private context(item: number): ReadContext {
		const { parameters, warnings } = this.run;
		const options = parameters.value('options', item);
		if (!isBlank(options) && !isObject(options)) {
			const message = 'must be a collection of fields';
			throw new InvalidFields([{ label: 'Options', value: options, message }]);
		}
		const base = {
			zone: parameters.context.getTimezone(),
			options: isObject(options) ? options : {},
			item,
			warnings,
		};
		return { ...base, dateOrder: this.dateOrder(base) };
	}

	/** An order that cannot be read is reported together with the other options. */
	private dateOrder(context: ReadContext): DateOrder | undefined {
		if (!this.hasDateOrder) return undefined;
		try {
			return dateOrder.read(context.options.dateOrder, context);
		} catch {
			return undefined;
		}
	}
}

/** Returns the fields as they are read in one run. */
async function forRun<Values extends object>(
	fields: FieldsOf<Values>,
	sourceOf: (name: string) => RunSource,
): Promise<FieldsOf<Values>> {
	const own: FieldsOf<Values> = { ...fields };
	for (const name in fields) {
		own[name] = (await fields[name].forRun?.(sourceOf(name))) ?? fields[name];
	}
	return own;
}
