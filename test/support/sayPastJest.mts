/** Prints a line although jest hides the output of tests. */
export function sayPastJest(text: string): void {
	process.stderr.write(`${text}\n`);
}
