// A service may repeat the API key, and nothing that n8n shows or stores may contain it. So it is removed from the text of
// each response before anything reads that.

/** A shorter key is no secret, and its letters may be in any comment. */
const MIN_LENGTH = 8;

/** An escape that JSON does not need, such as PHP's `\/`. Few responses have one. */
const NEEDLESS = /\\(?:\/|u00[2-7])/i;

/** All escapes of JSON: one that is left out could begin in the middle of another one. */
const ESCAPE = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/g;

/**
 * Returns a function that replaces an API key by `***`: as it is, as JSON and as a URL write it.
 *
 * @internal
 */
export function redactor(apiKey: string): (text: string) => string {
	if (apiKey.length < MIN_LENGTH) return (text) => text;
	const forms = [apiKey, JSON.stringify(apiKey).slice(1, -1), encodeURIComponent(apiKey)];
	return (text) => {
		const plain = NEEDLESS.test(text) ? text.replace(ESCAPE, shortest) : text;
		return forms.reduce((clean, form) => clean.replaceAll(form, '***'), plain);
	};
}

/** Keeps an escape only if JSON needs it. */
function shortest(escape: string): string {
	return JSON.stringify(JSON.parse(`"${escape}"`)).slice(1, -1);
}
