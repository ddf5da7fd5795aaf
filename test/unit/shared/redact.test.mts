import { redactor } from '../../../nodes/shared/http/redact';
import { HAS_ALL_CASES } from '../../support/random.mts';
import { sayPastJest } from '../../support/sayPastJest.mts';

const ODD = 'a "quoted" key/of characters é';
const JSON_TEXT = JSON.stringify(ODD).slice(1, -1);
const escapeAll = (text: string) =>
	text.replace(/[^]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

test.each([
	['as it is', ODD],
	['as JSON writes it', JSON_TEXT],
	['as PHP writes JSON', JSON_TEXT.replace('/', '\\/').replace('é', '\\u00E9')],
	['in JSON inside JSON', JSON.stringify(JSON_TEXT).slice(1, -1)],
	['as a URL writes it', encodeURIComponent(ODD)],
	['as another URL writes it', encodeURIComponent(ODD).toLowerCase()],
	['with one letter escaped', ODD.replace('k', '\\u006b')],
	['with each letter escaped', escapeAll(ODD)],
	['with each letter escaped in JSON inside JSON', JSON.stringify(escapeAll(ODD)).slice(1, -1)],
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
	['a text behind backslashes', 'sk-live-12345678', '"\\\\\\\\sk-live-12345678"', '"***"'],
	['a text with a backslash', 'sk\\live-1234', '"sk\\\\live-1234 sk%5Clive-1234"', '"*** ***"'],
])('the key is removed as %s', (_, key, text, clean) => {
	expect(redactor(key)(text)).toBe(clean);
});

test.each<[string, string, string]>([
	['a key of fewer than eight characters', 'example', '{"a":"a good example"}'],
	['an empty key', '', '{"a":""}'],
	['a key of backslashes', '\\'.repeat(16), `{"a":"${'\\'.repeat(32)}"}`],
])('%s is not removed as the key', (_, key, text) => {
	expect(redactor(key)(text)).toBe(text);
});

test.each<[string, string, string]>([
	['a key of one letter', 'sk-live-12345678', '{"a":"sk-liv\\u0065-12345678"}'],
	['a key of digits', '1234567890', '{"123456789\\u0030":1}'],
])('the escapes of %s hide no key', (_, key, text) => {
	expect(JSON.stringify(JSON.parse(redactor(key)(text)))).not.toContain(key);
});

const SYMBOLS = '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~';
const KEYS = [
	...Array.from(SYMBOLS, (symbol) => `${symbol}${'a'.repeat(15)}`),
	...['1'.repeat(8), '1'.repeat(64), '%41%41%41%41', 'aaaaaaab', '"'.repeat(12)],
	...['ab'.repeat(100), '\\u0061\\u0061', 'é'.repeat(10), '%5c'.repeat(6)],
	'a\\b\\c\\d\\e\\f\\g\\h',
	...['\\\\"'.repeat(8), 'u005c\\'.repeat(4)],
];
const FILLERS = [
	...['\\', '%', '1', '"', '\\u0061', '%61a', 'a', '\\\\u0061', '\\"', 'ab', '\\u00'],
	...['u005c', '%5c', 'a\\\\\\b\\\\\\c\\\\', `${'a'.repeat(200)}!`, `${'ab'.repeat(60)}!`],
];

/** Returns the milliseconds of the processor that work takes: another process beside it adds little to them. */
function cpuTime(work: () => void): number {
	const start = process.cpuUsage();
	work();
	return process.cpuUsage(start).user / 1000;
}

/** Characters. `npm test` takes less, and a machine that is busy needs a minute for all. */
const LENGTH = HAS_ALL_CASES ? 1_000_000 : 200_000;

/** Four times the text takes four times as long; 16 times if the time were quadratic. */
const MOST_TIMES = 8;
/** The time that one collection of garbage may add, in ms. */
const NOISE_MS = 100;

test('the time for a hostile text grows with its length, for each of 40 kinds of keys', () => {
	expect(KEYS.length).toBeGreaterThan(39);
	const textsOf = (length: number) =>
		FILLERS.map((filler) => `{"a":"${filler.repeat(length / filler.length)}"}`);
	const [short, long] = [textsOf(LENGTH / 4), textsOf(LENGTH)];
	let longest = 0;
	const sumOf = (redact: (text: string) => string, texts: string[]) => {
		const times = texts.map((text) => cpuTime(() => redact(text)));
		longest = Math.max(longest, ...times);
		return times.reduce((all, time) => all + time, 0);
	};
	const isLinear = (key: string) => {
		const redact = redactor(key);
		return sumOf(redact, long) < MOST_TIMES * sumOf(redact, short) + NOISE_MS;
	};
	// A collection of garbage may fall into one measurement, and a busy machine into two.
	const slow = KEYS.filter((key) => ![1, 2, 3].some(() => isLinear(key)));
	sayPastJest(
		`Redacting a hostile text of ${LENGTH / 1000} kB takes at most ${Math.round(longest)} ms`,
	);
	expect(slow).toEqual([]);
}, 300_000);
