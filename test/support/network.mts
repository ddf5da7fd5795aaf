import dns from 'node:dns';

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
