import type { RecordedRequest } from './recorded';

/** An answer in place of the service's own: the request is not carried out. */
export interface StatusFault {
	status: number;
	headers?: Record<string, string>;
	/** An object goes out as JSON, a string as it is. */
	body?: unknown;
}

/** The service takes its time, then goes on as usual. */
export interface DelayFault {
	delayMs: number;
}

/** The service holds its answer back until then, and goes on as usual. */
export interface HeldFault {
	until: Promise<unknown>;
}

/**
 * - `reset-before`: the connection breaks, nothing is carried out
 * - `reset-after`: carried out, then the connection breaks without an answer
 * - `reset-midway`: carried out, the connection breaks after half of the answer
 * - `hang`: carried out, never answered until the service closes
 * - `html`, `empty`, `half-json`, `other-shape`: carried out, answered 200 with a wrong body
 * - `bad-gzip`: carried out, answered with a body that cannot be unpacked
 * - `half-applied`: the first half of a batch is carried out, then 500
 * - `drip`: carried out, answered with a blank every 100 ms, without end
 * - `drip-headers`: carried out, answered with a letter of a header every 100 ms, without end
 * - `too-large`: carried out, answered with a body that is announced with 300 MB
 * - `unpacks-large`: carried out, answered with few bytes that unpack to 300 MB
 * - `false-totals`: carried out; the answer counts a thousand million rows and pages
 */
export type NamedFault =
	| 'reset-before'
	| 'reset-after'
	| 'reset-midway'
	| 'hang'
	| 'html'
	| 'empty'
	| 'half-json'
	| 'other-shape'
	| 'bad-gzip'
	| 'half-applied'
	| 'drip'
	| 'drip-headers'
	| 'too-large'
	| 'unpacks-large'
	| 'false-totals';

export type FaultKind = StatusFault | DelayFault | HeldFault | NamedFault;

export interface Fault {
	method?: string;
	/** Tested against the path, without the query. */
	path?: RegExp;
	/** Any further condition, say on the query or the body. */
	when?: (request: RecordedRequest) => boolean;
	/** So many matching requests pass first. */
	skip?: number;
	/** So many requests meet the fault; 1 unless told, Infinity for all. */
	times?: number;
	kind: FaultKind;
}

function matches(fault: Fault, request: RecordedRequest): boolean {
	return (
		(fault.method === undefined || fault.method.toUpperCase() === request.method) &&
		(fault.path === undefined || request.path.search(fault.path) >= 0) &&
		(fault.when === undefined || fault.when(request))
	);
}

/** The faults a service is to show. Where several match a request, the first added is met first. */
export class Faults {
	private armed: Array<{ fault: Fault; skip: number; times: number }> = [];

	add(fault: Fault): void {
		this.armed.push({ fault, skip: fault.skip ?? 0, times: fault.times ?? 1 });
	}

	clear(): void {
		this.armed = [];
	}

	/** Takes the fault that this request meets, if any. */
	take(request: RecordedRequest): FaultKind | undefined {
		for (const entry of this.armed) {
			if (entry.times <= 0 || !matches(entry.fault, request)) continue;
			if (entry.skip > 0) {
				entry.skip--;
				continue;
			}
			entry.times--;
			return entry.fault.kind;
		}
		return undefined;
	}
}
