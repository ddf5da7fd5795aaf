import type { ServiceA } from '../../sandbox';
import { SIMULATED_SEQUENCES } from '../support/random.mts';
import { outboxRecord } from '../../sandbox/a/surveys';
import { feedbackRecord } from '../../sandbox/a/seed';

export const RUNS = SIMULATED_SEQUENCES;

/** The trigger's events. Each has its own list. */
export const EVENTS = [
	'feedback.created',
	'customer.created',
	'company.created',
	'survey.sent',
] as const;

export type Event = (typeof EVENTS)[number];

/**
 * The date of a row: now; the newest row's; up to nine minutes before it; hours ahead; none. Surveys: sent now
 * but created up to two days ago; without a date until sent.
 */
export type Dating = 'now' | 'same' | 'late' | 'ahead' | 'missing' | 'delayed' | 'queued';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** A row of the service, and the expected result. */
interface Row {
	event: Event;
	record: { id: string };
	/** In ms; undefined without a valid date. */
	date?: number;
	score: number;
	isQueued?: boolean;
	/** True once a poll began after the row was created, and so has read it. */
	isRead?: boolean;
	/** True until the poll ends during which the row was created. */
	isFresh: boolean;
	/** The filters that were set since it was created. */
	filters: Set<number | undefined>;
	/** True if it must come out; undefined until that is decided. */
	isDue?: boolean;
	/** True if it may come out or not, for example because it was removed before a poll read it. */
	isOptional?: boolean;
}

/** An account of Survey A whose rows change, and the rows that the trigger must return. */
export class HistoryAccount {
	private rows: Row[] = [];
	private gone: Row[] = [];
	private template: {
		customer?: ReturnType<ServiceA['seedCustomers']>[number];
		company?: ServiceA['state']['companies'][number];
		campaign?: ServiceA['state']['campaigns'][number];
	} = {};
	private started = new Set<Event>();
	private removedSincePoll = new Set<Event>();
	private lastId = 0;
	private keys = 0;

	constructor(
		private readonly service: ServiceA,
		private readonly name: 'a' | 'b',
	) {}

	get credential() {
		const { url: baseUrl, apiKey } = this.service;
		return { baseUrl, apiKey, requestsPerMinute: 0 };
	}

	/** Starts a history with an empty account. */
	begin(pageSize: number): void {
		this.service.reset();
		const { state, settings } = this.service;
		Object.assign(settings, { maxLimit: pageSize, maxCompaniesLimit: Math.min(pageSize, 100) });
		Object.assign(this, { rows: [], gone: [], lastId: 0 });
		this.started.clear();
		this.removedSincePoll.clear();
		this.template = {
			customer: [...state.customers.values()][0],
			company: state.companies[0],
			campaign: state.campaigns[0],
		};
		state.customers.clear();
		state.companies = [];
		state.feedback = [];
		state.outbox = [];
	}

	create(event: Event, count: number, dating: Dating, seconds = 0): void {
		const isQueued = event === 'survey.sent' && dating === 'queued';
		const date = isQueued || dating === 'missing' ? undefined : this.dateOf(event, dating, seconds);
		const text = date === undefined ? '' : new Date(date).toISOString();
		for (let i = 0; i < count; i++) {
			const score = this.lastId % 11;
			const record = this.add(event, text, score);
			const isFresh = this.service.settings.afterListRequest !== undefined;
			// The removed row hides it: the total is the same, and no page of the newest rows shows it.
			const isOptional = date === undefined && this.removedSincePoll.has(event);
			const state = { isQueued, isFresh, isOptional, filters: new Set<number | undefined>() };
			this.rows.push({ event, record, date, score, ...state });
			const delay = dating === 'delayed' ? seconds * 5 * MINUTE : 0;
			if (event === 'survey.sent' && (isQueued || delay > 0)) {
				const created = new Date(Date.now() - delay).toISOString();
				const survey = this.service.state.outbox.at(-1);
				if (survey) Object.assign(survey, { surveyCreatedDate: created });
			}
		}
	}

	deliver(): void {
		for (const row of this.rows) {
			if (!row.isQueued || !row.isDue) continue;
			row.isQueued = false;
			Object.assign(row.record, { sentDate: new Date(Date.now()).toISOString() });
		}
	}

	/** Returns a date that the trigger promises to notice: at most ten minutes before the newest row's. */
	private dateOf(event: Event, dating: Dating, seconds: number): number {
		const now = Date.now();
		const dates = this.rows.filter((row) => row.event === event).map(({ date = 0 }) => date);
		const newest = Math.max(0, ...dates.filter((date) => date <= now + 11 * MINUTE));
		if (dating === 'ahead') return now + 2 * HOUR + seconds * HOUR;
		if (dating === 'same' && newest > 0 && newest >= now - 9 * MINUTE) return Math.min(newest, now);
		const late = dating === 'late' ? now - seconds * SECOND : now;
		return Math.max(late, newest - 9 * MINUTE);
	}

	private add(event: Event, date: string, score: number): { id: string } {
		const { state } = this.service;
		const { customer, company, campaign } = this.template;
		if (!customer || !company || !campaign) throw new Error('The service has no rows to copy');
		const id = `64${this.name}${(++this.lastId).toString(16).padStart(21, '0')}`;
		const email = `${id}@example.com`;
		switch (event) {
			case 'feedback.created': {
				const answer = { id, createdDate: date, score, comment: '' };
				const feedback = feedbackRecord(customer, { ...campaign, metric: 'NPS' }, answer);
				state.feedback.push(feedback);
				return feedback;
			}
			case 'customer.created': {
				const created = { ...customer, id, email, createdDate: date };
				state.customers.set(email, created);
				return created;
			}
			case 'company.created': {
				const created = { ...company, id, createdDate: date };
				state.companies.push(created);
				return created;
			}
			case 'survey.sent': {
				const survey = { ...outboxRecord({ ...customer, email }, campaign, date, 'manual'), id };
				state.outbox.push(survey);
				return survey;
			}
		}
	}

	remove(event: Event, place: number): void {
		const rows = this.rows.filter((row) => row.event === event);
		const row = rows[place % Math.max(1, rows.length)];
		if (!row) return;
		if (row.isDue === undefined) row.isOptional = true;
		this.removedSincePoll.add(event);
		for (const other of this.open(event)) other.isOptional ||= other.date === undefined;
		this.rows = this.rows.filter((one) => one !== row);
		this.gone.push(row);
		const { state } = this.service;
		const stays = (record: object) => record !== row.record;
		state.feedback = state.feedback.filter(stays);
		state.companies = state.companies.filter(stays);
		state.outbox = state.outbox.filter(stays);
		state.customers = new Map([...state.customers].filter(([, one]) => stays(one)));
	}

	/** Records a successful poll: a list that is read for the first time has no new rows. */
	polled(events: Event[], filter: number | undefined): void {
		this.removedSincePoll.clear();
		for (const event of EVENTS) {
			if (!events.includes(event)) this.stop(event);
			else if (!this.started.has(event)) {
				this.started.add(event);
				for (const row of this.open(event)) row.isDue = false;
			}
		}
		for (const row of this.rows) {
			row.filters.add(filter);
			row.isRead ||= !row.isFresh;
			row.isFresh = false;
		}
	}

	/** Stops watching an event: a row that no poll has read for sure may have come out or not. */
	private stop(event: Event): void {
		if (!this.started.delete(event)) return;
		for (const row of this.open(event)) row.isOptional = true;
	}

	/** Decides about all rows of the polled lists. */
	settle(filter: number | undefined): void {
		for (const event of this.started) {
			for (const row of this.open(event)) {
				const verdicts = new Set([...row.filters, filter].map((most) => passes(row, most)));
				row.isDue = verdicts.has(true);
				row.isOptional ||= verdicts.size > 1;
			}
		}
	}

	forget(): void {
		this.started.clear();
	}

	private open(event: Event): Row[] {
		return this.rows.filter((row) => row.event === event && row.isDue === undefined);
	}

	due(): string[] {
		return this.all.filter(({ isDue, isOptional }) => isDue && !isOptional).map(nameOf);
	}

	optional(): string[] {
		return this.all.filter(({ isOptional }) => isOptional).map(nameOf);
	}

	private get all(): Row[] {
		return [...this.rows, ...this.gone];
	}

	/**
	 * Returns whether the newest row that was read is still among the newest or the oldest rows. An account
	 * that shows no such row counts as another one.
	 */
	canBeRecognized(pageSize: number): boolean {
		return [...this.started].some((event) => {
			const rows = this.all.filter((row) => row.event === event && row.date !== undefined);
			rows.sort((one, other) => (one.date ?? 0) - (other.date ?? 0));
			const newest = rows.filter(({ isRead }) => isRead).at(-1);
			if (!newest || this.gone.includes(newest)) return false;
			const place = rows.indexOf(newest);
			return Math.min(place, rows.length - place) < pageSize - 5;
		});
	}

	rotateKey() {
		this.service.apiKey = `example-key ${this.name} ${++this.keys}`;
		return this.credential;
	}

	failAfter(count: number): void {
		const body = { message: 'Down' };
		this.service.faults.add({ skip: count, times: Infinity, kind: { status: 403, body } });
	}

	recover(): void {
		this.service.faults.clear();
	}

	afterResponse(work: (() => void) | undefined): void {
		this.service.settings.afterListRequest = work;
	}
}

function passes({ event, score }: Row, maxScore: number | undefined): boolean {
	return event !== 'feedback.created' || maxScore === undefined || score <= maxScore;
}

/** Returns the same name as `nameOf` of the trigger's items. */
function nameOf({ event, record }: Row): string {
	return `${event} ${record.id}`;
}
