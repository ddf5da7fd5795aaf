import { z } from 'zod';

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
		const settings = await this.get<{ userManagement: { showSetupOnFirstLoad: boolean } }>(
			'/settings',
		);
		if (settings.userManagement.showSetupOnFirstLoad) await this.post('/owner/setup', OWNER);
		else {
			const { email, password } = OWNER;
			await this.post('/login', { emailOrLdapLoginId: email, password });
		}
	}

	async get<T = unknown>(path: string) {
		return await this.request<T>('GET', path);
	}

	async post<T = unknown>(path: string, body: unknown) {
		return await this.request<T>('POST', path, body);
	}

	async request<T = unknown>(method: string, path: string, body?: unknown): Promise<T> {
		const { data } = await this.envelope<T>(method, path, body);
		return data;
	}

	private async envelope<T>(method: string, path: string, body?: unknown) {
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
		return JSON.parse(text || '{}') as { data: T };
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
