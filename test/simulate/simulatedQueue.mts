import { DateTime, Settings } from 'luxon';

import type { WorkflowInput, WorkflowNode } from '../../host/types.mts';
import { readExample } from '../support/examples.mts';
import { Flow } from '../support/flow.mts';
import { randomFrom } from '../support/random.mts';
import { FlowTables, type FlowItem } from '../support/flowTables.mts';

const TABLE = 'Survey queue';
const CAMPAIGN = 'campaign';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const QUIET_DAYS = 10;

/** A Monday, 08:00 in Berlin. The clocks change on the Sunday before the next but one. */
const START = Date.parse('2027-03-15T07:00:00Z');

/** n8n's own zone. */
const ZONE = 'Europe/Berlin';

type Service = 'A' | 'B';

interface Survey {
	email: string;
	campaign: string;
	service: Service;
	at: number;
}

/** What happens in one hour. */
export interface Hour {
	/** Requests that come before the run. */
	requests: Array<{ person: number; service: Service; zone: string; spelling: 0 | 1 }>;
	/** The number of runs that start at the full hour. */
	runs: 1 | 2;
	/** The step of the first run at which n8n is killed; 0 for none. */
	kill: number;
	/** The fault that the next surveys meet when they are sent. */
	faults: Fault[];
	/** True if the services cannot be read. */
	unreadable: boolean;
	/** Someone who opts out of Survey A, or unsubscribes in Survey B, before the run. */
	optOut?: { person: number; service: Service };
	/** Minutes that each request takes. */
	minutes: number;
	/** The seed of the order in which runs that started together go on. */
	turns: number;
}

/** `pause`: the service asks for a pause of 40 minutes first. */
export type Fault = 'none' | 'lostBefore' | 'lostAfter' | 'pause' | 401 | 500;

export interface Plan {
	surveysPerHour: number;
	/** Minutes until a survey is in Survey A's outbox. */
	lag: number;
	hours: Hour[];
}

class Killed extends Error {}

/** Both workflows of the queue. */
export interface Queue {
	entry: WorkflowInput;
	sender: WorkflowInput;
}

/** The examples, both services and people, on a clock of their own. */
export class SimulatedQueue {
	readonly surveys: Survey[] = [];
	readonly tables = new FlowTables();
	/** When people opted out of each service, by their address in lower case. */
	private readonly outs = { A: new Map<string, number>(), B: new Map<string, number>() };

	/** Rows that a person has been told of and has not corrected yet. */
	private readonly told = new Set<unknown>();
	private faults: Fault[] = [];
	private unreadable = false;
	private minutes = 0;
	private now = START;

	constructor(
		private readonly plan: Plan,
		private readonly queue: Queue,
	) {}

	async run(): Promise<void> {
		Settings.now = () => this.now;
		try {
			for (const [index, hour] of this.plan.hours.entries()) await this.hour(index, hour);
			await this.calmDays();
		} finally {
			Settings.now = () => Date.now();
		}
	}

	/** Throws an error that names the rule if the queue broke its promise. */
	check(): void {
		this.checkSurveys();
		for (const row of this.tables.rows(TABLE)) this.checkRow(row);
	}

	private checkSurveys(): void {
		for (const [index, { email, at }] of this.surveys.entries()) {
			const earlier = this.surveys.slice(0, index).filter((one) => isSame(one.email, email));
			const isClose = earlier.some((one) => at - one.at < QUIET_DAYS * DAY - HOUR);
			if (isClose) throw new Error(`${email} is surveyed twice`);
			if (this.outOf(email) <= at - HOUR) throw new Error(`${email} is surveyed after an opt-out`);
			if (!isWorkingHour(at, zoneOf(email))) throw new Error(`${email} is surveyed at night`);
		}
	}

	private checkRow({ email, result, not_before }: Record<string, unknown>): void {
		const where = `${email}: ${result}`;
		const isSent = this.surveys.some((one) => isSame(one.email, String(email)));
		const isDone = Date.parse(String(not_before)) > this.now + 365 * DAY;
		if (!isDone) throw new Error(`It waits for ever: ${where}`);
		const saysSent = /^(sent|queued|SENT)/.test(String(result));
		if (saysSent && !isSent) throw new Error(`A row is false: ${where}`);
		if (!isSent && this.outOf(String(email)) === Infinity) {
			throw new Error(`A person is left out for nothing: ${where}`);
		}
	}

	/** Returns when somebody opted out of either service. */
	private outOf(email: string): number {
		const key = email.toLowerCase();
		return Math.min(this.outs.A.get(key) ?? Infinity, this.outs.B.get(key) ?? Infinity);
	}

	private async hour(index: number, hour: Hour): Promise<void> {
		this.now = START + index * HOUR;
		this.faults = [...hour.faults];
		this.unreadable = hour.unreadable;
		this.minutes = hour.minutes;
		if (hour.optOut) {
			const { person, service } = hour.optOut;
			this.outs[service].set(emailOf(person).toLowerCase(), this.now);
		}
		await this.put(hour.requests);
		const starts = Array.from({ length: hour.runs }, (_, i) => (i === 0 ? hour.kill : 0));
		const turns = new Turns(hour.turns, starts.length);
		await Promise.all(
			starts.map(
				async (kill, i) =>
					await this.hourly(
						kill,
						() => turns.wait(i),
						() => turns.leave(i),
					),
			),
		);
		this.answerQuestions();
	}

	/** Four weeks on which nothing goes wrong, with a run every third hour. */
	private async calmDays(): Promise<void> {
		const from = this.plan.hours.length;
		const calm: Hour = {
			...{ requests: [], runs: 1, kill: 0, faults: [] },
			...{ unreadable: false, minutes: 0, turns: 1 },
		};
		for (let hour = from; hour < from + 28 * 24; hour += 3) await this.hour(hour, calm);
	}

	private async put(requests: Hour['requests']): Promise<void> {
		if (requests.length === 0) return;
		const items = requests.map(({ person, service, spelling, zone }) => ({
			json: {
				email: emailOf(person, spelling),
				service,
				time_zone: zone || zoneOf(emailOf(person)),
			},
		}));
		const flow = new Flow(this.queue.entry, this.options());
		await flow.run('Queue a Survey', items);
	}

	private async hourly(kill: number, turn: () => Promise<void>, leave: () => void): Promise<void> {
		const started = this.now;
		let steps = 0;
		const step = async () => {
			await turn();
			if (++steps === kill || this.now > started + 50 * MINUTE) throw new Killed();
		};
		const flow = new Flow(this.queue.sender, { ...this.options(), step });
		try {
			await flow.run('Every Hour');
		} catch (error) {
			if (!(error instanceof Killed)) throw error;
		} finally {
			leave();
		}
	}

	private options() {
		return {
			tables: this.tables,
			step: async () => {},
			service: (node: WorkflowNode, parameters: Record<string, unknown>, { json }: FlowItem) =>
				this.request(node.name, parameters, String(json.email)),
		};
	}

	/** The person who reads the mails corrects a wrong time zone, and looks in Survey B what was sent. */
	private answerQuestions(): void {
		for (const row of this.tables.rows(TABLE)) {
			const { id, email, result, tried_at } = row;
			const isWrong = /is not a time zone/.test(String(result));
			const isDoubtful = /may have been sent/.test(String(result));
			if (!isWrong && !isDoubtful) continue;
			// Nobody reads every mail on the same day.
			if (!this.told.has(id)) return void this.told.add(id);
			if (isWrong) row.time_zone = zoneOf(String(email));
			const after = Date.parse(String(tried_at));
			const isSent = this.surveys.some(
				(one) => isSame(one.email, String(email)) && one.at >= after,
			);
			if (isDoubtful && isSent) row.not_before = new Date(this.now + 36_500 * DAY).toISOString();
			if (isDoubtful && !isSent) row.tried_at = null;
		}
	}

	private request(name: string, parameters: Record<string, unknown>, person: string): FlowItem[] {
		this.now += this.minutes * MINUTE;
		const { email } = Object(parameters.filters);
		if (name === 'Get Outbox of Each') return this.read(() => this.outboxOf(String(email)));
		if (name === 'Get Contact of Each') return this.read(() => this.contactOf(String(email)));
		const campaign = String(Object(parameters.campaign ?? parameters.campaignId).value);
		const service = name === 'Send by Survey A' ? 'A' : 'B';
		return [{ json: this.send({ email: person, campaign, service }) }];
	}

	private read(list: () => FlowItem[]): FlowItem[] {
		if (this.unreadable) return [{ json: { error: 'Refused' } }];
		const found = list();
		return found.length > 0 ? found : [{ json: {} }];
	}

	/** Survey A compares addresses exactly. It has surveyed everybody long ago, and shows who opted out. */
	private outboxOf(email: string): FlowItem[] {
		const shown = this.surveys.filter(
			({ service, at, ...one }) =>
				service === 'A' && one.email === email && at <= this.now - this.plan.lag * MINUTE,
		);
		const isOptedOut = this.outs.A.has(email.toLowerCase());
		const first = { campaign: 'first', at: START - 365 * DAY };
		return [first, ...shown].map(({ campaign, at }) => ({
			json: {
				email,
				campaignId: campaign,
				sentDate: new Date(at).toISOString(),
				detailedStatus: { isOptedOut },
			},
		}));
	}

	private contactOf(email: string): FlowItem[] {
		return this.outs.B.has(email.toLowerCase()) ? [{ json: { email, unsubscribed: true } }] : [];
	}

	private send(survey: Omit<Survey, 'at'>): Record<string, unknown> {
		const fault = this.faults.shift() ?? 'none';
		const { email, service } = survey;
		const last = this.surveys.filter((one) => one.email === email && one.service === 'B').at(-1);
		if (fault === 'pause') this.now += 40 * MINUTE;
		if (fault === 401) return { error: 'Refused', details: { httpCode: 401 } };
		if (fault === 500 || fault === 'lostBefore') return unanswered(service);
		if (service === 'B' && last && this.now - last.at < DAY) {
			return { email, status: 'skipped', reason: 'Not eligible', maybeSent: true };
		}
		this.surveys.push({ ...survey, at: this.now });
		if (fault === 'lostAfter') return unanswered(service);
		return service === 'A'
			? { email, campaignId: survey.campaign, status: 'queued' }
			: { email, campaign_id: survey.campaign, status: 'SENT' };
	}
}

/** Returns the error of a request without a response: only Survey A's send cannot be repeated. */
const unanswered = (service: Service) => ({
	error: 'The connection was lost',
	details: service === 'A' ? { uncertain: true } : {},
});

const isSame = (one: string, other: string) => one.toLowerCase() === other.toLowerCase();
const emailOf = (person: number, spelling: 0 | 1 = 0) =>
	`${spelling === 0 ? 'person' : 'Person'}${person}@acme.example`;
const zoneOf = (email: string) =>
	['Europe/Berlin', 'America/New_York', 'Asia/Kolkata'][Number(/\d+/.exec(email)) % 3] ?? ZONE;

function isWorkingHour(at: number, zone: string): boolean {
	const { weekday, hour } = DateTime.fromMillis(at, { zone });
	return weekday <= 5 && hour >= 9 && hour < 17;
}

/** Returns the examples with the values of the simulation. */
export function queueExample({ surveysPerHour }: Plan): Queue {
	const [entry, sender] = [readExample('survey-queue'), readExample('survey-queue-sender')];
	setFields(entry, 'Defaults', { 'defaults.campaign': CAMPAIGN, 'defaults.timeZone': ZONE });
	setFields(sender, 'Settings', { quietDays: QUIET_DAYS, surveysPerHour });
	return { entry, sender };
}

/** Overwrites fields of an Edit Fields node. */
function setFields({ nodes }: WorkflowInput, name: string, values: Record<string, unknown>): void {
	const { assignments } = Object(nodes.find((node) => node.name === name)?.parameters).assignments;
	for (const field of assignments) field.value = values[field.name] ?? field.value;
}

/** Lets runs that started together go on one at a time, in a random order: each for some steps, as a slow run is overtaken by a fast one. */
class Turns {
	private readonly waiting = new Map<number, () => void>();
	private last: number | undefined;
	private present: number;
	private readonly random: () => number;

	constructor(seed: number, count: number) {
		this.random = randomFrom(seed);
		this.present = count;
	}

	async wait(run: number): Promise<void> {
		const turn = new Promise<void>((resolve) => this.waiting.set(run, resolve));
		this.next();
		await turn;
	}

	leave(_run: number): void {
		this.present--;
		this.next();
	}

	private next(): void {
		if (this.present === 0 || this.waiting.size < this.present) return;
		const runs = [...this.waiting.keys()].sort();
		const isGoingOn = this.last !== undefined && runs.includes(this.last) && this.random() < 0.8;
		const chosen = isGoingOn ? this.last : runs[Math.floor(this.random() * runs.length)];
		this.last = chosen;
		const resolve = chosen === undefined ? undefined : this.waiting.get(chosen);
		if (chosen !== undefined) this.waiting.delete(chosen);
		resolve?.();
	}
}
