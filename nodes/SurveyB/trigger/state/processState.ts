import type { Registration } from './records';
import { Duplicates } from './duplicates';

/** What this process knows of one node's slot. */
export interface ProcessState {
	registration?: Registration;
	/** The webhook URL that n8n asked about last. */
	url?: string;
	/** Subscriptions that are being made: they may deliver before their IDs are known. */
	making?: { token: string; events: string[] };
	readonly duplicates: Duplicates;
	/** Ends with the last piece of work begun on the registration. */
	lastWork: Promise<unknown>;
}

const states = new Map<string, ProcessState>();

/** What the process knows under this key: the same memory each time. */
export function processStateOf(key: string): ProcessState {
	const state = states.get(key) ?? { duplicates: new Duplicates(), lastWork: Promise.resolve() };
	states.set(key, state);
	return state;
}
