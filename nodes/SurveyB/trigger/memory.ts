import type { Registration } from './registration';
import { Repeats } from './repeats';

/** What this process knows of one node's slot. */
export interface Memory {
	registration?: Registration;
	/** The webhook URL that n8n asked about last. */
	url?: string;
	/** Subscriptions that are being made: they may deliver before their IDs are known. */
	making?: { token: string; events: string[] };
	readonly repeats: Repeats;
	/** Ends with the last piece of work begun on the registration. */
	lastTurn: Promise<unknown>;
}

const memories = new Map<string, Memory>();

/** What the process knows under this key: the same memory each time. */
export function memoryOf(key: string): Memory {
	const memory = memories.get(key) ?? { repeats: new Repeats(), lastTurn: Promise.resolve() };
	memories.set(key, memory);
	return memory;
}
