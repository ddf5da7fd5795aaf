import { table } from './page.mts';
import type { Outcome } from '../test/support/queue/faults.mts';
import type { Twice } from '../test/support/queue/sameMoment.mts';

const thousands = (count: number) => Math.round(count).toLocaleString('en-US');

const lastColumns = (done: string) => [`${done} after the retry`, 'Twice or lost'];

export function deliveryTable(outcomes: Outcome[]): string {
	return table(
		['Fault', 'Deliveries', 'Got a 200', 'Sent again', 'Ran', 'Failed', ...lastColumns('Ran')],
		outcomes.map(({ fault, deliveries: now, retried: then }) => [
			fault,
			thousands(now.sent),
			thousands(now.answered),
			now.again,
			thousands(now.ran),
			now.failed,
			thousands(then.ran),
			now.double + now.lost + then.double + then.lost,
		]),
	);
}

export function sendTable(outcomes: Outcome[]): string {
	const head = ['Fault', 'Rows', 'Got a 200', 'Surveyed', 'Interrupted', 'Failed runs'];
	return table(
		[...head, ...lastColumns('Surveyed')],
		outcomes.map(({ fault, sends: now, retriedSends: then }) => [
			fault,
			`${now.sends} × ${thousands(now.rows / now.sends)}`,
			now.answered,
			thousands(now.ran),
			thousands(now.cutOff),
			now.failed,
			thousands(then.ran),
			now.double + now.lost + then.double + then.lost,
		]),
	);
}

export function twiceTable(ways: Twice[]): string {
	return table(
		['Workflow', 'Changes', 'Ran twice: both to one processor', 'Ran twice: one to each processor'],
		ways.map(({ name, changes, toOne, toBoth }) => [name, changes, toOne, toBoth]),
	);
}

export function placeText(version: string, cores: Array<{ model: string }>): string {
	const day = new Date().toISOString().slice(0, 10);
	const kind = cores[0]?.model.trim() ?? 'unknown';
	return `Run on ${day} with n8n ${version}, everything on one machine with ${cores.length} cores (${kind}).`;
}
