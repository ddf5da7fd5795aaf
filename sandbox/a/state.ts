import type {
	Campaign,
	Company,
	Customer,
	Feedback,
	StoredSurvey,
	Template,
	Topic,
} from './records';
import { Clock } from '../core/clock';
import type { SettingsA } from './settings';

/** A survey that was sent. A survey sent twice has two records. */
export interface Sent {
	campaign: string;
	email: string;
	at: number;
	answer?: { score: number; comment: string };
}

/** The records of service A, and a log of every effect of a request. */
export interface StateA {
	clock: Clock;
	lastId: number;
	/** Counts of the numbered seeds. */
	seeded: { customers: number; companies: number };
	/** By lowercase email. */
	customers: Map<string, Customer>;
	companies: Company[];
	feedback: Feedback[];
	outbox: StoredSurvey[];
	templates: Template[];
	campaigns: Campaign[];
	/** Lowercase emails that are unsubscribed. */
	optedOut: Set<string>;
	sent: Sent[];
	upserted: Array<{ email: string; at: number }>;
	unsubscribed: Array<{ email: string; message?: string; at: number }>;
	deleted: Array<{ email: string; at: number }>;
	tagged: Array<{ id: string; tags: string[]; op: string; at: number }>;
	topicked: Array<{ id: string; topics: Topic[]; op: string; at: number }>;
}

export interface ContextA {
	state: StateA;
	settings: SettingsA;
}

export function emptyState(seedFrom?: Date): StateA {
	return {
		clock: new Clock(seedFrom),
		lastId: 0,
		seeded: { customers: 0, companies: 0 },
		customers: new Map(),
		companies: [],
		feedback: [],
		outbox: [],
		templates: [],
		campaigns: [],
		optedOut: new Set(),
		sent: [],
		upserted: [],
		unsubscribed: [],
		deleted: [],
		tagged: [],
		topicked: [],
	};
}

/** Returns a new ID of 24 hexadecimal characters. */
export function nextId(state: StateA): string {
	state.lastId++;
	return `64a0${state.lastId.toString(16).padStart(20, '0')}`;
}

export const findCampaign = (state: StateA, id: string) =>
	state.campaigns.find((campaign) => campaign.id === id);

export const findCustomer = (state: StateA, email: string) =>
	state.customers.get(email.toLowerCase());
