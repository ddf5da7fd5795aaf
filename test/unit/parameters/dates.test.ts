import fc from 'fast-check';
import { DateTime } from 'luxon';

import { contextIn } from '../../../nodes/shared/fields/field';
import type { ReadContext } from '../../../nodes/shared/fields/field';
import { readDate } from '../../../nodes/shared/fields/dates';
import type { GivenDate } from '../../../nodes/shared/fields/dates';
import { Failure } from '../../../nodes/shared/base/failure';
import { runs } from '../../support/random.mts';

/** Reads a date; returns it or the error's message and hint. */
function read(value: unknown, given: Partial<ReadContext> = {}): GivenDate | string {
	const context = { ...contextIn(), ...given };
	try {
		return readDate(value, context);
	} catch (error) {
		if (error instanceof Failure) return `${error.message}. ${error.hint}`;
		return String(error);
	}
}

function iso(value: unknown, context: Partial<ReadContext> = {}): string {
	const date = read(value, context);
	return typeof date === 'object' ? date.isoTimestamp() : date;
}

const ZONES = ['UTC', 'Europe/Berlin', 'America/Los_Angeles'];

describe.each(ZONES)('in a workflow of the zone %s', (zone) => {
	test.each([
		[' 2026-11-21 ', '2026-11-21T00:00:00.000Z'],
		[20261121, '2026-11-21T00:00:00.000Z'],
		['2026-3-4', '2026-03-04T00:00:00.000Z'],
	])('%j is read as that day', (value, expected) => {
		expect(iso(value, { zone })).toBe(expected);
	});

	test.each([
		['2026-11-21T10:00:00.123456Z', '2026-11-21T10:00:00.123Z'],
		['2026-11-21T10:00:00+01:00', '2026-11-21T09:00:00.000Z'],
		['2026-11-21T10:00:00 +0100', '2026-11-21T09:00:00.000Z'],
		['20261121T100000Z', '2026-11-21T10:00:00.000Z'],
		[1732183200.5, '2024-11-21T10:00:00.500Z'],
		['1732183200.125', '2024-11-21T10:00:00.125Z'],
		// As a double, 1,000 times this is a little less.
		['1085401888.850', '2004-05-24T12:31:28.850Z'],
		[1732183200000, '2024-11-21T10:00:00.000Z'],
	])('%j is read as that moment', (value, expected) => {
		expect(iso(value, { zone })).toBe(expected);
	});

	test.each(['2026-11-21 10:30', '20261121T1030', '2026-11-21 10:30 AM'])(
		"%j is read as a time in the workflow's zone",
		(value) => {
			const expected = DateTime.fromISO('2026-11-21T10:30', { zone }).toUTC().toISO();
			expect(iso(value, { zone })).toBe(expected);
		},
	);
});

test.each([
	['America/Santiago', '2025-09-07', '2025-09-07T04:00:00.000Z'],
	['Africa/Cairo', '2025-04-25', '2025-04-24T22:00:00.000Z'],
	['Asia/Beirut', '2025-03-30', '2025-03-29T22:00:00.000Z'],
])(
	'if daylight saving in %s skips the first hour of %s, midnight is the moment at which the day begins',
	(zone, day, begins) => {
		const date = read(`${day}T00:00:00`, { zone });
		if (typeof date !== 'object') throw new Error(String(date));
		expect(date.isoTimestamp()).toBe(`${day}T00:00:00.000Z`);
		expect(new Date(date.toMillis()).toISOString()).toBe(begins);
	},
);

test.each([
	['12:30 AM', '00:30'],
	['12:30 PM', '12:30'],
	['1:05 pm', '13:05'],
	['9:05', '09:05'],
	['9 pm', '21:00'],
])('the time %s is read as %s', (written, expected) => {
	expect(iso(`2026-11-21 ${written}`)).toBe(`2026-11-21T${expected}:00.000Z`);
});

test.each(['+05', '+0530', '+13:45', '-1030', 'z', 'Z'])('the zone %s is accepted', (zone) => {
	const full = zone.toUpperCase().replace(/^(.\d\d):?(\d\d)?$/, (_, hours, minutes = '00') => {
		return `${hours}:${minutes}`;
	});
	const moment = new Date(`2026-03-04T10:30:00${full}`).toISOString();
	for (const of of ZONES) expect(iso(`2026-3-4 10:30${zone}`, { zone: of })).toBe(moment);
});

test.each([
	[45720, 'serial number'],
	[0, 'is not a date'],
	['17321832000', 'is not a date. Write it as'],
	['12:30', 'is not a date'],
	['1732183200x', 'is not a date'],
	['2025-02-30', 'names a day that does not exist'],
	['2025-13-01', 'names a day that does not exist'],
	['2025-00-15', 'names a day that does not exist'],
	['Tue, 04 Mar 2025 10:30:00 GMT', 'is not a date'],
	['2025-W10-2', 'is not a date'],
	['on 3/4/2025', 'is not a date'],
	['on 2025-03-04', 'is not a date'],
	['2025-03-04 13:00 PM', 'is not a date'],
	['2025-03-04 0:30 AM', 'is not a date'],
	['2025-03-04T24:00', 'is not a date'],
	['2025-03/04', 'is not a date'],
	['3/4/2025', 'whether the day or the month comes first'],
	['２０２５-03-04', 'is not a date'],
	['0x679D7E00', 'is not a date'],
	['1741084200.1234', 'is not a date'],
	['2025-03-04T10:61', 'is not a date'],
	['2025-03-04T10:30:61', 'is not a date'],
	['2025-03-04T10:30+15', 'is not a date'],
	['3/4/25', 'needs a year of four digits'],
	['2025', 'is not a date'],
	['2025-03-04 at 10:30', 'is not a date'],
	[true, 'is not a date'],
	[['2025-03-04'], 'is not a date'],
	[new Date(NaN), 'is not a date'],
	[{ isValid: true }, 'is not a date'],
	[DateTime.invalid('x'), 'is not a date'],
])('%j is rejected with an explanation', (value, says) => {
	const said = ZONES.map((zone) => read(value, { zone }));
	expect(said).toEqual(ZONES.map(() => expect.stringContaining(says)));
});

test.each([['2025030410'], [2025030410], ['2035123123'], ['1970101909'], ['2100112000']])(
	'%j could be UNIX time or a date with a time, and is rejected',
	(value) => {
		expect(read(value)).toBe(
			'could be UNIX time, or a date and a time. Write it as 2026-11-21T10:00',
		);
	},
);

test.each([
	[2025030424, '2034-03-03T20:27:04.000Z'],
	['1795379600', '2026-11-22T20:33:20.000Z'],
	['2025000410', '2034-03-03T12:06:50.000Z'],
	['2025130410', '2034-03-05T00:13:30.000Z'],
	['2025030010', '2034-03-03T20:20:10.000Z'],
	['2025033210', '2034-03-03T21:13:30.000Z'],
	['2025030410123', '2034-03-03T20:26:50.123Z'],
	['1232025030410', '2009-01-15T13:10:30.410Z'],
])('%j is read as UNIX time, because it cannot be a date with an hour', (value, moment) => {
	expect(iso(value)).toBe(moment);
});

test.each([
	['1899-12-31'],
	['2101-01-01'],
	['4133980800'],
	[new Date(8.64e15)],
	[DateTime.fromISO('2101-01-01')],
])('%p is rejected, because it is not a date between 1900 and 2100', (value) => {
	expect(read(value)).toMatch(/is not a date/);
});

test.each(['1900-01-01', '2100-12-31'])('%s is accepted as a date', (value) => {
	expect(iso(value)).toBe(`${value}T00:00:00.000Z`);
});

describe('Date Order', () => {
	const dayFirst = { raw: { dateOrder: 'dayFirst' } };
	const monthFirst = { raw: { dateOrder: 'Month First' } };

	test.each(['3/4/2026', '3.4.2026', '3-4-2026'])('decides what %s means', (written) => {
		expect(iso(written, dayFirst)).toBe('2026-04-03T00:00:00.000Z');
		expect(iso(written, monthFirst)).toBe('2026-03-04T00:00:00.000Z');
		expect(iso(`${written} 10:30`, dayFirst)).toBe('2026-04-03T10:30:00.000Z');
	});

	test('does not change a date that begins with the year', () => {
		expect(iso('2026/3/4', dayFirst)).toBe('2026-03-04T00:00:00.000Z');
	});

	test.each([
		['12/31/2024', dayFirst],
		['00/12/2024', dayFirst],
	])('rejects %s in an order that it cannot have', (written, order) => {
		expect(read(written, order)).toMatch(/names a day that does not exist.*Date Order/);
	});
});

const NEXT_DAY = '2026-11-21T23:30:00-05:00';

test.each<[string, unknown, days: string, moment: string]>([
	['a day', '2026-11-21', '2026-11-21 11/21/2026', '2026-11-21T00:00:00Z'],
	[
		'a time',
		'2026-11-21T23:30:00.999Z',
		'2026-11-21T23:30:00Z 11/22/2026',
		'2026-11-21T23:30:00.999Z',
	],
	[
		'a time of the next day in UTC',
		NEXT_DAY,
		'2026-11-22T04:30:00Z 11/22/2026',
		'2026-11-22T04:30:00Z',
	],
	[
		'the same as an object',
		DateTime.fromISO(NEXT_DAY, { setZone: true }),
		'2026-11-22T04:30:00Z 11/22/2026',
		'2026-11-22T04:30:00Z',
	],
	[
		"midnight of the editor's calendar",
		'2026-10-25T00:00:00.000',
		'2026-10-25 10/25/2026',
		'2026-10-25T00:00:00+02:00',
	],
	[
		'the text that n8n makes of $today',
		'2026-11-21T00:00:00.000+01:00',
		'2026-11-21 11/21/2026',
		'2026-11-20T23:00:00Z',
	],
	[
		'the same moment as it is written in UTC',
		'2026-11-20T23:00:00Z',
		'2026-11-20T23:00:00Z 11/21/2026',
		'2026-11-20T23:00:00Z',
	],
	[
		"n8n's $today",
		DateTime.fromISO('2026-11-21', { zone: 'Europe/Berlin' }),
		'2026-11-21 11/21/2026',
		'2026-11-20T23:00:00Z',
	],
	['UNIX time at midnight in UTC', 1795219200, '2026-11-21 11/21/2026', '2026-11-21T00:00:00Z'],
	['the same in ms', 1795219200000, '2026-11-21 11/21/2026', '2026-11-21T00:00:00Z'],
])('%s has the right form in every format: %s', (_, value, days, moment) => {
	const date = read(value, { zone: 'Europe/Berlin' });
	if (typeof date !== 'object') throw new Error(date);
	expect([date.isoDate(), date.monthDayYear()].join(' ')).toBe(days);
	expect(date.toMillis()).toBe(Date.parse(moment));
});

test('UNIX time at midnight in UTC is that day in every zone', () => {
	for (const zone of ['America/New_York', 'Pacific/Auckland', ...ZONES]) {
		const date = read(1795219200, { zone });
		expect(typeof date === 'object' && date.monthDayYear()).toBe('11/21/2026');
	}
});

// The zone of the process is not UTC in `npm run test:fast`.
test('a date at midnight in the zone of the process is that day', () => {
	expect(iso(new Date(2026, 10, 21), { zone: 'Asia/Tokyo' })).toBe('2026-11-21T00:00:00.000Z');
});

test('every day of the calendar is read as that day in every notation and zone', () => {
	const days = fc.date({
		min: new Date('1900-01-01'),
		max: new Date('2100-12-31'),
		noInvalidDate: true,
	});
	const property = fc.property(days, fc.constantFrom(...ZONES), (date, zone) => {
		const day = date.toISOString().slice(0, 10);
		const [year, month, dayOfMonth] = day.split('-').map(Number);
		const written = [
			day,
			day.replaceAll('-', ''),
			`${dayOfMonth}.${month}.${year}`,
			`${year}/${month}/${dayOfMonth}`,
		];
		const raw = { dateOrder: 'dayFirst' };
		for (const text of written)
			expect([text, iso(text, { zone, raw })]).toEqual([text, `${day}T00:00:00.000Z`]);
	});
	fc.assert(property, runs(300));
});

test('every moment that n8n passes to the node is read exactly', () => {
	const moments = fc.date({
		min: new Date('1970-01-01'),
		max: new Date('2100-12-31'),
		noInvalidDate: true,
	});
	const property = fc.property(moments, fc.constantFrom(...ZONES), (date, zone) => {
		const inZone = DateTime.fromJSDate(date, { zone });
		for (const value of [
			date,
			inZone,
			inZone.toISO(),
			date.toISOString(),
			inZone.toISO({ format: 'basic' }),
		]) {
			expect([value, iso(value, { zone: 'Asia/Tokyo' })]).toEqual([value, date.toISOString()]);
		}
		const seconds = String(Math.floor(date.getTime() / 1000));
		const isDateAndHour = /^2\d{3}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])([01]\d|2[0-3])$/.test(
			seconds,
		);
		if (seconds.length === 10 && !isDateAndHour)
			expect(iso(seconds)).toBe(new Date(Number(seconds) * 1000).toISOString());
	});
	fc.assert(property, runs(300));
});
