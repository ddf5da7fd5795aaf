import { redactor } from '../../../nodes/shared/http/credential';

const ODD = 'a "quoted" key/of characters é😀';
const JSON_TEXT = JSON.stringify(ODD).slice(1, -1);
const NUMBER = '1234567890';

test.each([
	['as it is', ODD],
	['as JSON writes it', JSON_TEXT],
	[
		'as PHP writes JSON',
		JSON_TEXT.replace('/', '\\/').replace('é', '\\u00E9').replace('😀', '\\uD83D\\uDE00'),
	],
	['in JSON inside JSON', JSON.stringify(JSON_TEXT).slice(1, -1)],
	['as a URL writes it', encodeURIComponent(ODD)],
	['as another URL writes it', encodeURIComponent(ODD).toLowerCase()],
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
	['a number in JSON', NUMBER, `{"a":[${NUMBER}, 1],"b":${NUMBER}}`, '{"a":["***", 1],"b":"***"}'],
	[
		'a number in a text of JSON',
		NUMBER,
		`{"a":": ${NUMBER}, \\" ${NUMBER}"}`,
		'{"a":": ***, \\" ***"}',
	],
	['a number in a name of JSON', NUMBER, `\n{"${NUMBER}":${NUMBER}}`, '\n{"***":"***"}'],
	['a number in a text', NUMBER, `Key ${NUMBER}. key=${NUMBER}`, 'Key ***. key=***'],
	['a number in a text with JSON in it', NUMBER, `Got {"a":${NUMBER}}`, 'Got {"a":***}'],
])('the key is removed as %s', (_, key, text, clean) => {
	expect(redactor(key)(text)).toBe(clean);
});

test.each<[string, string, string]>([
	['a key of fewer than eight characters', 'example', '{"a":"a good example"}'],
	['an empty key', '', '{"a":""}'],
	[
		'a part of a longer number',
		NUMBER,
		`{"a":[${NUMBER}1, 1${NUMBER}, ${NUMBER}.5, 1.${NUMBER}, -${NUMBER}]}`,
	],
	['a part of a longer number in a text', NUMBER, `{"a":"order ${NUMBER}1"}`],
])('%s is not removed', (_, key, text) => {
	expect(redactor(key)(text)).toBe(text);
});
