import dns from 'node:dns';

/** Makes the network fail so many times before it finds `localhost`; gives what counts the attempts. */
export function failToConnect(code: string, times: number) {
	const lookup = jest.spyOn(dns, 'lookup');
	for (let i = 0; i < times; i++) {
		lookup.mockImplementationOnce((...args: unknown[]) => {
			const tell = args.at(-1);
			const error = Object.assign(new Error(`lookup ${code}`), { code });
			if (typeof tell === 'function') process.nextTick(() => tell(error));
		});
	}
	return lookup;
}
