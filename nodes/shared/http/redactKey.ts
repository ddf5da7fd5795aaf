import { Failure } from './failure';
import { isObject } from './json';
import { quote } from './brief';

// The key is in nothing that is shown or kept: a service may repeat it in what it says, and a workflow
// may have it in a value.

/** Shorter keys are taken out of messages only: in records, the same letters may stand by chance. */
const LEAST_IN_RECORDS = 16;

/** Takes the key out of a failure: of its words, its advice and the value that it is about. */
export function redactKey({ details }: Failure, apiKey: string): Failure {
	const { words, advice, field, value, refused } = details;
	const clean = redactJson(value, apiKey);
	// A long value is cut in the words: the key may have been cut with it.
	const withValue = value === undefined ? words : words.split(quote(value)).join(quote(clean));
	return new Failure({
		...details,
		words: redactText(withValue, apiKey),
		advice: advice === undefined ? undefined : redactText(advice, apiKey),
		field: field === undefined ? undefined : redactText(field, apiKey),
		value: clean,
		refused: refused?.map((row) => ({ ...row, reason: redactText(row.reason, apiKey) })),
	});
}

/** Takes the key out of a text, also as a URL or JSON writes it. */
export function redactText(text: string, apiKey: string): string {
	return formsOf(apiKey).reduce((clean, form) => clean.split(form).join('***'), text);
}

/** Takes the key out of an answer. One that does not repeat it, and so nearly every one, is left as it is. */
export function redactAnswer(body: unknown, text: string, apiKey: string): unknown {
	const repeats =
		apiKey.length >= LEAST_IN_RECORDS && formsOf(apiKey).some((form) => text.includes(form));
	return repeats ? redactJson(body, apiKey) : body;
}

/** Takes the key out of JSON at any depth; what is no JSON stays as it is. */
function redactJson(value: unknown, apiKey: string): unknown {
	if (typeof value === 'string') return redactText(value, apiKey);
	if (Array.isArray(value)) return value.map((entry) => redactJson(entry, apiKey));
	// A date of JavaScript or Luxon is no JSON yet.
	if (!isObject(value) || typeof value.toJSON === 'function') return value;
	const entries = Object.entries(value).map(([name, inside]) => [
		redactText(name, apiKey),
		redactJson(inside, apiKey),
	]);
	return Object.fromEntries(entries);
}

function formsOf(apiKey: string): string[] {
	if (apiKey === '') return [];
	return [apiKey, JSON.stringify(apiKey).slice(1, -1), encodeURIComponent(apiKey)];
}
