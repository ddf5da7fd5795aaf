import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { parse } from 'yaml';
import { z } from 'zod';

const fileSchema = z.object({
	'x-n8n': z.object({ environment: z.record(z.string()) }),
	configs: z.record(z.object({ content: z.string() })),
});

/** Variables with addresses and keys, which differ for each installation. */
const OWN = /^(DB_|QUEUE_BULL_)/;

/**
 * Reads the settings of n8n and the SQL of `compose.yaml`, so that the tests run what users run.
 *
 * @param root the folder of this repository
 */
export function composeSettings(root: string): { env: Record<string, string>; sql: string } {
	const text = readFileSync(join(root, 'compose.yaml'), 'utf8');
	const file = fileSchema.parse(parse(text, { merge: true }));
	const entries = Object.entries(file['x-n8n'].environment);
	const env = entries.filter(([name, value]) => !OWN.test(name) && !value.includes('${'));
	return { env: Object.fromEntries(env), sql: file.configs['keep-run-data']?.content ?? '' };
}
