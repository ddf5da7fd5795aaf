import { startSandbox } from '../../sandbox';
import type { Sandbox } from '../../sandbox';

export type Services = Pick<Sandbox, 'a' | 'b'>;

/** Starts what the tests of a file use, resets it before each test, and ends it after the last one. */
export function useStarted<Started>(
	start: () => Promise<Started>,
	reset: (started: Started) => void,
	end: (started: Started) => Promise<void>,
): () => Started {
	let started: { it: Started } | undefined;
	const get = () => {
		if (started === undefined) throw new Error('This is not started before the tests begin');
		return started.it;
	};
	beforeAll(async () => {
		started = { it: await start() };
	});
	beforeEach(() => reset(get()));
	afterAll(async () => {
		if (started) await end(started.it);
	});
	return get;
}

/** Starts both services for the tests of a file, and resets them before each test. */
export function useSandbox(): Services {
	const started = useStarted(
		startSandbox,
		({ a, b }) => {
			a.reset();
			b.reset();
		},
		async (sandbox) => await sandbox.close(),
	);
	return servicesOf(started);
}

/** Starts services for each test, because the client remembers rate limits by URL. */
export function useSandboxForEach(): Services {
	let sandbox: Sandbox;
	beforeEach(async () => {
		sandbox = await startSandbox();
	});
	afterEach(async () => await sandbox.close());
	return servicesOf(() => sandbox);
}

/** Sends a request such as `POST /api/v2/survey` with a service's key, and with a cookie, as a browser would. */
export async function request(
	service: Services['a' | 'b'],
	line: string,
	body?: object,
	apiKey = service.apiKey,
): Promise<Response> {
	const [method, path = ''] = line.split(' ');
	const scheme = 'customers' in service.state ? 'api_key=' : 'Token ';
	const headers = {
		authorization: scheme + apiKey,
		'content-type': 'application/json',
		cookie: 'n8n-auth=secret-session',
	};
	return await fetch(service.url + path, { method, headers, body: JSON.stringify(body) });
}

const servicesOf = (sandbox: () => Sandbox): Services => ({
	get a() {
		return sandbox().a;
	},
	get b() {
		return sandbox().b;
	},
});
