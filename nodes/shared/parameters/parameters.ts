import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import type { ApiRequest } from '../http/request';

/** The part of n8n's context that parameters are read from. */
export type ParameterContext = Pick<
	IExecuteFunctions,
	'getInputData' | 'getNodeParameter' | 'getTimezone'
>;

/** The parameters of one run. Those without an expression are evaluated once for all items. */
export class Parameters {
	private readonly fixed = new Map<string, { value: unknown } | undefined>();

	constructor(readonly context: ParameterContext) {}

	/**
	 * Returns the evaluated value of a parameter, for example `options.timeout`; undefined for a field
	 * that the editor does not show.
	 */
	value(name: string, item: number): unknown {
		if (!this.fixed.has(name)) {
			this.fixed.set(
				name,
				this.hasExpression(name) ? undefined : { value: this.evaluate(name, 0) },
			);
		}
		const known = this.fixed.get(name);
		return known ? known.value : this.evaluate(name, item);
	}

	/** Returns whether the parameter, or any part of it, is an expression. */
	hasExpression(name: string): boolean {
		const options = { rawExpressions: true, skipValidation: true };
		return containsExpression(this.context.getNodeParameter(name, 0, null, options));
	}

	/** The JSON of the input items. */
	get rows(): IDataObject[] {
		return this.context.getInputData().map(({ json }) => json);
	}

	private evaluate(name: string, item: number): unknown {
		// The fields check values themselves; n8n's validation would go through all fields of the node.
		return this.context.getNodeParameter(name, item, null, { skipValidation: true }) ?? undefined;
	}
}

function containsExpression(written: unknown): boolean {
	if (typeof written === 'string') return written.startsWith('=');
	return Object.values(written ?? {}).some(containsExpression);
}

/** Reads the first page of a list from the service. */
export type ReadRows = (request: ApiRequest, rowsKey: string) => Promise<IDataObject[]>;

/** What a field may look at before the first row is read. */
export interface RunSource {
	parameters: Parameters;
	/** The name of the field's parameter. */
	name: string;
	readRows: ReadRows;
}
