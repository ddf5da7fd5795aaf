const NAME = /^[A-Za-z0-9_ ]+$/;
const REJECTED = /[$.%&]/;

/** Returns the message for attributes that violate the data policy; undefined if they are valid. */
export function policyViolation(attributes: Record<string, unknown> = {}): string | undefined {
	const name = Object.keys(attributes).find((candidate) => !NAME.test(candidate));
	if (name !== undefined) {
		return `Attribute name "${name}" contains characters that are not allowed.`;
	}
	const values = Object.entries(attributes);
	const bad = values.find(([, value]) => typeof value === 'string' && REJECTED.test(value));
	return bad && `Value of attribute "${bad[0]}" contains characters that are not allowed.`;
}
