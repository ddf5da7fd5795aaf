import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v4';

import { once } from '../http/once';
import { optionsField, simplifyField } from '../parameters/fields';
import { readBoolean } from '../parameters/numbers';
import { parameterReader, readField } from '../parameters/reader';
import type { Input, ReadInput, Refine } from '../parameters/reader';
import type { ReadColumns } from '../parameters/columns';
import type { RowSource } from './errorItem';
import type { Run } from './run';

/** One operation of a node, ready for its table: what the editor shows and what a run does. */
export interface Operation extends RowSource {
	name: string;
	action: string;
	description: string;
	effect?: string;
	/** The shape of its output items, for the editor's preview before the first run. */
	outputSchema: () => z.ZodType;
	run(run: Run): Promise<void>;
}

/** What every operation says about itself. */
export interface OperationSpec<Shape extends z.ZodRawShape> {
	/** Title Case, without the resource: `Get Many`. */
	name: string;
	/** Sentence case, with the resource, without articles: `Get many customers`. */
	action: string;
	/** One or two sentences: what it does, what it costs, what comes back. */
	description: string;
	/** What an AI agent is told besides, where the linter prescribes the description. */
	effect?: string;
	/** Its own fields; the runner adds those that all share. */
	fields?: INodeProperties[];
	/** Its own entries of the Options collection. */
	options?: INodeProperties[];
	/** The parameters that it reads, each with its schema. */
	input: () => Shape;
	/** The parameter that names a row in messages, its address or ID; the first one where nothing is said. */
	rowName?: keyof Shape & string;
	/** What it makes of an item's columns, where its fields offer Map Automatically. */
	columns?: ReadColumns;
	/** Checks parameters against each other. */
	refine?: Refine<Shape>;
	outputSchema: () => z.ZodType;
	/** A shorter form of a long record, offered by the Simplify switch. */
	simplify?: Simplifier;
}

export type Simplifier = (record: IDataObject) => IDataObject;

/**
 * Gives an operation's fields, shared ones included, and the reader of its parameters. It reads Simplify
 * as well: one that cannot be read is to be told before anything is sent.
 */
export function prepare<Shape extends z.ZodRawShape>(
	spec: OperationSpec<Shape>,
	sharedOptions: INodeProperties[],
): { fields: INodeProperties[]; rowNames: () => string[]; read: ReadInput<Input<Shape>> } {
	const own = [...(spec.fields ?? []), ...(spec.simplify ? [simplifyField] : [])];
	const fields = [...own, optionsField([...(spec.options ?? []), ...sharedOptions])];
	// Each row that fails asks for its name.
	const input = once(spec.input);
	const rowNames = () => (spec.rowName ? [spec.rowName] : Object.keys(input()).slice(0, 1));
	const readInput = parameterReader(input, fields, spec.refine, spec.columns);
	const read: ReadInput<Input<Shape>> = (context, item, notes) => {
		if (spec.simplify) readField(context, item, simplifyField, readBoolean);
		return readInput(context, item, notes);
	};
	return { fields, rowNames, read };
}

/** Gives what makes an item's rows short, or leaves them whole where Simplify is off. */
export function simplifierOf(run: Run, item: number, simple?: Simplifier): Simplifier {
	const wanted = simple && readField(run.context, item, simplifyField, readBoolean);
	return wanted ? simple : (record) => record;
}
