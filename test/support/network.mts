import dns from 'node:dns';
import { once } from 'node:events';
import { createServer } from 'node:http';

/** Makes the next DNS lookups fail; returns the spy, which counts all lookups. */
export function failToConnect(code: string, times: number) {
	const lookup = jest.spyOn(dns, 'lookup');
	for (let i = 0; i < times; i++) {
		lookup.mockImplementationOnce((...args: unknown[]) => {
			const callback = args.at(-1);
			const error = Object.assign(new Error(`lookup ${code}`), { code });
			if (typeof callback === 'function') process.nextTick(() => callback(error));
		});
	}
	return lookup;
}

export async function withProxy<Result>(
	proxy: string | undefined,
	work: () => Promise<Result>,
): Promise<Result> {
	const before = process.env.HTTP_PROXY;
	set(proxy ?? before);
	return await work().finally(() => set(before));
}

function set(proxy: string | undefined): void {
	if (proxy === undefined) delete process.env.HTTP_PROXY;
	else process.env.HTTP_PROXY = proxy;
}

/** Does work behind a proxy for TLS that closes each connection in place of connecting to the service. */
export async function withClosingProxy<Result>(work: () => Promise<Result>): Promise<Result> {
	const proxy = createServer().on('connect', (_, socket) => socket.destroy());
	proxy.listen(0, '127.0.0.1');
	await once(proxy, 'listening');
	process.env.HTTPS_PROXY = `http://127.0.0.1:${Object(proxy.address()).port}`;
	try {
		return await work();
	} finally {
		delete process.env.HTTPS_PROXY;
		proxy.close();
	}
}
