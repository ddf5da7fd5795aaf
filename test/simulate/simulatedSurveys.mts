import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

import { z } from 'zod';

/** `bad` rows are refused, with all rows of their request. */
export type Fate = 'good' | 'bad';

export interface SentRow {
	email: string;
	campaign: string;
	fate: Fate;
	/** The number of the input item, by which the service identifies the row. */
	item: string;
}

/** Whether a refusal of Survey A names its bad rows. */
export type Refusal = 'named' | 'unnamed';

/** What happens to a request; `lostAfter` loses the response only. */
export type Fault = 'none' | 401 | 403 | 429 | 500 | 'lostBefore' | 'lostAfter';

const text = z.string().catch('');
const properties = z.array(z.object({ label: z.string(), value: text })).default([]);
const bodySchema = z.object({
	campaign: text,
	campaign_id: z.coerce.string().catch(''),
	subscribers: z.array(z.object({ email: z.string(), properties })).optional(),
	contact: z
		.object({ email: z.string(), attributes: z.object({ fate: text, item: text }) })
		.optional(),
});

/**
 * Both endpoints that send surveys, as the contracts describe them: Survey A takes up to 100 customers and applies all or
 * none; Survey B surveys a contact once in 24 hours.
 */
export class SimulatedSurveys {
	/** The surveys that went out, in order. */
	readonly surveys: SentRow[] = [];
	/** Items in requests whose response was lost. */
	readonly mayHaveSurveyed = new Set<string>();
	/** Items in requests that met a fault or that the service refused for another reason than a bad row. */
	readonly failed = new Set<string>();
	/** True once the service refused the account; that ends the run. */
	hasRefusedAccount = false;
	private refusal: Refusal = 'named';
	private faults: Fault[] = [];
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
		return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
	}

	begin(refusal: Refusal, faults: Fault[]): void {
		this.refusal = refusal;
		this.faults = [...faults];
		this.surveys.length = 0;
		this.mayHaveSurveyed.clear();
		this.failed.clear();
		this.hasRefusedAccount = false;
	}

	private async receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
		let body = '';
		for await (const chunk of request) body += String(chunk);
		// The account has no columns of its own.
		if (request.method === 'GET') return write(response, 200, { data: { subscribers: [] } });
		const rows = rowsIn(bodySchema.parse(JSON.parse(body)));
		const fault = this.faults.shift() ?? 'none';
		this.hasRefusedAccount ||= fault === 401 || fault === 403;
		if (fault !== 'none' && fault !== 429) rows.forEach(({ item }) => this.failed.add(item));
		if (fault === 'lostBefore' || fault === 'lostAfter' || fault === 500) {
			rows.forEach(({ item }) => this.mayHaveSurveyed.add(item));
		}
		if (fault === 'lostBefore') return void request.socket.destroy();
		if (typeof fault === 'number') return write(response, fault, { message: 'Not now' });
		const isA = request.url === '/api/v2/survey';
		const [status, answer] = isA ? this.surveyA(rows) : this.surveyB(rows);
		if (fault === 'lostAfter') return void request.socket.destroy();
		write(response, status, answer);
	}

	private surveyA(rows: SentRow[]): [status: number, body: object] {
		const bad = rows.filter(({ fate }) => fate === 'bad');
		if (bad.length > 0) {
			const data = bad.map(({ email }) => ({ status: 'fail', email, reason: 'Bad row' }));
			const named = this.refusal === 'named' ? data : null;
			return [400, { code: 400, message: 'Validation Error', data: named }];
		}
		this.surveys.push(...rows);
		return [200, { success: true, code: 200, message: 'ok', status: 'queued' }];
	}

	private surveyB([row]: SentRow[]): [status: number, body: object] {
		if (row?.fate !== 'good')
			return [400, { contact: { email: ['Enter a valid email address.'] } }];
		if (this.surveys.some(({ email }) => email === row.email)) {
			this.failed.add(row.item);
			return [400, { non_field_errors: ['Contact is not eligible for survey.'] }];
		}
		this.surveys.push(row);
		const { email, campaign } = row;
		return [200, { contact: { email }, campaign_id: Number(campaign), status: 'SENT' }];
	}
}

function rowsIn(body: z.infer<typeof bodySchema>): SentRow[] {
	const { campaign, campaign_id, contact, subscribers = [] } = body;
	const rowOf = (email: string, campaign: string, { fate = '', item = '' }) => ({
		...{ email, campaign, item },
		fate: fate === 'bad' ? ('bad' as const) : ('good' as const),
	});
	if (contact) return [rowOf(contact.email, campaign_id, contact.attributes)];
	return subscribers.map(({ email, properties }) => {
		const values = Object.fromEntries(properties.map(({ label, value }) => [label, value]));
		return rowOf(email, campaign, values);
	});
}

function write(response: ServerResponse, status: number, body: object): void {
	const wait = status === 429 ? { 'retry-after': '3' } : {};
	response.writeHead(status, { 'content-type': 'application/json', ...wait });
	response.end(JSON.stringify(body));
}
