import { Duplicates } from './duplicates';
import type { Registration } from './records';

/** What deliveries may show of the trigger: a token that nobody knows, the wrong account. */
export type Finding = 'stranger' | 'account';

/** What this process knows of one node's slot. */
export interface ProcessState {
	registration?: Registration;
	/** The webhook URL that n8n asked about last. */
	url?: string;
	/** Subscriptions that are being made: they may deliver before their IDs are known. */
	making?: { tokenHash: string; events: string[] };
	readonly duplicates: Duplicates;
	/** When the duplicates were last written into the workflow's static data, in ms since 1970. */
	duplicatesSavedAt: number;
	/** When the log was last told of something that deliveries show again and again, in ms since 1970. */
	readonly loggedAt: Map<Finding, number>;
	/** Ends with the last piece of work begun on the registration. */
	lastWork: Promise<unknown>;
}

/** More nodes than this are not remembered at a time; those not asked about longest are forgotten. */
const MOST_STATES = 5000;

const states = new Map<string, ProcessState>();

/** What the process knows under this key: the same state each time. */
export function processStateOf(key: string): ProcessState {
	const state = states.get(key) ?? {
		duplicates: new Duplicates(),
		duplicatesSavedAt: 0,
		loggedAt: new Map<Finding, number>(),
		lastWork: Promise.resolve(),
	};
	states.delete(key);
	states.set(key, state);
	const [oldest] = states.keys();
	if (states.size > MOST_STATES && oldest !== undefined) states.delete(oldest);
	return state;
}
