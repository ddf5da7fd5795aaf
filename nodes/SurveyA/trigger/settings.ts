import { z } from 'zod/v4';

import { optionalDate } from '../../shared/parameters/dates';
import { triggerParameterReader } from '../../shared/parameters/reader';
import type { Input } from '../../shared/parameters/reader';
import { collection, stringList } from '../../shared/parameters/schemas';
import { properties } from './fields';
import { filters, triggerEvent } from './items';

const shape = () => ({
	events: stringList.pipe(z.array(triggerEvent, 'is empty').min(1, 'is empty: choose an event')),
	filters,
	options: collection({ startDate: optionalDate }),
	routeBy: z.unknown().optional(),
});

/** What the user set the trigger to. */
export type Settings = Input<ReturnType<typeof shape>>;

/** Throws Failure where a parameter, often an expression, gives something unusable. */
export const readSettings = triggerParameterReader(shape, properties);
