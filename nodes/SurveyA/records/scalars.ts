import { z } from 'zod/v4';

// What records are made of. Real servers null or leave out most scalars and add keys of their own, so only
// what identifies a record is required and unknown keys are kept.

export const text = () => z.string().nullish();
export const number = () => z.number().nullish();
export const flag = () => z.boolean().nullish();
export const words = () => z.array(z.string()).nullish();
export const value = () =>
	z
		.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()]))])
		.nullish();
