import { programs, type Programs } from '../../../host/queue/programs.mts';

/**
 * Finds PostgreSQL and Redis for the tests of queue mode. Prints the reason if they are unavailable, past jest, which
 * hides the output of tests.
 *
 * @returns the programs, or the reason why they are unavailable
 */
export function available(): { found?: Programs; why: string } {
	const say = (text: string) => process.stderr.write(`${text}\n`);
	const found = programs(say);
	if (!('missing' in found)) return { found, why: '' };
	say(`n8n's queue mode is not tested here: ${found.missing}.`);
	return { why: found.missing };
}
