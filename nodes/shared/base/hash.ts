import { createHash } from 'crypto';

/** Returns the hash of a text: stored in place of a secret, or compared in place of long data. */
export function sha256(text: string): string {
	return createHash('sha256').update(text).digest('hex');
}
