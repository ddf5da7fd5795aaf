import { redactor } from '../../../nodes/shared/http/redact';

const ODD = 'a "quoted" key/of characters é';
const JSON_TEXT = JSON.stringify(ODD).slice(1, -1);
const escapeAll = (text: string) =>
	text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

test.each([
	['as it is', ODD],
	['as JSON writes it', JSON_TEXT],
	['as PHP writes JSON', JSON_TEXT.replace('/', '\\/').replace('é', '\\u00E9')],
	['as a URL writes it', encodeURIComponent(ODD)],
	['as a URL writes it in lowercase', encodeURIComponent(ODD).toLowerCase()],
	['with one letter escaped', ODD.replace('k', '\\u006b')],
	['with each letter escaped', escapeAll(ODD)],
])('the key is removed from a text %s', (_, form) => {
	expect(redactor(ODD)(`before ${form} between ${form}`)).toBe('before *** between ***');
});

test.each<[string, string, string, string]>([
	['a value', 'sk-live-12345678', '{"a":"sk-live-12345678"}', '{"a":"***"}'],
	['a name', 'sk-live-12345678', '{"sk-live-12345678":1}', '{"***":1}'],
	['a key without letters and digits', '$$$-$$$$', 'a $$$-$$$$ b', 'a *** b'],
	['a part of a word, with digits in front', '1234-key', 'x1234-key5', 'x***5'],
	['a part of a word', 'sk-live-12345678', 'xsk-live-123456789', 'x***9'],
	['a line of its own in JSON', 'sk-live-12345678', '"\\nsk-live-12345678"', '"\\n***"'],
	['a text of digits', '1234567890', '{"1234567890":": 1234567890"}', '{"***":": ***"}'],
	['a text with a backslash', 'sk\\live-1234', '"sk\\\\live-1234 sk%5Clive-1234"', '"*** ***"'],
])('the key is removed as %s', (_, key, text, clean) => {
	expect(redactor(key)(text)).toBe(clean);
});

test.each<[string, string, string]>([
	['a key of fewer than eight characters', 'example', '{"a":"a good example"}'],
	['an empty key', '', '{"a":""}'],
])('%s is not removed as the key', (_, key, text) => {
	expect(redactor(key)(text)).toBe(text);
});

test.each<[string, string, string]>([
	['a key of one letter', 'sk-live-12345678', '{"a":"sk-liv\\u0065-12345678"}'],
	['a key of digits', '1234567890', '{"123456789\\u0030":1}'],
])('the escapes of %s hide no key', (_, key, text) => {
	expect(JSON.stringify(JSON.parse(redactor(key)(text)))).not.toContain(key);
});

test.each([
	['a text that is no JSON', 'C:\\New \\/ folder \\u00zz'],
	['a backslash and the name of an escape', JSON.stringify({ a: 'C:\\u0061 / \\n', b: '\u0007' })],
])('%s stays as it is', (_, text) => {
	expect(redactor('sk-live-12345678')(text)).toBe(text);
});

test('the key is removed from 20 pages of a thousand records with escapes within seconds', () => {
	const page = JSON.stringify(
		Array.from({ length: 1000 }, (_, id) => ({ id, href: 'https://a.b/c' })),
	);
	const escaped = page.replaceAll('/', '\\/');
	const redact = redactor('sk-live-12345678');
	const begun = process.cpuUsage();
	for (let round = 0; round < 20; round++) redact(escaped);
	expect(process.cpuUsage(begun).user / 1e6).toBeLessThan(10);
});
