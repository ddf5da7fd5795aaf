import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second in `/proc`, on every Linux that Node runs on. */
const TICKS = 100;

/**
 * Returns the processor time in seconds of a process group, with the children that have ended. Works on Linux only.
 *
 * @param group the ID of the process that leads the group
 */
export function cpuSeconds(group: number | undefined): number {
	const stats = readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? statOf(name) : []));
	const own = stats.filter((one) => one.group === group);
	return own.reduce((sum, { ticks }) => sum + ticks, 0) / TICKS;
}

function statOf(pid: string): Array<{ group: number; ticks: number }> {
	try {
		const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
		// The second field, in parentheses, may contain spaces. The fields after it begin with the third.
		const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
		const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
		return [{ group: Number(fields[2]), ticks }];
	} catch {
		// The process has ended.
		return [];
	}
}
