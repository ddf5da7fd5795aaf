import { createHash } from 'node:crypto';

/** What tells lists of texts apart, their order included: two processes compare 200,000 of them by it. */
export function digestOf(texts: string[]): string {
	return createHash('sha256').update(texts.join('\n')).digest('hex');
}
