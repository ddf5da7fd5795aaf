/** Registers a test of many rows or bytes. `npm run test:fast` leaves it out. */
export function testLarge(title: string, run: () => Promise<void>): void {
	if (process.env.SURVEYS_SUITE !== 'fast') test(title, run);
}
