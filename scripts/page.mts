import { readFileSync, writeFileSync } from 'node:fs';

/** Formats a Markdown table. */
export function table(head: string[], rows: Array<Array<string | number>>): string {
	return [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

/** Replaces the text between two marks of a file by what `written` returns for the old text. */
export function replaceBetween(
	file: string,
	[begin, end]: [begin: string, end: string],
	written: (old: string) => string,
): void {
	const [before = '', rest = ''] = readFileSync(file, 'utf8').split(begin);
	const [old = '', ...after] = rest.split(end);
	if (after.length === 0) throw new Error(`${file} does not contain ${begin} and ${end}`);
	const text = `${begin}\n\n${written(old)}\n\n${end}${after.join(end)}`;
	writeFileSync(file, `${before}${text}`);
}
