/** What a service answers to a call, before any fault is laid over it. */
export interface Answer {
	status: number;
	headers?: Record<string, string>;
	/** Absent: the answer has no body. */
	body?: unknown;
}

/** Thrown by a handler that refuses a call: nothing was carried out. */
export class Refusal extends Error {
	constructor(readonly answer: Answer) {
		super(`Refused with ${answer.status}`);
	}
}

/** The 200 answer with this body. */
export const ok = (body: unknown): Answer => ({ status: 200, body });
