import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

import { ROOT } from '../scripts/processes.mts';

/** Formats a Markdown table. */
export function table(head: string[], lines: string[][]): string {
	return [head, head.map(() => '---'), ...lines]
		.map((line) => `| ${line.join(' | ')} |`)
		.join('\n');
}

/** Describes the machine. */
export function machine(): string {
	return `${cpus().length} × ${cpus()[0]?.model.trim()}, Node ${process.versions.node}`;
}

export function median<Value>(values: Value[], figure: (value: Value) => number): Value {
	const sorted = [...values].sort((one, other) => figure(one) - figure(other));
	const middle = sorted[Math.floor(sorted.length / 2)];
	if (middle === undefined) throw new Error('There are no runs to take the median of');
	return middle;
}

/** Replaces the text between two marks of docs/performance.md. */
export function put(mark: string, text: string): void {
	const file = join(ROOT, 'docs/performance.md');
	const [begin, end] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`];
	const [before, rest] = readFileSync(file, 'utf8').split(begin);
	const after = rest?.split(end)[1];
	if (after === undefined)
		throw new Error(`docs/performance.md does not contain ${begin} and ${end}`);
	writeFileSync(file, `${before}${begin}\n\n${text}\n\n${end}${after}`);
}
