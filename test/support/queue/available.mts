import { programs, type Programs } from '../../../host/queue/programs.mts';
import { sayPastJest } from '../sayPastJest.mts';

/**
 * Finds PostgreSQL and Redis. Prints the reason if they are unavailable.
 *
 * @returns the programs, or the reason why they are unavailable
 */
export function available(): { found?: Programs; why: string } {
	const found = programs(sayPastJest);
	if (!('missing' in found)) return { found, why: '' };
	sayPastJest(`PostgreSQL and Redis are not tested here: ${found.missing}.`);
	return { why: found.missing };
}
