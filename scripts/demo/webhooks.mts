import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { z } from 'zod';

import type { Sandbox } from '../../sandbox/index.ts';
import { atEnd } from '../processes.mts';

/** Much less than n8n takes to publish, so that a power cut after a publish loses no webhook. */
const SAVE_MS = 20;

const webhooksSchema = z.array(z.object({ id: z.number(), event: z.string(), target: z.string() }));

/**
 * Lets Survey B keep its webhooks from start to start, as a real service does: when n8n starts, it takes the webhooks of
 * published workflows for registered.
 */
export function keepWebhooks({ state }: Sandbox['b'], folder: string): void {
	const file = join(folder, 'webhooks.json');
	state.hooks.push(...(existsSync(file) ? readWebhooks(file) : []));
	let saved = '';
	const save = () => {
		const text = JSON.stringify(state.hooks);
		if (text !== saved) writeFileSync(file, text);
		saved = text;
	};
	setInterval(save, SAVE_MS).unref();
	atEnd(save);
}

function readWebhooks(file: string) {
	try {
		return webhooksSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
	} catch {
		return [];
	}
}
