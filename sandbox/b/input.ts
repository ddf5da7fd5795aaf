import { z } from 'zod/v4';
import { invalid, type Messages } from './refusals';
import type { SettingsB } from './settings';

const REQUIRED = 'This field is required.';

const WRONG_TYPE: Record<string, string> = {
	string: 'Not a valid string.',
	boolean: 'Must be a valid boolean.',
	number: 'A valid number is required.',
	int: 'A valid integer is required.',
	array: 'Expected a list of items.',
	object: 'Invalid data. Expected a dictionary.',
};

/** Error messages of the service. */
const messageOf: z.core.$ZodErrorMap = (issue) => {
	if (issue.input === undefined) return REQUIRED;
	if (issue.input === null) return 'This field may not be null.';
	if (issue.code === 'invalid_type') return WRONG_TYPE[issue.expected];
	if (issue.code === 'invalid_value') return `"${String(issue.input)}" is not a valid choice.`;
	if (issue.code === 'too_small' && issue.origin === 'string') {
		return 'This field may not be blank.';
	}
	return issue.code === 'invalid_union' ? WRONG_TYPE.int : undefined;
};

const text = z.string().trim().min(1);
/** A local part that ends in a full stop is none. */
const email = text.regex(/^$|^[^@\s]*[^@\s.]@[^@\s]+\.[^@\s]+$/, 'Enter a valid email address.');
const id = z.union([z.number().int(), z.string().regex(/^\d+$/)]);
const isBadName = (name: string) => !/^[A-Za-z0-9_ ]+$/.test(name);
const isBadValue = (value: unknown) => typeof value === 'string' && /[$.%&]/.test(value);

/** Custom values, by the data policy of the contract. */
const strictAttributes = z.looseObject({}).superRefine((values, context) => {
	const name = Object.keys(values).find(isBadName);
	const bad = Object.keys(values).find((one) => isBadValue(values[one]));
	const what =
		name === undefined ? bad && `Value of attribute "${bad}"` : `Attribute name "${name}"`;
	if (what) context.addIssue(`${what} contains characters that are not allowed.`);
});

const droppingAttributes = z
	.looseObject({})
	.transform((values) =>
		Object.fromEntries(
			Object.entries(values).filter(([name, value]) => !isBadName(name) && !isBadValue(value)),
		),
	);

const attributesFor = ({ wrongAttributes }: SettingsB) =>
	z.union([wrongAttributes === 400 ? strictAttributes : droppingAttributes]).optional();

const status = z.enum(['OPEN', 'CLOSED']);
const category = z.enum(['DETRACTOR', 'PASSIVE', 'PROMOTER']);
const person = { email, first_name: z.string().optional(), last_name: z.string().optional() };

export const surveyInput = (settings: SettingsB) =>
	z.object({
		campaign_id: id,
		contact: z.object({ ...person, attributes: attributesFor(settings) }),
		attributes: attributesFor(settings),
	});
export const contactInput = (settings: SettingsB) =>
	z.object({
		...person,
		unsubscribed: z.union([z.boolean(), z.enum(['true', 'false'])]).optional(),
		attributes: attributesFor(settings),
		contact_list: (settings.contactListForm === 'list'
			? z.array(id)
			: z.union([id, z.array(id)])
		).optional(),
	});
export const emailsInput = z.object({ emails: z.array(z.string()) });
export const strictEmailsInput = z.object({ emails: z.array(email) });
export const removeInput = z.object({ email });
export const statusInput = z.object({ status });
export const replyInput = z.object({
	from_user: email,
	message: text,
	cc: z.array(email).optional(),
	bcc: z.array(email).optional(),
});
export const forwardInput = z.object({ from_user: email, to: email });
export const tagInput = z.object({ name: text, category });
export const feedbackInput = z.object({
	score: z.number().int().min(0).max(10),
	email,
	campaign_id: id,
	comment: z.string().nullish(),
	status: status.optional(),
	tags: z
		.array(tagInput)
		.refine(
			(tags) => new Set(tags.map(({ name }) => name)).size === tags.length,
			'Tag names must be unique for this feedback.',
		)
		.optional(),
});
export const commonReplyInput = z.object({
	title: text,
	reply: text,
	category: z.object({ name: text }).optional(),
});
export const hookInput = z.object({
	event: text,
	target: text.regex(/^$|^https?:\/\/[^\s/]+/, 'Enter a valid URL.'),
});

export type SurveyInput = z.infer<ReturnType<typeof surveyInput>>;
export type ContactInput = z.infer<ReturnType<typeof contactInput>>;

/** Adds a message at the path of its field. */
function place(messages: Messages, path: PropertyKey[], message: string): void {
	const [head, ...rest] = path;
	const name = head === undefined ? 'non_field_errors' : String(head);
	const held = messages[name];
	if (rest.length === 0) {
		messages[name] = Array.isArray(held) ? [...held, message] : [message];
		return;
	}
	const inner: Messages = held === undefined || Array.isArray(held) ? {} : held;
	messages[name] = inner;
	place(inner, rest, message);
}

/** Parses the body of a request. Throws a Refusal with the validation error. */
export function read<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
	const result = schema.safeParse(body ?? {}, { error: messageOf });
	if (result.success) return result.data;
	const messages: Messages = {};
	for (const issue of result.error.issues) place(messages, issue.path, issue.message);
	throw invalid(messages);
}
