import { z } from 'zod';

import { until } from './until.mts';

type Schema<Data> = z.ZodType<Data, z.ZodTypeDef, unknown>;

const envelopeSchema = z.object({ data: z.unknown() });
const errorSchema = z.object({ message: z.string() });

/** The owner of the n8n that tests and the demo start. Not a secret: n8n listens on this machine only. */
export const OWNER = {
	email: 'owner@example.com',
	firstName: 'Demo',
	lastName: 'Owner',
	password: 'Example-1234',
};

/** An error response of n8n, with its HTTP code and its own message. */
export class N8nRequestError extends Error {
	constructor(
		readonly status: number,
		message: string,
	) {
		super(message);
	}
}

/** A session of the owner with n8n's internal REST API, which the editor uses. */
export class N8nClient {
	private cookie = '';

	/** n8n ties a session to this header. */
	private readonly browserId = 'surveys-host';

	constructor(readonly url: string) {}

	/** Creates the owner on a new n8n, or signs the owner in. */
	async signIn(password = OWNER.password) {
		try {
			await this.post('/owner/setup', OWNER);
		} catch (error) {
			// n8n refuses to create a second owner.
			if (!(error instanceof N8nRequestError) || error.status !== 400) throw error;
			await this.post('/login', { emailOrLdapLoginId: OWNER.email, password });
		}
	}

	async get(path: string): Promise<unknown>;
	async get<Data>(path: string, schema: Schema<Data>): Promise<Data>;
	async get(path: string, schema: Schema<unknown> = z.unknown()): Promise<unknown> {
		return await this.request('GET', path, undefined, schema);
	}

	async post(path: string, body: unknown): Promise<unknown>;
	async post<Data>(path: string, body: unknown, schema: Schema<Data>): Promise<Data>;
	async post(path: string, body: unknown, schema: Schema<unknown> = z.unknown()): Promise<unknown> {
		return await this.request('POST', path, body, schema);
	}

	/** Returns the `data` of a response, checked by the schema. */
	async request(
		method: string,
		path: string,
		body?: unknown,
		schema: Schema<unknown> = z.unknown(),
	): Promise<unknown> {
		const headers = { 'browser-id': this.browserId, cookie: this.cookie };
		const ask = async () =>
			await send(method, `${this.url}/rest${path}`, headers, body).catch(asNotReady);
		const { json, cookies } = await until(ask, (response) => response !== undefined, {
			what: 'The database of n8n',
		});
		const session = cookies.find((cookie) => cookie.startsWith('n8n-auth='));
		if (session) this.cookie = session.split(';')[0] ?? '';
		return schema.parse(envelopeSchema.parse(json).data);
	}
}

/**
 * Sends a request to n8n, and returns the JSON and the cookies of its response.
 *
 * @throws N8nRequestError with the message of an error response
 */
export async function send(
	method: string,
	url: string,
	headers: Record<string, string>,
	body?: unknown,
): Promise<{ json: unknown; cookies: string[] }> {
	const response = await fetch(url, {
		method,
		// n8n closes an idle connection after five seconds, possibly while the next request arrives.
		headers: { ...headers, 'content-type': 'application/json', connection: 'close' },
		body: body === undefined ? undefined : JSON.stringify(body),
	});
	const { status, ok } = response;
	const text = await response.text();
	if (!ok) throw new N8nRequestError(status, `${method} ${url}: ${status} ${messageIn(text)}`);
	return { json: JSON.parse(text || '{}'), cookies: response.headers.getSetCookie() };
}

/** Returns nothing for a request that n8n refused because it looks for its database, as it does on a busy machine. */
function asNotReady(error: unknown): undefined {
	const isLooking =
		error instanceof N8nRequestError &&
		error.status === 503 &&
		error.message.includes('Database is not ready');
	if (!isLooking) throw error;
}

/** Returns the message in an error response, which can hold a stack trace, too. */
function messageIn(text: string): string {
	try {
		return errorSchema.parse(JSON.parse(text)).message;
	} catch {
		return text.slice(0, 500);
	}
}
