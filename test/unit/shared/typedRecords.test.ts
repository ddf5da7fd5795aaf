import {
	anyFields,
	boolean,
	listOf,
	numeric,
	numericOrString,
	optional,
	record,
	string,
} from '../../../nodes/shared/records';
import { metrics } from '../../../nodes/SurveyB/records';
import { METRIC_NUMBERS } from '../../support/metrics';

// Records come out in the types that the contract states, whatever types the service writes.

const thing = record({
	id: numeric,
	isDone: boolean,
	label: string,
	rate: numericOrString,
	owner: optional({ id: numeric, name: string }),
	parts: listOf(record({ count: numeric })),
	attributes: anyFields,
});

test.each<[unknown, unknown]>([
	['50', 50],
	['50.0', 50],
	[' -12.5 % ', -12.5],
	[7, 7],
	['n/a', 'n/a'],
	['1e3', '1e3'],
	['', ''],
	['1234567890123456789', '1234567890123456789'],
	[null, null],
	[true, true],
	[['5'], ['5']],
])('a number that the service writes as %j is %j', (id, read) => {
	expect(thing.typed(Object({ id }))).toEqual({ id: read });
	expect(thing.typed(Object({ rate: id }))).toEqual({ rate: read });
});

test.each<[unknown, unknown]>([
	['false', false],
	['True ', true],
	['1', true],
	['no', 'no'],
	[false, false],
	[0, 0],
	[null, null],
])('true or false that the service writes as %j is %j', (isDone, read) => {
	expect(thing.typed(Object({ isDone }))).toEqual({ isDone: read });
});

test('a record is read inside objects and lists, and what the contract does not name stays as it came', () => {
	const written = {
		label: '7',
		owner: { id: '7', name: '8', other: '9' },
		parts: [{ count: '1' }, { count: 2 }, 'x'],
		attributes: { count: '1', isDone: 'false' },
		other: '1',
	};
	expect(thing.typed(written)).toEqual({
		...written,
		owner: { id: 7, name: '8', other: '9' },
		parts: [{ count: 1 }, { count: 2 }, 'x'],
	});
	expect(thing.typed({ owner: null, parts: {} })).toEqual({ owner: null, parts: {} });
});

test('metrics have numbers in the fields that are numbers in the contract, and no others', () => {
	const names = [...METRIC_NUMBERS, 'score_analysis', 'campaign_name'];
	const written = Object.fromEntries(names.map((name) => [name, '1.5']));
	expect(metrics.raw.typed(written)).toEqual({
		...written,
		...Object.fromEntries(METRIC_NUMBERS.map((name) => [name, 1.5])),
	});
});
