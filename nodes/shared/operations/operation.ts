import type { IDataObject, INodeProperties } from 'n8n-workflow';

import { Failure } from '../base/failure';
import { isObject } from '../base/json';
import { labelOf, withFullStop } from '../base/text';
import { COLUMNS, mappedColumnIds } from '../mapping/columns';
import { isMapping, optionsReader, readAllFields, unevaluated, withRead } from '../fields/field';
import type { Field, FieldsOf, InputsOf, Mapping, ReadContext, Shown } from '../fields/field';
import { collection, notice, propertiesOf } from '../fields/kinds';
import { runOptions } from '../fields/common';
import { isAddress } from '../fields/values';
import { CHECK_URL } from '../http/outcome';
import { recordsReader } from '../paging/pages';
import { yieldToEventLoop } from '../parallel';
import { formFields, inForm } from '../records';
import type { RecordForms, RecordSchema } from '../records';
import { UNREADABLE_ITEM } from './run';
import type { Run, RunOperation } from './run';

/** An operation of a resource, ready for the editor and for a run. */
export interface Operation extends Texts, RunOperation {
	fields: INodeProperties[];
	returns: string[];
	/** The names of fields that the node explains once to agents that build workflows. */
	common: string[];
	/** How to write its Columns, for agents that build workflows. */
	example?: string;
	record?: RecordForms;
	outputSchema?: RecordSchema;
	execute(run: Run): Promise<void>;
}

/** One resource of a node: its operations by their values. Get Many is the default, or else the first one. */
export type Resource = Record<string, Operation>;

/** The resources of a node by their values, in the order in which people need them. Values are names in camel case. */
export type Resources = Record<string, Resource>;

export type Input<Values, Options> = Values & { options: Options };

export interface Texts {
	/** Title Case, without the resource. By default, what its value says: `Add Tag` for `addTag`. */
	name?: string;
	/** Sentence case, with the resource, without articles: `Get many customers`. */
	action: string;
	/** One short sentence: n8n lists those of all operations in each of its search results. */
	description: string;
	/**
	 * The cost, and the result: AI agents read it with the output fields. If the operation cannot be undone, people read it
	 * above all fields.
	 */
	details?: string;
	notice?: string;
	deprecated?: string;
}

export interface OperationSpec<Values extends object, Options extends object> extends Texts {
	/** True when it cannot be undone, which `details` says. */
	irreversible?: boolean;
	fields?: InputsOf<Values>;
	/** The entries of its Options collection; the runner adds those that all operations share. */
	options?: FieldsOf<Options>;
	/** The record that it returns, when it has a simplified form. */
	record?: RecordForms;
	/** The shape of its output, when it is no such record. */
	outputSchema?: RecordSchema;
}

/** Says that an operation cannot be undone: what it does to people in the panel, and how to guard it in a tool. */
const undoNotices = (details: string) => ({
	undoNotice: notice(withFullStop(details), { hide: { '@tool': [true] } }),
	toolNotice: notice(
		'This operation cannot be undone. Add a human review step to this tool, so that a person approves each call before it runs.',
		{ show: { '@tool': [true] } },
	),
});

export function operationOf<Values extends object, Options extends object>(
	spec: OperationSpec<Values, Options>,
	added: Partial<Record<'before' | 'options', Record<string, Field<unknown>>>>,
	work: (run: Run, reader: ItemReader<Values, Options>) => Promise<void>,
): Operation {
	const { fields: declared, record, outputSchema, notice: shownNotice = spec.deprecated } = spec;
	const inputs: Record<string, Field<unknown> | Mapping<unknown>> = declared ?? {};
	const mapping = Object.values(inputs).find(isMapping);
	const options: Record<string, Field<unknown>> = {
		...mapping?.fields,
		...spec.options,
		...(record?.answers ? { answersAsColumns: runOptions.answersAsColumns } : {}),
		...added.options,
	};
	const form = record && formFields(record);
	const hasOptions = Object.keys(options).length > 0;
	const isCommon = (name: string) =>
		options[name]?.isCommon === true || (mapping !== undefined && name in mapping.fields);
	const isCommonField = ([name, field]: [string, Shown]) =>
		field.isCommon || (name === 'options' && Object.keys(options).every(isCommon));
	const all: Record<string, Shown> = {
		...(shownNotice ? { notice: notice(shownNotice) } : {}),
		...(spec.irreversible && spec.details ? undoNotices(spec.details) : {}),
		...added.before,
		...inputs,
		...(mapping ? { mappedColumns: mappedColumnIds } : {}),
		...form,
		...(hasOptions ? { options: collection('Options', options) } : {}),
	};
	const returns = record ? Object.keys(record.simplified) : (outputSchema?.fields ?? []);
	return {
		...spec,
		options,
		fields: propertiesOf(all),
		common: Object.entries(all)
			.filter(isCommonField)
			.map(([name]) => name),
		returns,
		results: record ? [] : returns.filter((name) => !mapping?.takes(name)),
		example: mapping?.example,
		async execute(run) {
			const columns = mapping && (await startMapping(run, mapping));
			// A cast, because the field of the run takes the place of the mapping.
			const fields = { ...declared, ...(columns && { [COLUMNS]: columns }) } as FieldsOf<Values>;
			await work(run, new ItemReader(run, spec, fields, options, form));
		},
	};
}

export interface ReadItem<Input> {
	itemIndex: number;
	/**
	 * Names the item in messages; empty when nothing does. The service names refused items of a batch by it, and items with the
	 * same label go out in input order.
	 */
	label: string;
	input: Input;
	format(this: void, record: IDataObject): IDataObject;
}

export class ItemReader<Values extends object, Options extends object> {
	private readonly readOptions: ReturnType<typeof optionsReader<Options>>;
	/** The failures of all items: of parameters that n8n did not evaluate. */
	private readonly ofAll: Failure[];

	constructor(
		private readonly run: Run,
		private readonly spec: OperationSpec<Values, Options>,
		private readonly fields: FieldsOf<Values>,
		options: Record<string, Field<unknown>>,
		private readonly form?: ReturnType<typeof formFields>,
	) {
		this.readOptions = optionsReader(spec.options);
		const { parameters } = run;
		const ofFields = Object.entries<Shown>(fields).filter(([name]) => name !== COLUMNS);
		const ofOptions = Object.entries<Shown>(options).map(([name, option]): [string, Shown] => [
			`options.${name}`,
			option,
		]);
		this.ofAll = [...ofFields, ...ofOptions].flatMap(
			([name, { label }]) => unevaluated(parameters.written(name), label) ?? [],
		);
	}

	/**
	 * Reads the items one after the other, except those that have a result. With On Error = continue, an item is read when it is
	 * requested. With stop, or if `readsFirst`, all items are read first, and none is returned if one of them is not usable.
	 *
	 * @param prepare makes an item ready to be sent; returns undefined for an item that gets its result without that
	 */
	async items<Ready>(
		prepare: (item: ReadItem<Input<Values, Options>>) => Promise<Ready | undefined>,
		readsFirst = false,
	): Promise<AsyncIterable<Ready> | Ready[]> {
		const { run } = this;
		const usable = this.usableItems(prepare);
		// promise: read-first
		if (run.continues && !readsFirst) return usable;
		const all: Ready[] = [];
		for await (const item of usable) all.push(item);
		return run.isStopped ? [] : all;
	}

	private async *usableItems<Ready>(
		prepare: (item: ReadItem<Input<Values, Options>>) => Promise<Ready | undefined>,
	): AsyncGenerator<Ready> {
		const { run } = this;
		const yieldAfterWork = yieldToEventLoop();
		for (let itemIndex = 0; itemIndex < run.parameters.count && !run.isStopped; itemIndex++) {
			if (run.progress.result(itemIndex)) continue;
			await yieldAfterWork();
			const item = this.read(itemIndex);
			// promise: fails-alone
			if (item === undefined) continue;
			try {
				const ready = await prepare(item);
				if (ready !== undefined) yield ready;
			} catch (error) {
				run.fail(item, Failure.from(error));
			}
		}
	}

	private read(itemIndex: number): ReadItem<Input<Values, Options>> | undefined {
		let label = '';
		try {
			if (this.ofAll.length > 0) throw Failure.all(this.ofAll);
			const context = this.context(itemIndex);
			const { failures } = context;
			// A mapping reads its values itself.
			const valueOf = (name: string) =>
				name === COLUMNS ? undefined : this.run.parameters.value(name, itemIndex);
			const values = readAllFields(this.fields, valueOf, context);
			label = labelFrom(values, COLUMNS in this.fields ? '' : Object.keys(this.fields)[0]);
			const input = { ...values, options: this.readOptions(context) };
			const format = this.formatter(valueOf, context);
			if (failures.length > 0) throw Failure.all(failures);
			return { itemIndex, label, input, format };
		} catch (error) {
			this.run.fail({ itemIndex, label }, Failure.from(error, UNREADABLE_ITEM));
			return undefined;
		}
	}

	/** Reads the form of the output. Only AI agents' tools have Output. */
	private formatter(
		valueOf: (name: string) => unknown,
		context: ReadContext,
	): ReadItem<Values>['format'] {
		const { record: forms, outputSchema } = this.spec;
		const { answersAsColumns } = this.run.options;
		if (forms === undefined) return outputSchema?.typed ?? UNCHANGED;
		const form = { ...readAllFields(this.form, valueOf, context), answersAsColumns };
		return (record) => inForm(forms, record, form);
	}

	private context(itemIndex: number): ReadContext {
		const { parameters, progress } = this.run;
		const raw = parameters.value('options', itemIndex);
		return {
			zone: parameters.context.getTimezone(),
			raw: isObject(raw) ? raw : NO_OPTIONS,
			itemIndex,
			isTool: this.run.isTool,
			failures: [],
			objections: progress.objections,
			warn: (text, example) => progress.warnings.add(itemIndex, text, example),
		};
	}
}

const NO_OPTIONS = {};
const UNCHANGED = (record: IDataObject) => record;

/** Names an item by its email, else by its first field: `Feedback 999`. */
function labelFrom(values: object, first = ''): string {
	const { [COLUMNS]: columns, email, [first]: id }: IDataObject = { ...values };
	const address = isObject(columns) ? columns.email : email;
	if (typeof address === 'string') return address;
	if (typeof id !== 'string') return '';
	return isAddress(id) ? id : `${labelOf(first)} ${id}`;
}

/** The request for the columns is not about an item, and neither is its refusal. @throws Failure */
function throwUnreadColumns(error: unknown): never {
	const failure = Failure.from(error);
	if (failure.kind === 'run') throw failure;
	const message = `The columns of the account could not be read: ${failure.message}`;
	const isRefused = failure.kind === 'refused';
	throw failure.with(isRefused ? { kind: 'failed', message, hint: CHECK_URL } : { message });
}

async function startMapping(
	{ parameters, client }: Run,
	mapping: Mapping<unknown>,
): Promise<Field<unknown>> {
	const read = recordsReader(client);
	// A failure that concerns all items fails each of them.
	const started = await mapping
		.start(parameters, async (...list) => await read(...list).catch(throwUnreadColumns))
		.catch((error: unknown) => Failure.from(error));
	return withRead(mapping, (_, context) => {
		if (started instanceof Failure) throw started;
		try {
			return started(context);
		} catch (error) {
			// It evaluates expressions, as those of other fields are.
			throw Failure.from(error, UNREADABLE_ITEM);
		}
	});
}
