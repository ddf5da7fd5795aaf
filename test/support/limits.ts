import { DEFAULT_TIME_LIMITS } from '../../nodes/shared/http/client';
import type { TimeLimits } from '../../nodes/shared/http/client';
import { IN_FLIGHT } from '../../nodes/shared/operations/write';

const REAL = { limits: { ...DEFAULT_TIME_LIMITS }, inFlight: { ...IN_FLIGHT } };

/** Shortens the fixed limits of runs, in ms. They come back after each test. */
export function limitTo(limits: Partial<TimeLimits>): void {
	Object.assign(DEFAULT_TIME_LIMITS, limits);
}

/** Sets how many rows are in flight where each has a request. The number comes back after each test. */
export function limitRowsInFlight(rows: number): void {
	IN_FLIGHT.items = rows;
}

/** Brings the limits back: `afterEach(restoreLimits)` in each file that changes one, since joined files share this module. */
export function restoreLimits(): void {
	Object.assign(DEFAULT_TIME_LIMITS, REAL.limits);
	Object.assign(IN_FLIGHT, REAL.inFlight);
}
