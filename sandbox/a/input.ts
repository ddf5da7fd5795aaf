import { z } from 'zod/v4';
import { invalid } from './refusals';

/** A local part that ends in a full stop is none. */
const EMAIL = /^[^@\s]*[^@\s.]@[^@\s]+\.[^@\s]+$/;

export const isEmail = (email: string): boolean => EMAIL.test(email);

const row = z.looseObject({ email: z.string() });
const property = z.discriminatedUnion('type', [
	z.object({ label: z.string().min(1), type: z.literal('string'), value: z.string() }),
	z.object({ label: z.string().min(1), type: z.literal('date'), value: z.string() }),
	z.object({ label: z.string().min(1), type: z.literal('integer'), value: z.number().int() }),
	z.object({ label: z.string().min(1), type: z.literal('boolean'), value: z.boolean() }),
	z.object({
		label: z.string().min(1),
		type: z.literal('collection'),
		value: z.union([z.string(), z.array(z.union([z.string(), z.number(), z.boolean()]))]),
	}),
]);

export const customerInput = z.looseObject({
	email: z.string(),
	first_name: z.string().optional(),
	last_name: z.string().optional(),
	company: z.string().optional(),
	tags: z.array(z.string()).optional(),
	properties: z.array(property).optional(),
});
export type CustomerInput = z.infer<typeof customerInput>;

export const customersInput = z.object({ subscribers: z.array(customerInput).min(1).max(1000) });
export const unsubscribeInput = z.object({
	message: z.string().optional(),
	subscribers: z.array(row).min(1),
});
export const deleteInput = z.object({ subscribers: z.array(row).min(1) });
export const surveyInput = z.object({
	campaign: z.string().min(1),
	subscribers: z.array(customerInput).min(1).max(100),
});
export const legacySurveyInput = z.object({
	campaign: z.string().min(1),
	subscribers: z.array(customerInput.omit({ properties: true }).strip()).min(1),
});

const topic = z.object({ name: z.string().min(1), sentiment: z.string().optional() });
const op = z.enum(['append', '']).optional();

export const topicsInput = z.object({ id: z.string().min(1), topics: z.array(topic), op });
export const tagsInput = z.object({ id: z.string().min(1), tags: z.array(z.string()), op });
export const legacyTagsInput = tagsInput.partial({ tags: true });

/** Parses the body of a request. Throws a Refusal that names the invalid fields. */
export function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
	const result = schema.safeParse(body ?? {});
	if (result.success) return result.data;
	const issues = result.error.issues.slice(0, 5);
	throw invalid(issues.map(({ path, message }) => `"${path.join('.')}": ${message}`).join('; '));
}
