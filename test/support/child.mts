import { spawn } from 'node:child_process';

/** Runs a TypeScript file in a process with a limited heap; returns the last line of its output. */
export async function lastLineOf(file: string, heapMb: number, args: string[]): Promise<string> {
	const node = [`--max-old-space-size=${heapMb}`, '--import', 'tsx', file, ...args];
	const child = spawn(process.execPath, node, { stdio: ['ignore', 'pipe', 'inherit'] });
	let printed = '';
	child.stdout.on('data', (chunk: Buffer) => {
		printed += chunk.toString();
	});
	const code = await new Promise((resolve) => child.on('exit', resolve));
	return code === 0 ? (printed.trim().split('\n').at(-1) ?? '') : `ended with ${code}`;
}
