import type {
	Campaign,
	Company,
	Customer,
	Feedback,
	OutboxSurvey,
	Template,
	Topic,
} from './records';
import { Clock } from '../core/clock';
import type { SettingsA } from './settings';

/** A survey that went out, once for every time it did. */
export interface Sent {
	campaign: string;
	email: string;
	at: number;
	/** What the customer answered. */
	answer?: { score: number; comment: string };
}

/** Everything service A knows, and a count of everything it did. */
export interface StateA {
	clock: Clock;
	lastId: number;
	/** How many were seeded by number so far. */
	seeded: { customers: number; companies: number };
	/** By address in lower case. */
	customers: Map<string, Customer>;
	companies: Company[];
	feedback: Feedback[];
	outbox: OutboxSurvey[];
	/** When surveys were created that were sent later. The outbox is sorted by it and does not show it. */
	surveyCreatedDates: Map<OutboxSurvey, string>;
	templates: Template[];
	campaigns: Campaign[];
	/** Addresses in lower case that are unsubscribed now. */
	optedOut: Set<string>;
	sent: Sent[];
	upserted: Array<{ email: string; at: number }>;
	unsubscribed: Array<{ email: string; message?: string; at: number }>;
	deleted: Array<{ email: string; at: number }>;
	tagged: Array<{ id: string; tags: string[]; op: string; at: number }>;
	topicked: Array<{ id: string; topics: Topic[]; op: string; at: number }>;
}

/** What the handlers of A work on. */
export interface WorldA {
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
		surveyCreatedDates: new Map(),
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

/** The next identifier: 24 hexadecimal characters. */
export function nextId(state: StateA): string {
	state.lastId++;
	return `64a0${state.lastId.toString(16).padStart(20, '0')}`;
}

export const findCampaign = (state: StateA, id: string) =>
	state.campaigns.find((campaign) => campaign.id === id);

export const findCustomer = (state: StateA, email: string) =>
	state.customers.get(email.toLowerCase());
