import { HAS_ALL_CASES } from './random.mts';

const testIf =
	(isWanted: boolean) => (title: string, run: () => Promise<void>, timeout?: number) => {
		if (isWanted) test(title, run, timeout);
	};

/** Registers a test of many rows or bytes. `npm run test:fast` leaves it out. */
export const testLarge = testIf(process.env.SURVEYS_SUITE !== 'fast');

/** Registers a test that takes long in a real n8n. It runs only where all random cases do. */
export const testOfAll = testIf(HAS_ALL_CASES);
