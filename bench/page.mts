import { cpus } from 'node:os';
import { join } from 'node:path';

import { replaceBetween } from '../scripts/page.mts';
import { ROOT } from '../scripts/processes.mts';

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

/** Replaces the text between two marks of docs/evidence/performance.md. */
export function put(mark: string, text: string): void {
	const marks: [string, string] = [`<!-- ${mark} -->`, `<!-- /${mark} -->`];
	replaceBetween(join(ROOT, 'docs/evidence/performance.md'), marks, () => text);
}
