import SimulatedEnvironment from '../simulatedEnvironment.mts';
import sandboxOnly from './sandboxOnly.json';

/** Beginnings of the names of tests that hold in the sandbox only, and of those that send a request that no contract shows. */
const failing: string[] = Object.values<string[]>(sandboxOnly.failing).flat();
const outside: string[] = sandboxOnly.outsideContract;

interface Block {
	type: 'describeBlock' | 'test';
	name: string;
	parent?: Block;
	children?: Block[];
}

type TestEvent = Parameters<SimulatedEnvironment['handleTestEvent']>[0];

interface State {
	rootDescribeBlock: Block;
	unhandledErrors: unknown[];
}

/** Returns the names of a test and of what contains it, as a line. */
function lineOf({ name, parent }: Block): string {
	return parent?.parent ? `${lineOf(parent)} > ${name}` : name;
}

function linesIn({ children = [] }: Block): string[] {
	return children.flatMap((child) => (child.type === 'test' ? [lineOf(child)] : linesIn(child)));
}

/**
 * Expects the tests of `sandboxOnly.json` to fail against the second servers, or to send what no contract shows. One that does
 * not has to leave the list, and so has one that no longer exists.
 */
export default class SecondEnvironment extends SimulatedEnvironment {
	handleTestEvent(
		event: TestEvent & { test?: Block & { failing?: boolean } },
		state?: State,
	): void {
		const { name, test } = event;
		if (name === 'run_start' && state) {
			const lines = linesIn(state.rootDescribeBlock);
			for (const one of [...failing, ...outside]) {
				if (lines.some((line) => line.startsWith(one))) continue;
				state.unhandledErrors.push(`sandboxOnly.json names no test: ${one}`);
			}
		}
		if (name === 'test_start' && test) {
			const isIn = (list: string[]) => list.some((one) => lineOf(test).startsWith(one));
			test.failing ||= isIn(failing);
			this.global.holdsInSandboxOnly = isIn(failing);
			this.global.leavesContract = isIn(outside);
		}
		// A test that fails may wait for what never comes.
		if (name === 'test_fn_success' && test?.failing) return;
		super.handleTestEvent(event);
	}
}
