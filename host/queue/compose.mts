import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';

interface ComposeFile {
	'x-n8n': { environment: Record<string, string> };
	configs: Record<string, { content: string }>;
}

/** What has to be its own in each place: addresses and keys. */
const OWN = /^(DB_|QUEUE_BULL_)/;

/**
 * What `compose.yaml` sets n8n to and does to its database, so that what is tested is what users start.
 *
 * @param root the folder of this repository
 */
export function composeSettings(root: string): { env: Record<string, string>; sql: string } {
	const file = parse(readFileSync(join(root, 'compose.yaml'), 'utf8'), {
		merge: true,
	}) as ComposeFile;
	const entries = Object.entries(file['x-n8n'].environment);
	const env = entries.filter(([name, value]) => !OWN.test(name) && !value.includes('${'));
	return { env: Object.fromEntries(env), sql: file.configs['keep-run-data']?.content ?? '' };
}
