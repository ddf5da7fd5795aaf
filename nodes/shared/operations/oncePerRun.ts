import type { Run } from './run';

/** Reads once a run what many of its rows ask for. */
export function oncePerRun<Value>(
	read: (run: Run) => Promise<Value>,
): (run: Run) => Promise<Value> {
	const ofRuns = new WeakMap<Run, Promise<Value>>();
	return async (run) => {
		const pending = ofRuns.get(run) ?? read(run);
		ofRuns.set(run, pending);
		return await pending;
	};
}
