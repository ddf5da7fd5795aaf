import type { INodeProperties } from 'n8n-workflow';
import type { z } from 'zod/v4';

import type { FieldsOf } from '../fields/field';
import type { InputsOf } from '../fields/mapping';
import type { RecordForms } from '../recordForms';
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
