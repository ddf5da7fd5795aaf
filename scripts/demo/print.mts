/** Prints a line of the demo. */
export function print(label: string, text: string): void {
	console.log(`${label.padEnd(10)} ${text}`);
}

/** Prints what did not succeed, with the name of what it is about. */
export function printFailure(name: string, error: unknown): void {
	const message = error instanceof Error ? error.message : String(error);
	print('  ✗', `${name}: ${message.split('\n')[0]}`);
}
