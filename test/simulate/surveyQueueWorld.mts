import { DateTime } from 'luxon';

import { surveysRoutes as routesOfA } from '../../sandbox/a/surveys';
import { ServiceA } from '../../sandbox/a/service';
import type { OutboxSurvey } from '../../sandbox/a/records';
import { Refusal } from '../../sandbox/core/apiResponse';
import { surveysRoutes as routesOfB } from '../../sandbox/b/surveys';
import { ServiceB } from '../../sandbox/b/service';
import { readExample } from '../support/examples.mts';

export type Json = Record<string, unknown>;
export interface Row extends Json {
	id: string;
	email: string;
	service: string;
	campaign: string;
}

/** A survey that a service has sent, and the row of the queue that it was sent for. */
export interface SentSurvey {
	email: string;
	service: string;
	at: number;
	row?: string;
	kind?: unknown;
	/** What the outbox showed of the person at that time. */
	shown?: OutboxSurvey[];
}

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;

/** Survey A's outbox shows a survey this much later. */
export const OUTBOX_LAG = 20 * MINUTE;

type Code = (name: string) => { first(): { json: Json }; all(): Array<{ json: Json }> };

/** Returns the code of a Code node as a function. */
function codeOf(name: string) {
	const node = readExample('survey-queue').nodes.find((one) => one.name === name);
	const run = new Function('$', '$input', 'DateTime', String(node?.parameters?.jsCode));
	return ($: Code, input: Json[]): Json[] => {
		const items = input.map((json) => ({ json }));
		const output: Array<{ json: Json }> = run(
			$,
			{ all: () => items, first: () => items[0] },
			DateTime,
		);
		return output.map(({ json }) => json);
	};
}

const CODE = {
	read: codeOf('Read Request'),
	lookUp: codeOf('Look Up'),
	plan: codeOf('Plan'),
	decide: codeOf('Decide'),
	result: codeOf('Result'),
};

/** Both services, the data table and what the world does besides the queue. */
export class World {
	readonly a = new ServiceA({});
	readonly b = new ServiceB({});
	readonly rows: Row[] = [];
	/** The rows that a run may read: an index, so that 90 days take seconds. */
	private readonly open = new Set<Row>();
	private readonly byEmail = new Map<string, Row[]>();
	private readonly bySlot = new Map<string, Row[]>();
	readonly sent: SentSurvey[] = [];
	readonly sentByRow = new Map<string, SentSurvey[]>();
	now = 0;
	private readonly outbox = new Map<string, OutboxSurvey[]>();
	private indexed = 0;

	constructor(
		readonly settings: Json,
		readonly random: () => number,
	) {
		// Seeds their campaigns.
		this.a.reset();
		this.b.reset();
		this.a.state.outbox.length = 0;
	}

	/** Puts people into the queue as the workflow's entries do. */
	put(people: Json[]): void {
		const defaults = { service: 'A', campaign: CAMPAIGN_A, timeZone: 'UTC' };
		const input = people.map((person) => ({ ...person, defaults }));
		for (const row of CODE.read(() => ({ first: () => ({ json: {} }), all: () => [] }), input)) {
			const empty = { claimed_at: null, tried_at: null, sent_at: null, remind_at: null };
			const { email, service, campaign } = row;
			const own = { email: String(email), service: String(service), campaign: String(campaign) };
			const stored = { ...empty, ...row, ...own, id: String(this.rows.length + 1) };
			this.rows.push(stored);
			this.open.add(stored);
			this.byEmail.set(own.email, [...(this.byEmail.get(own.email) ?? []), stored]);
		}
	}

	/** Returns the rows that are not final. */
	openRows(): Row[] {
		for (const row of this.open) {
			const isFinal =
				['left out', 'not shown', 'sent'].includes(String(row.state)) && !row.remind_at;
			if (isFinal) this.open.delete(row);
		}
		return [...this.open];
	}

	rowsOfDay(day: string): Row[] {
		return [...this.bySlot]
			.filter(([slot]) => slot.startsWith(day))
			.flatMap(([slot, rows]) => rows.filter((row) => row.slot === slot));
	}

	/** Returns the rows of a person and of a place of the day. */
	recordsOf({ email, slot }: Row): Row[] {
		const others = (this.bySlot.get(String(slot)) ?? []).filter((row) => row.slot === slot);
		return [...new Set([...(this.byEmail.get(email) ?? []), ...others])];
	}

	/** Changes columns of a row. */
	update(row: Row, columns: Json): void {
		Object.assign(row, columns);
		if (!row.slot) return;
		const slot = String(row.slot);
		// Of former days nothing is read.
		for (const old of this.bySlot.keys())
			if (old.slice(0, 10) < slot.slice(0, 10)) this.bySlot.delete(old);
		const rows = this.bySlot.get(slot) ?? [];
		if (!rows.includes(row)) this.bySlot.set(slot, [...rows, row]);
	}

	/** Returns what the outbox shows of a person now. */
	outboxOf(email: string): OutboxSurvey[] {
		const { outbox } = this.a.state;
		for (; this.indexed < outbox.length; this.indexed++) {
			const survey = outbox[this.indexed];
			if (survey) this.outbox.set(survey.email, [...(this.outbox.get(survey.email) ?? []), survey]);
		}
		const isShown = ({ sentDate }: OutboxSurvey) => Date.parse(sentDate) <= this.now - OUTBOX_LAG;
		return (this.outbox.get(email) ?? []).filter(isShown);
	}

	/** Sends a survey by a service's own code, and returns the item of our node. */
	send(row: {
		email: string;
		service: string;
		campaign: string;
		id?: string;
		kind?: unknown;
	}): Json {
		const { email } = row;
		try {
			const before = this.count();
			const { service, id, kind } = row;
			if (row.service === 'A') this.byA(email, row.campaign);
			else this.byB(email, row.campaign);
			if (this.count() > before) {
				const shown = structuredClone(this.outboxOf(email));
				this.record({ email, service, at: this.now, row: id, kind, shown });
			}
			return { email, status: 'queued' };
		} catch (error) {
			if (!(error instanceof Refusal)) throw error;
			const text = JSON.stringify(error.response.body);
			return /not eligible|has unsubscribed/.test(text)
				? { email, status: 'skipped', reason: text }
				: { email, error: text, details: { httpCode: 400 } };
		}
	}

	private record(survey: SentSurvey): void {
		this.sent.push(survey);
		const { row } = survey;
		if (row) this.sentByRow.set(row, [...(this.sentByRow.get(row) ?? []), survey]);
	}

	private count(): number {
		return this.a.state.sent.length + this.b.state.sent.length;
	}

	private byA(email: string, campaign: string): void {
		const body = { campaign, subscribers: [{ email }] };
		routesOfA['POST /api/v2/survey']?.(this.a, callOf(body));
	}

	private byB(email: string, campaign: string): void {
		const body = { campaign_id: campaign, contact: { email } };
		routesOfB['POST /api/v2/survey/']?.(this.b, callOf(body));
	}
}

const callOf = (body: Json) => ({ params: {}, query: new URLSearchParams(), body, path: '' });

export const CAMPAIGN_A = '64a000000000000000000003';
export const REMINDER = '64a000000000000000000004';
export const CAMPAIGN_B = '101';

/**
 * One run of the hourly branch, in the order of the workflow's connections. It yields before each request and each
 * access to the data table, where another run may come in between and a kill may end it.
 */
export function* hourlyRun(world: World, run: string): Generator<void> {
	const now = new Date(world.now).toISOString();
	const settings = { ...world.settings, now, run };
	const outputs = new Map<string, Json[]>([['Settings', [settings]]]);
	const $: Code = (name) => {
		const items = (outputs.get(name) ?? []).map((json) => ({ json }));
		return { all: () => items, first: () => items[0] ?? { json: {} } };
	};
	const due = (date: unknown) => Boolean(date) && String(date) <= now;

	yield;
	const open = world
		.openRows()
		.filter(
			({ state, remind_at }) =>
				['accepted', 'checking', 'sending'].includes(String(state)) || due(remind_at),
		);
	if (open.length > 0) {
		outputs.set('Get Rows to Look Up', copies(open.slice(0, 1000)));
		yield;
		const shown = new Set(open.map(({ email }) => email));
		const outbox = [...shown].flatMap((email) => copies(world.outboxOf(String(email))));
		for (const { was, ...change } of CODE.lookUp($, outbox)) {
			yield;
			const row = rowOf(world, change.id);
			const columns = pick(change, [
				'kind',
				'state',
				'campaign',
				'not_before',
				'sent_at',
				'remind_at',
				'reason',
			]);
			if (row.claim === change.claim && row.state === was) world.update(row, columns);
		}
	}

	yield;
	const today = now.slice(0, 10);
	outputs.set('Get Places Taken', copies(world.rowsOfDay(today)));
	yield;
	const waiting = world
		.openRows()
		.filter(({ state, not_before }) => isWaiting(state) && due(not_before));
	waiting.sort((one, other) => String(one.not_before).localeCompare(String(other.not_before)));
	if (waiting.length === 0) return;
	const planned = CODE.plan($, copies(waiting.slice(0, 1000)));
	for (const plan of planned.filter(({ state }) => state === 'sending')) {
		yield;
		const row = rowOf(world, plan.id);
		if (isWaiting(row.state) && due(row.not_before)) world.update(row, plan);
		outputs.set('Claim', copies([row]));
		if (row.claim !== plan.claim) continue;
		yield* onePerson(world, row, { outputs, $ });
	}
	for (const plan of planned.filter(({ state }) => state !== 'sending')) {
		yield;
		const row = rowOf(world, plan.id);
		if (isWaiting(row.state) && due(row.not_before)) world.update(row, plan);
	}
}

/** The loop of the workflow for one claimed row. */
function* onePerson(
	world: World,
	claimed: Row,
	{ outputs, $ }: { outputs: Map<string, Json[]>; $: Code },
): Generator<void> {
	const { id, email } = claimed;
	yield;
	outputs.set('Get Rows of Person', copies(world.recordsOf(claimed)));
	yield;
	outputs.set('Get Outbox of Person', copies(world.outboxOf(String(email))));
	yield;
	const contact = world.b.state.contacts.get(String(email));
	outputs.set('Get Contact', copies(contact ? [contact] : []));
	const [decision = {}] = CODE.decide($, []);
	outputs.set('Decide', [decision]);
	let outcome = decision;
	if (decision.state === 'sending') {
		yield;
		// One response of a hundred is lost; half of these requests have not arrived.
		const isLost = world.random() < 0.01;
		const arrives = !isLost || world.random() < 0.5;
		const item = arrives ? world.send({ ...rowOf(world, id) }) : {};
		yield;
		const lost = { error: 'The request may have been processed', details: { uncertain: true } };
		[outcome = {}] = CODE.result($, [isLost ? lost : item]);
	}
	yield;
	const row = rowOf(world, id);
	if (row.claim === outcome.claim) world.update(row, outcome);
}

const isWaiting = (state: unknown) => String(state).startsWith('waiting');

function rowOf(world: World, id: unknown): Row {
	const row = world.rows[Number(id) - 1];
	if (!row) throw new Error(`No row ${String(id)}`);
	return row;
}

const copies = (records: object[]): Json[] => records.map((one) => ({ ...one }));

const pick = (from: Json, names: string[]) =>
	Object.fromEntries(names.map((name) => [name, from[name] ?? null]));
