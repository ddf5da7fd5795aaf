import { yieldToEventLoop } from '../parallel';
import type { Shown } from '../fields/field';
import type { rowOptions } from '../fields/sharedFields';
import { Failure } from '../base/failure';
import type { Run } from './run';

/** Reads the parameters of items. */
export interface Reader<Input> {
	read(item: number): Row<Input> | UnreadRow;
}

/** An input item whose parameters were read. */
export interface Row<Input> {
	item: number;
	/** Names the row in messages; empty when nothing does. */
	label: string;
	input: Input;
	/** The shared options that each row may set by an expression. */
	options: { [Name in keyof typeof rowOptions]: ReturnType<(typeof rowOptions)[Name]['read']> };
	/** The fields of the input. */
	fields: Record<string, Shown>;
}

/** An input item whose parameters cannot be read. */
export interface UnreadRow {
	item: number;
	label: string;
	failure: unknown;
}

/**
 * Reads the items one after the other, except those that have a result. With On Error = continue, a row is read when it is
 * requested. With stop, all rows are read first, and none is returned if one of them is not usable.
 *
 * @param admit makes a row ready to be sent; returns undefined for a row that gets its result without that
 */
export async function readRows<Input, Ready = Row<Input>>(
	run: Run,
	reader: Reader<Input>,
	admit: (row: Row<Input>) => Promise<Ready | undefined>,
): Promise<AsyncIterable<Ready> | Ready[]> {
	const usable = usableRows(run, reader, admit);
	if (run.continues) return usable;
	const all: Ready[] = [];
	for await (const row of usable) all.push(row);
	return run.isStopped ? [] : all;
}

async function* usableRows<Input, Ready>(
	run: Run,
	reader: Reader<Input>,
	admit: (row: Row<Input>) => Promise<Ready | undefined>,
): AsyncGenerator<Ready> {
	const yieldIfBusy = yieldToEventLoop(() => run.client.isBusy);
	for (let item = 0; item < run.count && !run.isStopped; item++) {
		if (run.result(item)) continue;
		await yieldIfBusy();
		const row = reader.read(item);
		if ('failure' in row) {
			run.failUnread(row);
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
