import { DateTime, Settings } from 'luxon';

import { useRunner as useRunnerA } from '../surveyA/runner';
import { useRunner as useRunnerB } from '../surveyB/runner';

// A workflow that runs each night reads the answers of the day before: Start Date is $today minus a day, End Date is $today.

const runnerA = useRunnerA();
const runnerB = useRunnerB();

const ZONES = [
	'Europe/Berlin',
	'Europe/London',
	'America/New_York',
	'Australia/Lord_Howe',
	'Pacific/Auckland',
];

/** On a day that begins at one o'clock, `$today` is that hour, and so is a day before it. */
const ZONES_THAT_SKIP_MIDNIGHT = ['America/Santiago', 'Asia/Beirut'];

/** Returns the days of a year on which the clocks of a zone change, as the local midnight at which they begin. */
function changesOf(zone: string): DateTime[] {
	const first = DateTime.fromISO('2026-01-01', { zone });
	const days = Array.from({ length: 365 }, (_, index) => first.plus({ days: index }));
	return days.filter((day) => day.offset !== day.plus({ days: 1 }).offset);
}

const YESTERDAY = '={{ $today.minus({ days: 1 }) }}';
const START_OF_YESTERDAY = "={{ $today.minus({ days: 1 }).startOf('day') }}";

const casesOf = (zones: string[], start: string) =>
	zones.flatMap((zone) =>
		changesOf(zone).map((change, index) => {
			return { zone, change, start, ends: index === 0 ? 'included' : 'excluded' } as const;
		}),
	);

const CASES = [
	...casesOf(ZONES, YESTERDAY),
	...casesOf(ZONES_THAT_SKIP_MIDNIGHT, START_OF_YESTERDAY),
];

/** Returns moments at and around the midnights of a zone and of UTC, in ms. */
function momentsAround(midnights: DateTime[]): number[] {
	const around = midnights.flatMap((midnight) =>
		[-7_200_000, -3_600_000, -1001, -1000, -999, -1, 0, 1, 500, 1000, 1_800_000, 3_600_000].flatMap(
			(distance) => [
				midnight.toMillis() + distance,
				midnight.setZone('UTC', { keepLocalTime: true }).toMillis() + distance,
			],
		),
	);
	return [...new Set(around)];
}

const END = '={{ $today }}';

/** Reads the moments of the feedback of a night, in ms. */
type Night = (start: string, timezone: string) => Promise<number[]>;

const readA =
	(name: string): Night =>
	async (startDate, timezone) => {
		const filters = { startDate, endDate: END };
		const parameters = { returnAll: true, simplify: false, filters };
		const { items, error } = await runnerA.run(name, parameters, { timezone });
		expect(error).toBeUndefined();
		return items.map(({ createdDate }) => Date.parse(String(createdDate)));
	};

const readB: Night = async (postedAfter, timezone) => {
	const filters = { postedAfter, postedBefore: END };
	const parameters = { returnAll: true, simplify: false, filters };
	const { items, error } = await runnerB.run('feedback.getAll', parameters, { timezone });
	expect(error).toBeUndefined();
	return items.map(({ created }) => Date.parse(String(created)));
};

function hasFeedback(moments: number[]): void {
	const dates = moments.map((moment) => new Date(moment).toISOString());
	const [ofA] = runnerA.service.state.feedback;
	const [ofB] = runnerB.service.state.feedback;
	if (!ofA || !ofB) throw new Error('The seed has no feedback');
	runnerA.service.state.feedback = dates.map((createdDate, index) => {
		return {
			...ofA,
			id: String(index).padStart(24, '0'),
			email: `p${index}@x.example`,
			createdDate,
		};
	});
	runnerB.service.state.feedback = dates.map((created, id) => ({ ...ofB, id, created }));
}

afterEach(() => {
	Settings.now = () => Date.now();
});

test('each of these zones changes its clocks twice a year', () => {
	expect(CASES).toHaveLength(2 * (ZONES.length + ZONES_THAT_SKIP_MIDNIGHT.length));
});

test.each(CASES)(
	'nightly runs in $zone from $start around the change of the clocks on $change read each answer exactly once; Survey A has ends $ends',
	async ({ zone, change, start, ends }) => {
		runnerA.service.settings.periodBounds = ends;
		const midnights = [-1, 0, 1, 2].map((days) => change.plus({ days }).startOf('day'));
		const moments = momentsAround(midnights);
		hasFeedback(moments);
		const [first = change] = midnights;
		const last = midnights.at(-1) ?? change;
		const wanted = moments.filter((at) => at >= first.toMillis() && at < last.toMillis());
		expect(wanted.length).toBeGreaterThan(40);
		const nights = {
			a: readA('feedback.getAll'),
			legacy: readA('feedback.getAllLegacy'),
			b: readB,
		};
		for (const [name, read] of Object.entries(nights)) {
			const came: number[] = [];
			for (const midnight of midnights.slice(1)) {
				const now = midnight.plus({ hours: 4, minutes: 10 }).toMillis();
				Settings.now = () => now;
				came.push(...(await read(start, zone)));
			}
			expect([name, came.sort()]).toEqual([name, wanted.sort()]);
		}
	},
);
