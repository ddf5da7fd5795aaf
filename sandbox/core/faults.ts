import type { RecordedRequest } from './requestLog';

/** Replaces the response; the request is not carried out. */
export interface StatusFault {
	status: number;
	headers?: Record<string, string>;
	/** Objects are sent as JSON, strings as they are. */
	body?: unknown;
}

/** Carries out the request after a delay. */
export interface DelayFault {
	delayMs: number;
}

/** Carries out the request when the promise settles. */
export interface HeldFault {
	until: Promise<unknown>;
}

/**
 * All but `reset-before` carry out the request first.
 *
 * - `reset-before`: closes the connection; the request has no effect
 * - `reset-after`: closes the connection without a response
 * - `reset-midway`: closes the connection after half of the response
 * - `hang`: sends no response until the service closes
 * - `html`, `empty`, `half-json`, `other-shape`: sends a 200 with an invalid body
 * - `bad-gzip`: sends a body that cannot be decompressed
 * - `drip`: sends a space every 10 ms, without end
 * - `drip-headers`: sends one character of a header every 10 ms, without end
 * - `too-large`: sends a small body that decompresses to 64 MB
 * - `false-totals`: sends totals of a billion rows and pages
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
	| 'drip'
	| 'drip-headers'
	| 'too-large'
	| 'false-totals';

export type FaultKind = StatusFault | DelayFault | HeldFault | NamedFault;

export interface Fault {
	method?: string;
	/** Tested against the path, without the query. */
	path?: RegExp;
	/** A further condition, for example on the query or the body. */
	when?: (request: RecordedRequest) => boolean;
	/** Number of matching requests that pass first; 0 by default. */
	skip?: number;
	/** Number of requests that meet the fault; 1 by default, Infinity for all. */
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

/** The faults of a service. If several match a request, the first added applies. */
export class Faults {
	private armed: Array<{ fault: Fault; skip: number; times: number }> = [];

	add(fault: Fault): void {
		this.armed.push({ fault, skip: fault.skip ?? 0, times: fault.times ?? 1 });
	}

	clear(): void {
		this.armed = [];
	}

	/** Returns the fault that this request meets, and uses it up. */
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
