// A service may repeat the API key, and nothing that n8n shows or stores may contain it. So it is removed from the text of
// each response before anything reads that.

/** A shorter key is no secret, and its letters may be in any comment. */
const MIN_LENGTH = 8;

/** Returns a function that replaces an API key by `***`. @internal */
export function redactor(apiKey: string): (text: string) => string {
	if (apiKey.length < MIN_LENGTH) return (text) => text;
	const key = new RegExp([...apiKey].map(formsOf).join(''), 'gi');
	return (text) => text.replace(key, '***');
}

/** A character as it is, as JSON escapes it with or without need, and as a URL writes it. */
function formsOf(character: string): string {
	const code = character.charCodeAt(0).toString(16).padStart(4, '0');
	const [plain, encoded] = [character, encodeURIComponent(character)].map((form) =>
		form.replace(/[^\w%]/g, '\\$&'),
	);
	return `(?:\\\\?${plain}|\\\\u${code}|${encoded})`;
}
