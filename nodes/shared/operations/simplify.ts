import type { z } from 'zod/v4';

import { once } from '../http/once';
import type { Simplifier } from './operation';

/** Makes a record short: the fields of `form`, in its order, null where the service gave none. */
export function simplifyTo<Shape extends z.ZodRawShape>(
	form: () => z.ZodObject<Shape>,
): Simplifier {
	const names = once(() => Object.keys(form().shape));
	return (record) => Object.fromEntries(names().map((name) => [name, record[name] ?? null]));
}
