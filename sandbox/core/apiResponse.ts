/** The response of a service, before a fault changes it. */
export interface ApiResponse {
	status: number;
	headers?: Record<string, string>;
	/** Undefined: no body. A string is sent as plain text, anything else as JSON. */
	body?: unknown;
	/** A page of a list: `settings.afterListRequest` is called. */
	isPage?: boolean;
}

/** Thrown by a handler that rejects a request. The request had no effect. */
export class Refusal extends Error {
	constructor(readonly response: ApiResponse) {
		super(`Refused with ${response.status}`);
	}
}

/** Returns the 200 response with this body. */
export const ok = (body: unknown): ApiResponse => ({ status: 200, body });
