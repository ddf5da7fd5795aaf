import { z } from 'zod/v4';

// What records are made of. Real servers null or leave out most scalars and add keys of their own, so only
// what identifies a record is required and unknown keys are kept.

export const text = () => z.string().nullish();
export const number = () => z.number().nullish();
export const rate = () => z.union([z.string(), z.number()]).nullish();
export const attributes = () => z.record(z.string(), z.unknown()).nullish();
