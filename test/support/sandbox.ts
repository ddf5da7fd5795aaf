import { startSandbox } from '../../sandbox';
import type { Sandbox } from '../../sandbox';

export type Services = Pick<Sandbox, 'a' | 'b'>;

/** Starts both services for the tests of a file, and resets them before each test. */
export function useSandbox(): Services {
	let sandbox: Sandbox | undefined;
	const started = () => {
		if (sandbox === undefined) throw new Error('The sandbox is not started yet');
		return sandbox;
	};
	beforeAll(async () => {
		sandbox = await startSandbox();
	});
	beforeEach(() => {
		started().a.reset();
		started().b.reset();
	});
	afterAll(async () => await sandbox?.close());
	return {
		get a() {
			return started().a;
		},
		get b() {
			return started().b;
		},
	};
}
