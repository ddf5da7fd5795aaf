import { performance } from 'node:perf_hooks';
import promises from 'node:timers/promises';

import LimitedEnvironment from './limitedEnvironment.mts';

/** Longer than a pause that only lets other work go on. */
const WAIT_MS = 2;

/**
 * Returns how many milliseconds this process had nothing to do. While it works, a timer can be due that nobody waits for, such
 * as the time limit of a request that has ended.
 */
function idleTime(): number {
	return performance.eventLoopUtilization().idle;
}

interface TestEvent {
	name: string;
	test?: { errors: unknown[] };
}

/**
 * Fails a test in which somebody waits for real time: its result would depend on the speed of the machine. Time passes on the
 * clock of `onItsOwnClock` instead. Sockets are real.
 */
export default class SimulatedEnvironment extends LimitedEnvironment {
	private waits = new Set<string>();
	private restore = () => {};

	async setup(): Promise<void> {
		await super.setup();
		// A real n8n takes its time.
		if (!/^test\/(browser|long|n8n)\//.test(this.file)) this.noteWaits();
	}

	private noteWaits(): void {
		const { setTimeout, AbortSignal } = this.global;
		const { timeout } = AbortSignal;
		const { setTimeout: sleep } = promises;
		// A timer that an earlier test left behind makes nobody wait.
		const noted = (milliseconds = 0) => {
			const { waits } = this;
			const begun = idleTime();
			const { stack } = new Error(`A test waited for ${milliseconds} ms of real time.`);
			return () => {
				const isWait = milliseconds >= WAIT_MS && idleTime() - begun > milliseconds / 2;
				if (isWait) waits.add(stack ?? '');
			};
		};
		const noteTimeout = (act: () => void, milliseconds?: number, ...rest: []) => {
			const note = noted(milliseconds);
			const noteAndAct = (...given: []) => {
				note();
				act(...given);
			};
			return setTimeout(noteAndAct, milliseconds, ...rest);
		};
		this.global.setTimeout = Object.assign(noteTimeout, setTimeout);
		promises.setTimeout = async (milliseconds, ...rest) => {
			const note = noted(milliseconds);
			const value = await sleep(milliseconds, ...rest);
			note();
			return value;
		};
		AbortSignal.timeout = (milliseconds) => {
			const signal = timeout.call(AbortSignal, milliseconds);
			signal.addEventListener('abort', noted(milliseconds));
			return signal;
		};
		this.restore = () => {
			promises.setTimeout = sleep;
			AbortSignal.timeout = timeout;
		};
	}

	handleTestEvent({ name, test }: TestEvent): void {
		if (name === 'test_start') this.waits = new Set();
		if (name === 'test_fn_success') test?.errors.push(...this.waits);
	}

	async teardown(): Promise<void> {
		this.restore();
		await super.teardown();
	}
}
