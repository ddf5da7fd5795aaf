import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { z } from 'zod';

import type { OperationName, Plan, Row } from './actionsPlan.mts';
import { fateOf, isSend, reasonFor } from './actionsPlan.mts';

export interface SeenRequest {
	/** `Date.now()` of its arrival. */
	at: number;
	items: number[];
	/** True if the rows were applied. */
	isApplied: boolean;
	refuses: number[];
	confirms: number[];
	/** True for a 5xx or a broken connection. */
	isFaulty: boolean;
	/** True if the whole batch was refused and no row was named. */
	isUnnamed: boolean;
}

interface Answer {
	status: number;
	body?: unknown;
	headers?: Record<string, string>;
}

/** A survey service that follows a plan and records requests. */
export class SimulatedService {
	readonly seen: SeenRequest[] = [];
	private plan?: Plan;
	private rows: Row[] = [];
	private onRequest: (count: number) => void = () => {};
	private readonly server = createServer((request, response) => {
		void this.receive(request, response);
	});

	async start(): Promise<void> {
		await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	get url(): string {
		const address = this.server.address();
		const port = typeof address === 'object' ? address?.port : undefined;
		return `http://127.0.0.1:${port}`;
	}

	begin(plan: Plan, rows: Row[], onRequest: (count: number) => void): void {
		this.plan = plan;
		this.rows = rows;
		this.onRequest = onRequest;
		this.seen.length = 0;
	}

	private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
		let text = '';
		for await (const chunk of request) text += String(chunk);
		const { plan } = this;
		if (plan === undefined) return void response.destroy();
		const items = itemsIn(bodySchema.parse(JSON.parse(text)), this.rows);
		const seen: SeenRequest = {
			at: Date.now(),
			items,
			isApplied: false,
			refuses: [],
			confirms: [],
			isFaulty: false,
			isUnnamed: false,
		};
		const fault = plan.faults[this.seen.length] ?? 'none';
		this.seen.push(seen);
		this.onRequest(this.seen.length);
		seen.isFaulty = fault !== 'none' && fault !== 'tooMany';
		if (fault === 'lostBefore') return void request.socket.destroy();
		if (fault === 'broken') return write(response, { status: 500, body: { message: 'Broken' } });
		if (fault === 'tooMany') {
			return write(response, { status: 429, headers: { 'retry-after': '3' }, body: {} });
		}
		const answer = this.carryOut(plan, seen);
		if (fault === 'lostAfter') {
			seen.confirms = [];
			if (!seen.isApplied) seen.refuses = [];
			return void request.socket.destroy();
		}
		write(response, answer);
	}

	private carryOut(plan: Plan, seen: SeenRequest): Answer {
		const fates = new Map(seen.items.map((item) => [item, fateOf(plan.operation, this.row(item))]));
		const wrong = seen.items.filter((item) => fates.get(item) !== 'good');
		const [first] = wrong;
		if (first !== undefined && (plan.naming !== 'inSuccess' || !namesInSuccess(plan.operation))) {
			return this.refuse(plan, seen, wrong, first);
		}
		const good = seen.items.filter((item) => fates.get(item) === 'good');
		seen.isApplied = true;
		seen.refuses = wrong;
		return { status: 200, body: this.successBody(plan, seen, good, wrong) };
	}

	private refuse(plan: Plan, seen: SeenRequest, wrong: number[], first: number): Answer {
		const isIneligible =
			isSend(plan.operation) && fateOf(plan.operation, this.row(first)) === 'ineligible';
		const words = this.reason(plan, first);
		const named = plan.naming === 'all' ? wrong : plan.naming === 'first' ? [first] : [];
		seen.refuses = named.length > 0 || seen.items.length === 1 ? named : [];
		if (seen.items.length === 1) seen.refuses = seen.items;
		seen.isUnnamed = seen.refuses.length === 0;
		if (plan.operation.startsWith('b.')) {
			const places = named.map((item) => [seen.items.indexOf(item), [this.reason(plan, item)]]);
			const emails = { emails: Object.fromEntries(places) };
			const isNamed = plan.operation === 'b.contact.unsubscribe' && places.length > 0;
			return { status: 400, body: isNamed ? emails : { non_field_errors: [words] } };
		}
		if (named.length === 0) {
			const status = isIneligible ? plan.ineligibleStatus : plan.badStatus;
			return { status, body: { code: status, message: words, data: null } };
		}
		const data = named.map((item) => ({
			status: 'fail',
			email: this.row(item).email,
			reason: this.reason(plan, item),
		}));
		return { status: 400, body: { code: 400, message: 'Validation Error', data } };
	}

	private reason({ operation }: Plan, item: number): string {
		return reasonFor(operation, this.row(item));
	}

	private successBody(plan: Plan, seen: SeenRequest, good: number[], wrong: number[]): unknown {
		const { operation, answer } = plan;
		const left = answer === 'partial' ? good.slice(1) : answer === 'full' ? good : [];
		seen.confirms = left;
		const emails = left.map((item) => this.row(item).email);
		const failed = wrong.map((item) => ({
			email: this.row(item).email,
			status: 'failed',
			reason: this.reason(plan, item),
		}));
		const list = <Mark extends object>(mark: Mark) =>
			answer === 'noList' && wrong.length === 0
				? undefined
				: [...emails.map((email) => ({ email, ...mark })), ...failed];
		switch (operation) {
			case 'a.survey.send':
				seen.confirms = good;
				return { success: true, code: 200, message: 'OK', status: 'queued' };
			case 'a.survey.sendLegacy': {
				const rows = list({ status: 'sending', reason: '' });
				const data = rows && Object.fromEntries(rows.map((row) => [row.email, row]));
				return { code: 200, message: 'OK', data };
			}
			case 'a.customer.upsert': {
				const rows = list({ first_name: 'x' });
				return { code: 200, message: 'OK', data: rows && { subscribers: rows } };
			}
			case 'a.customer.unsubscribe':
				return { code: 200, message: 'OK', data: list({ unsubscribed: true }) };
			case 'a.customer.delete':
				return { code: 200, message: 'OK', data: list({ deleted: true }) };
			case 'b.contact.unsubscribe': {
				const results = list({ unsubscribed: true }) ?? [];
				return { count: results.length, next: null, previous: null, results };
			}
			case 'b.contact.delete':
				seen.confirms = good;
				return { count: 0, next: null, previous: null, results: [] };
			case 'b.survey.send':
			case 'b.contact.upsert':
				seen.confirms = good;
				return { id: 1, email: emails[0] ?? '', contact: {}, campaign_id: 101, status: 'SENT' };
		}
	}

	private row(item: number): Row {
		const row = this.rows[item];
		if (row === undefined) throw new Error(`no row ${item}`);
		return row;
	}
}

const personSchema = z.object({ email: z.string(), last_name: z.string().optional() });

const bodySchema = z.object({
	subscribers: z.array(personSchema).optional(),
	emails: z.array(z.string()).optional(),
	contact: personSchema.optional(),
	email: z.string().optional(),
	last_name: z.string().optional(),
});

/** Returns the items of a request by last name; without last names, the first item with each address. */
function itemsIn(body: z.infer<typeof bodySchema>, rows: Row[]): number[] {
	const people = body.subscribers ??
		body.emails?.map((email) => ({ email, last_name: undefined })) ??
		(body.contact ? [body.contact] : undefined) ?? [
			{ email: body.email ?? '', last_name: body.last_name },
		];
	return people.map(({ email, last_name }) =>
		last_name === undefined ? rows.findIndex((row) => row.email === email) : Number(last_name),
	);
}

/** Returns whether a successful response of an operation can report failed rows. */
function namesInSuccess(operation: OperationName): boolean {
	return operation.startsWith('a.') && operation !== 'a.survey.send';
}

function write(response: ServerResponse, { status, body, headers }: Answer): void {
	response.writeHead(status, { 'content-type': 'application/json', ...headers });
	response.end(JSON.stringify(body ?? {}));
}
