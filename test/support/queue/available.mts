import { programs, type Programs } from '../../../host/queue/programs.mts';

/**
 * PostgreSQL and Redis for the tests of queue mode. Where they are not to be had, it says so where it is read: jest
 * keeps what tests print to itself.
 *
 * @returns why they are not to be had, where that is so
 */
export function available(): { found?: Programs; why: string } {
	const say = (text: string) => process.stderr.write(`${text}\n`);
	const found = programs(say);
	if (!('missing' in found)) return { found, why: '' };
	say(`n8n's queue mode is not tested here: ${found.missing}.`);
	return { why: found.missing };
}
