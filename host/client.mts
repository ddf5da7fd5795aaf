import { z } from 'zod';

type Schema<Data> = z.ZodType<Data, z.ZodTypeDef, unknown>;

const envelopeSchema = z.object({ data: z.unknown() });
const settingsSchema = z.object({
	userManagement: z.object({ showSetupOnFirstLoad: z.boolean().optional() }),
});
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
	async signIn() {
		const settings = await this.get('/settings', settingsSchema);
		if (settings.userManagement.showSetupOnFirstLoad) await this.post('/owner/setup', OWNER);
		else {
			const { email, password } = OWNER;
			await this.post('/login', { emailOrLdapLoginId: email, password });
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
		const response = await fetch(`${this.url}/rest${path}`, {
			method,
			headers: {
				'content-type': 'application/json',
				'browser-id': this.browserId,
				cookie: this.cookie,
				// n8n closes an idle connection after five seconds, possibly while the next request arrives.
				connection: 'close',
			},
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		this.keepCookie(response.headers.getSetCookie());
		const text = await response.text();
		if (!response.ok) {
			throw new N8nRequestError(
				response.status,
				`${method} ${path}: ${response.status} ${messageOf(text)}`,
			);
		}
		const { data } = envelopeSchema.parse(JSON.parse(text || '{}'));
		return schema.parse(data);
	}

	private keepCookie(cookies: string[]) {
		const session = cookies.find((cookie) => cookie.startsWith('n8n-auth='));
		if (session) this.cookie = session.split(';')[0] ?? '';
	}
}

/** Returns n8n's message from an error response. */
function messageOf(text: string) {
	try {
		return errorSchema.parse(JSON.parse(text)).message;
	} catch {
		return text.slice(0, 500);
	}
}
