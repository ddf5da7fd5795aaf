import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second in `/proc`, on every Linux that Node runs on. */
const TICKS = 100;

interface Stat {
	parent: number;
	/** Clock ticks of the process and of its children that have ended. */
	ticks: number;
}

/**
 * Returns the processor time in seconds of a process and everything that it started. Works on Linux only.
 *
 * @returns undefined on other systems
 */
export function cpuSeconds(pid: number | undefined): number | undefined {
	if (pid === undefined || process.platform !== 'linux') return undefined;
	const all = new Map<number, Stat>();
	for (const name of readdirSync('/proc')) {
		const stat = /^\d+$/.test(name) ? statOf(name) : undefined;
		if (stat) all.set(Number(name), stat);
	}
	const own = [...all].filter(([one]) => isBelow(one, pid, all));
	return own.reduce((sum, [, { ticks }]) => sum + ticks, 0) / TICKS;
}

function isBelow(one: number, pid: number, all: Map<number, Stat>): boolean {
	if (one === pid) return true;
	const parent = all.get(one)?.parent;
	return parent !== undefined && parent > 1 && isBelow(parent, pid, all);
}

function statOf(pid: string): Stat | undefined {
	try {
		const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
		// The second field, in parentheses, may contain spaces. The fields after it begin with the third.
		const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
		const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
		return { parent: Number(fields[1]), ticks };
	} catch {
		// The process has ended.
		return undefined;
	}
}
