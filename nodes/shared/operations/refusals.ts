import type { IDataObject } from 'n8n-workflow';

import type { SkipReason } from '../base/codes';
import { Failure } from '../base/failure';
import type { FailureKind } from '../base/failure';
import type { BodyReader } from '../base/json';
import type { ApiClient } from '../http/client';
import { wasRemoved } from '../http/outcome';
import type { ApiRequest } from '../http/request';
import type { Run } from './run';

// Reads a refusal: the item may be done all the same, or have a reason of its own not to be sent.

export interface Refusals<Input> {
	/** The output of an item whose record an earlier attempt removed. */
	removed?(input: Input): IDataObject;
	/** Reads the record of an item once if its failure leaves open whether it is as the item wants it. */
	lookUp?: {
		isFor(failure: Failure): boolean;
		request(input: Input): ApiRequest;
		readBody: BodyReader<IDataObject[]>;
		/** Undefined for an item that is not done. @throws a failure that says more, for example that the person is unknown */
		output(records: IDataObject[], input: Input): IDataObject | undefined;
	};
	/** Why a refused item counts as skipped, or a failure that says more. */
	readRefusal?(refusal: Failure, run: Run): Failure | SkipReason | undefined;
}

/** Kinds that may concern one item alone if nothing was done: not the service, the account, or the campaign. */
const ABOUT_ITEM = new Set<FailureKind>(['refused', 'failed', 'unconfirmed', 'tooLarge']);

export function isAboutItem({ kind, isUncertain }: Failure): boolean {
	return ABOUT_ITEM.has(kind) && !isUncertain;
}

/** If the record cannot be read, the failure stands. */
export async function outputIfDone<Input>(
	{ removed, lookUp }: Refusals<Input>,
	client: ApiClient,
	input: Input,
	failure: Failure,
): Promise<IDataObject | Failure | undefined> {
	if (removed && wasRemoved(failure)) return removed(input);
	if (lookUp?.isFor(failure) !== true) return undefined;
	const records = await client.send(lookUp.request(input), lookUp.readBody).catch(() => undefined);
	try {
		return records && lookUp.output(records, input);
	} catch (error) {
		return Failure.from(error);
	}
}
