import { DateTime } from 'luxon';

import { randomFrom, SEED } from '../support/random.mts';
import {
	CAMPAIGN_A,
	CAMPAIGN_B,
	DAY,
	HOUR,
	hourlyRun,
	OUTBOX_LAG,
	REMINDER,
	World,
	type Json,
	type Row,
	type SentSurvey,
} from './surveyQueueWorld.mts';

// Simulated: n8n (its data table, loop, schedule and clock) and the network. Real: the code of all Code nodes of
// survey-queue.json, and the rules by which both services of the sandbox send, refuse and throttle surveys.

const PEOPLE = Math.round(10_000 * Number(process.env.SURVEYS_RUNS ?? 1));
const START = Date.parse('2027-02-15T00:00:00Z');
const DAYS = 90;
const ARRIVAL_DAYS = 70;
const QUIET_DAYS = 30;

const ZONES = [
	...['Pacific/Midway', 'Pacific/Honolulu', 'America/Anchorage', 'America/Los_Angeles'],
	...['America/Denver', 'America/Chicago', 'America/New_York', 'America/Halifax'],
	...['America/Sao_Paulo', 'America/Noronha', 'Atlantic/Azores', 'Europe/London'],
	...['Europe/Berlin', 'Europe/Athens', 'Europe/Moscow', 'Asia/Dubai', 'Asia/Karachi'],
	...['Asia/Kolkata', 'Asia/Dhaka', 'Asia/Bangkok', 'Asia/Shanghai', 'Asia/Tokyo'],
	...['Australia/Sydney', 'Pacific/Auckland'],
];

const SETTINGS = {
	quietDays: QUIET_DAYS,
	samplePercent: 50,
	surveysPerDay: Math.max(10, PEOPLE / 50),
	workDays: [1, 2, 3, 4, 5],
	fromHour: 9,
	toHour: 17,
	reminderAfterDays: 7,
	reminderCampaign: REMINDER,
};

const random = randomFrom(SEED);
const chance = (share: number) => random() < share;
const email = (person: number) => `person${person}@example.com`;
const zone = (person: number) => ZONES[person % ZONES.length] ?? 'UTC';

let world: World;
let queued = 0;
let kills = 0;
let decided = 0;
/** Steps until the next kill. */
let untilKill = Infinity;

beforeAll(() => {
	world = new World(SETTINGS, random);
	world.now = START;
	jest.spyOn(Date, 'now').mockImplementation(() => world.now);
	const arrivals = makeArrivals();
	for (let hour = 0; hour < DAYS * 24; hour++) {
		world.now = START + hour * HOUR;
		const people = arrivals.get(hour) ?? [];
		world.put(people);
		queued += people.length;
		live();
		twoWorkers(hour);
		if (hour % 24 === 8) decideAsAPerson();
	}
	report();
}, 120_000);

afterAll(() => jest.restoreAllMocks());

/** Two of three people are queued once, the others twice. */
function makeArrivals(): Map<number, Json[]> {
	const arrivals = new Map<number, Json[]>();
	for (let person = 0; person < PEOPLE; person++) {
		for (let times = chance(0.33) ? 2 : 1; times > 0; times--) {
			const hour = Math.floor(random() * ARRIVAL_DAYS * 24);
			const service = chance(0.6) ? 'A' : 'B';
			const campaign = service === 'A' ? CAMPAIGN_A : CAMPAIGN_B;
			const one = { email: email(person), service, campaign, time_zone: zone(person) };
			arrivals.set(hour, [...(arrivals.get(hour) ?? []), one]);
		}
	}
	return arrivals;
}

/** Lets people answer, bounce, opt out and unsubscribe, and another system send by Survey A. */
function live(): void {
	const { a, b } = world;
	for (const survey of a.state.outbox.slice(-200)) {
		if (chance(0.004)) Object.assign(survey, { status: 'RESPONDED' });
		if (chance(0.0004)) survey.detailedStatus.isBounced = true;
		if (!chance(0.0004)) continue;
		survey.detailedStatus.isOptedOut = true;
		a.state.optedOut.add(survey.email);
	}
	if (chance(0.1)) a.state.optedOut.add(email(Math.floor(random() * PEOPLE)));
	const contact = b.state.contacts.get(email(Math.floor(random() * PEOPLE)));
	if (contact) contact.unsubscribed = true;
	const other = { email: email(Math.floor(random() * PEOPLE)), service: 'A', campaign: CAMPAIGN_A };
	if (chance(0.2)) world.send(other);
}

/** Runs the hourly branch in two workers at once. One of them is killed once a day, and both end after 55 minutes. */
function twoWorkers(hour: number): void {
	const end = world.now + 55 * 60_000;
	let workers = [hourlyRun(world, `${hour}a`), hourlyRun(world, `${hour}b`)];
	// Another hour and another step each day.
	if (hour % 24 === Math.floor(hour / 24) % 24) untilKill = Math.floor(random() * 40);
	while (workers.length > 0 && world.now < end) {
		const worker = workers[Math.floor(random() * workers.length)];
		const isKilled = untilKill-- === 0;
		if (isKilled) {
			kills++;
			untilKill = Infinity;
		}
		if (isKilled || worker?.next().done) workers = workers.filter((one) => one !== worker);
		world.now += 1000;
	}
}

/** Looks in the service what became of the rows that wait for a decision. */
function decideAsAPerson(): void {
	for (const row of world.rows.filter(({ state }) => state === 'decide')) {
		decided++;
		row.state = sentFor(row).length > 0 ? 'sent' : 'waiting';
		row.reason = 'A person decided';
	}
}

const sentFor = ({ id }: Row) => world.sentByRow.get(id) ?? [];

const byQueue = () => world.sent.filter(({ row }) => row !== undefined);

function report(): void {
	const counts = [...countsOf(world.rows.map(({ state }) => String(state)))]
		.map(([state, count]) => `${count} ${state}`)
		.join(', ');
	console.log(
		`${PEOPLE} people, ${queued} rows: ${counts}. ${byQueue().length} surveys, ${kills} kills, ${decided} decided by a person.`,
	);
}

function countsOf(values: string[]): Map<string, number> {
	const counts = new Map<string, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return counts;
}

function surveysByPerson(): Map<string, SentSurvey[]> {
	const surveys = new Map<string, SentSurvey[]>();
	for (const one of world.sent) surveys.set(one.email, [...(surveys.get(one.email) ?? []), one]);
	return surveys;
}

test('the queue surveys nobody within the quiet period of a survey of either service, except to remind', () => {
	const early = [...surveysByPerson().values()].flatMap((surveys) =>
		surveys.filter(
			(one, index) =>
				one.row !== undefined &&
				surveys.slice(0, index).some((before) => {
					const age = one.at - before.at;
					const isOwn = one.kind === 'reminder' && before.row === one.row;
					const isHidden = before.row === undefined && age <= OUTBOX_LAG + HOUR;
					return age < QUIET_DAYS * DAY - HOUR && !isOwn && !isHidden;
				}),
		),
	);
	expect(early).toEqual([]);
	expect(byQueue().length).toBeGreaterThan(PEOPLE / 4);
});

test('the queue sends in working hours of each of the 24 zones, and at most surveysPerDay', () => {
	const zones = new Map(world.rows.map((row) => [row.email, String(row.time_zone)]));
	const outside = byQueue().filter(({ email: to, at }) => {
		const time = DateTime.fromMillis(at, { zone: zones.get(to) });
		return time.weekday > 5 || time.hour < 9 || time.hour >= 17;
	});
	expect(outside).toEqual([]);
	const days = countsOf(byQueue().map(({ at }) => new Date(at).toISOString().slice(0, 10)));
	expect(Math.max(...days.values())).toBeLessThanOrEqual(SETTINGS.surveysPerDay);
	expect(new Set([...zones.values()]).size).toBe(24);
});

test('the sample has its share within one percentage point and does not depend on the order', () => {
	const isOut = ({ reason }: Row) => String(reason).startsWith('Not in the sample');
	const out = new Set(world.rows.filter(isOut).map((row) => row.email));
	const inside = new Set(world.rows.filter((row) => !isOut(row)).map((row) => row.email));
	expect([...out].filter((one) => inside.has(one))).toEqual([]);
	const tolerance = PEOPLE >= 10_000 ? 1 : 5;
	expect(Math.abs((100 * inside.size) / PEOPLE - 50)).toBeLessThanOrEqual(tolerance);
});

test('no row is lost or stays open, although a worker is killed every day', () => {
	expect(world.rows).toHaveLength(queued);
	expect(kills).toBeGreaterThan(DAYS / 2);
	const open = world.rows.filter(({ state }) =>
		/waiting|sending|checking|decide/.test(String(state)),
	);
	expect(open.filter(({ kind }) => kind === 'survey')).toEqual([]);
});

test('the state of each row is what the services show', () => {
	const wrong = world.rows.filter((row) => {
		const sent = sentFor(row);
		const surveys = sent.filter(({ kind }) => kind === 'survey').length;
		if (surveys > 1 || sent.length - surveys > 1) return true;
		if (/asked again/.test(String(row.reason))) {
			return !world.sent.some(({ service, email: to }) => service === 'B' && to === row.email);
		}
		if (row.state === 'sent' || row.state === 'accepted') return surveys !== 1;
		return row.state === 'left out' || row.state === 'not shown' ? sent.length > 0 : false;
	});
	expect(wrong).toEqual([]);
});

test('a reminder follows a survey by seven days, and goes to nobody who has answered, opted out or bounced', () => {
	const reminders = byQueue().filter(({ kind }) => kind === 'reminder');
	expect(reminders.length).toBeGreaterThan(PEOPLE / 50);
	for (const { row, at, shown = [] } of reminders) {
		const first = world.sentByRow.get(String(row))?.find(({ kind }) => kind === 'survey');
		expect(at - (first?.at ?? 0)).toBeGreaterThan(7 * DAY - HOUR);
		expect(shown.filter(({ detailedStatus }) => detailedStatus.isOptedOut)).toEqual([]);
		const survey = shown.find(
			({ sentDate }) => Math.abs(Date.parse(sentDate) - (first?.at ?? 0)) < HOUR,
		);
		expect(survey).toMatchObject({ status: 'SENT', detailedStatus: { isBounced: false } });
	}
});
