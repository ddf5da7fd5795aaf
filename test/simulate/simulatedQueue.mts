import { DateTime, Settings } from 'luxon';

import type { WorkflowInput, WorkflowNode } from '../../host/types.mts';
import { readExample } from '../support/examples.mts';
import { Flow, FlowError } from '../support/flow.mts';
import { randomFrom } from '../support/random.mts';
import { FlowTables, type FlowItem } from '../support/flowTables.mts';

const TABLE = 'Survey queue';
const CAMPAIGN = 'campaign';
const REMINDER = 'reminder';
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
	/** The day of the run, on which the survey takes a place. */
	day: string;
}

/** What happens in one hour. */
export interface Hour {
	/** Requests that come before the run. */
	requests: Array<{ person: number; service: Service; zone: string; spelling: 0 | 1 }>;
	/** The number of runs that start at the full hour. */
	runs: 1 | 2;
	/** The step of the first run at which n8n is killed; 0 for none. */
	kill: number;
	/** What the next requests to the services meet. */
	faults: Fault[];
	/** Someone who opts out of Survey A, or unsubscribes in Survey B, before the run. */
	optOut?: { person: number; service: Service };
	/** Minutes that each request takes. */
	minutes: number;
	/** The seed of the order in which runs that started together go on. */
	turns: number;
}

export type Fault = 'none' | 'lostBefore' | 'lostAfter' | 401 | 500;

export interface Plan {
	surveysPerDay: number;
	/** Minutes until a survey is in Survey A's outbox. */
	lag: number;
	hours: Hour[];
}

class Killed extends Error {}

/** The example, both services and people, on a clock of their own. */
export class SimulatedQueue {
	readonly surveys: Survey[] = [];
	readonly tables = new FlowTables();
	/** When people opted out of each service, by their address in lower case. */
	private readonly outs = { A: new Map<string, number>(), B: new Map<string, number>() };

	/** Rows with a wrong time zone that the person sent off once without mending them. */
	private readonly sentOff = new Set<unknown>();
	private faults: Fault[] = [];
	private minutes = 0;
	private now = START;
	private executions = 0;

	constructor(
		private readonly plan: Plan,
		private readonly workflow: WorkflowInput,
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
		const places = new Map<string, number>();
		for (const [index, survey] of this.surveys.entries()) {
			const { email, campaign, at, day } = survey;
			places.set(day, (places.get(day) ?? 0) + 1);
			const earlier = this.surveys.slice(0, index).filter((one) => isSame(one.email, email));
			const isClose = earlier.some((one) => at - one.at < QUIET_DAYS * DAY - HOUR);
			const isReminder = campaign === REMINDER && earlier.every((one) => one.campaign !== REMINDER);
			if (isClose && !isReminder) throw new Error(`${email} is surveyed twice`);
			if (this.outOf(email) <= at - HOUR) throw new Error(`${email} is surveyed after an opt-out`);
			if (!isWorkingHour(at, zoneOf(email))) throw new Error(`${email} is surveyed at night`);
		}
		for (const [day, count] of places) {
			if (count > this.plan.surveysPerDay) throw new Error(`${count} surveys on ${day}`);
		}
	}

	private checkRow(row: Record<string, unknown>): void {
		const { email, state, reason } = row;
		const where = `${email}, ${state}: ${reason}`;
		const isSent = this.surveys.some((one) => isSame(one.email, String(email)));
		if (state === 'sent' && !isSent) throw new Error(`A row is false: ${where}`);
		if (/wait|sending|check|accepted/.test(String(state)))
			throw new Error(`It waits for ever: ${where}`);
		if (state === 'left out' && row.slot !== '') throw new Error(`A place is lost: ${where}`);
		if (state === 'left out' && !isSent && this.outOf(String(email)) === Infinity) {
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
		const calm: Hour = { requests: [], runs: 1, kill: 0, faults: [], minutes: 0, turns: 1 };
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
		const flow = new Flow(this.workflow, this.options());
		await flow.run('Queue a Survey', items);
	}

	private async hourly(kill: number, turn: () => Promise<void>, leave: () => void): Promise<void> {
		const started = this.now;
		let steps = 0;
		const step = async () => {
			await turn();
			if (++steps === kill || this.now > started + 55 * MINUTE) throw new Killed();
		};
		const flow = new Flow(this.workflow, { ...this.options(), step });
		try {
			await flow.run('Every Hour');
		} catch (error) {
			if (!(error instanceof Killed || error instanceof FlowError)) throw error;
		} finally {
			leave();
		}
	}

	private options() {
		const day = DateTime.fromMillis(this.now, { zone: ZONE }).toISODate() ?? '';
		return {
			tables: this.tables,
			executionId: String(++this.executions),
			step: async () => {},
			service: async (
				node: WorkflowNode,
				items: FlowItem[],
				parametersOf: (item: FlowItem) => Record<string, unknown>,
			) => items.flatMap((item) => this.request(node, item, parametersOf(item), day)),
		};
	}

	/** The person who reads the morning's mail looks in the services what is true. */
	private answerQuestions(): void {
		for (const row of this.tables.rows(TABLE)) {
			if (row.state !== 'decide') continue;
			const after = Date.parse(String(row.claimed_at ?? 0));
			const isSent = this.surveys.some(
				({ email, at }) => isSame(email, String(row.email)) && at >= after,
			);
			if (this.sentOff.has(row.id)) row.time_zone = zoneOf(String(row.email));
			this.sentOff.add(row.id);
			row.state = isSent ? 'sent' : 'waiting';
			row.not_before = new Date(this.now).toISOString();
		}
	}

	private request(
		{ name }: WorkflowNode,
		{ json }: FlowItem,
		parameters: Record<string, unknown>,
		day: string,
	): FlowItem[] {
		this.now += this.minutes * MINUTE;
		const filters = Object(parameters.filters);
		if (name.startsWith('Get Outbox')) return this.read(() => this.outboxOf(String(filters.email)));
		if (name === 'Get Contact') return this.read(() => this.contactOf(String(filters.email)));
		const locator = parameters.campaign ?? parameters.campaignId;
		const campaign = String(Object(locator).value);
		const service = name === 'Send by Survey A' ? 'A' : 'B';
		return [{ json: this.send({ email: String(json.email), campaign, service, day }) }];
	}

	private read(list: () => FlowItem[]): FlowItem[] {
		const fault = this.faults.shift() ?? 'none';
		if (fault !== 'none') return [{ json: { error: 'Refused', details: {} } }];
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

/** Returns the example with the values of the simulation. */
export function queueExample(plan: Plan): WorkflowInput {
	const workflow = readExample('survey-queue');
	setFields(workflow, 'Defaults', { 'defaults.campaign': CAMPAIGN, 'defaults.timeZone': ZONE });
	setFields(workflow, 'Settings', {
		...{ quietDays: QUIET_DAYS, surveysPerDay: plan.surveysPerDay, reminderCampaign: REMINDER },
		now: `={{ $now.setZone('${ZONE}').toISO() }}`,
	});
	return workflow;
}

/** Overwrites fields of an Edit Fields node. */
function setFields({ nodes }: WorkflowInput, name: string, values: Record<string, unknown>): void {
	const { assignments } = Object(nodes.find((node) => node.name === name)?.parameters).assignments;
	for (const field of assignments) field.value = values[field.name] ?? field.value;
}

/** Lets runs that started together go on one at a time, in a random order. */
class Turns {
	private readonly waiting = new Map<number, () => void>();
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
		const chosen = runs[Math.floor(this.random() * runs.length)];
		const resolve = chosen === undefined ? undefined : this.waiting.get(chosen);
		if (chosen !== undefined) this.waiting.delete(chosen);
		resolve?.();
	}
}
