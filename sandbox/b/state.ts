import type { Campaign, CommonReply, Contact, ContactList, Feedback, Webhook } from './records';
import { Clock } from '../core/clock';
import type { SettingsB } from './settings';

/** A campaign, and what makes the service refuse surveys for it. */
export interface CampaignOfB {
	record: Campaign;
	/** False: the organization has no permission to access it. */
	permitted: boolean;
	/** Null: it has no contact list. */
	listId: number | null;
}

/** A survey that went out and waits for its answer, or has one. */
export interface SurveyOfB {
	id: number;
	email: string;
	campaignId: number;
	attributes: Record<string, unknown>;
	sent_date: string;
	feedbackId?: number;
}

interface Effect {
	feedbackId: number;
	at: number;
}

/** Everything service B knows, and a count of everything it did. */
export interface StateB {
	clock: Clock;
	lastId: number;
	/** How many were seeded by number so far. */
	seeded: { contacts: number; feedback: number };
	organization: string;
	/** Who may reply and forward. */
	members: string[];
	/** By address in lower case. */
	contacts: Map<string, Contact>;
	lists: ContactList[];
	/** The lists of a contact, by its id. */
	memberships: Map<number, Set<number>>;
	campaigns: CampaignOfB[];
	surveys: SurveyOfB[];
	/** When an address in lower case was surveyed last. */
	lastSurveyed: Map<string, number>;
	feedback: Feedback[];
	/** REPLIED and FORWARDED, by feedback id. */
	followups: Map<number, Set<string>>;
	/** Ids of feedback marked complete. */
	complete: Set<number>;
	commonReplies: CommonReply[];
	hooks: Webhook[];
	/** Paths of what was removed: they are answered 410. */
	gone: Set<string>;
	sent: Array<{ campaign: number; email: string; at: number }>;
	upserted: Array<{ email: string; at: number }>;
	unsubscribed: Array<{ email: string; at: number }>;
	removed: Array<{ email: string; at: number }>;
	replies: Array<Effect & { from_user: string; message: string; cc: string[]; bcc: string[] }>;
	forwards: Array<Effect & { from_user: string; to: string }>;
	tags: Array<Effect & { name: string; category: string }>;
	statuses: Array<Effect & { status: string }>;
	created: Effect[];
	deleted: Effect[];
}

/** What the handlers of B work on. */
export interface WorldB {
	state: StateB;
	settings: SettingsB;
	/** The service's own origin. */
	origin: () => string;
	/** Sends an event to its subscriptions. */
	emit: (event: string, data: () => unknown) => void;
}

export function emptyState(seedFrom?: Date): StateB {
	return {
		clock: new Clock(seedFrom),
		lastId: 1000,
		seeded: { contacts: 0, feedback: 0 },
		organization: 'Example Ltd',
		members: ['agent@example.com', 'lead@example.com'],
		contacts: new Map(),
		lists: [],
		memberships: new Map(),
		campaigns: [],
		surveys: [],
		lastSurveyed: new Map(),
		feedback: [],
		followups: new Map(),
		complete: new Set(),
		commonReplies: [],
		hooks: [],
		gone: new Set(),
		sent: [],
		upserted: [],
		unsubscribed: [],
		removed: [],
		replies: [],
		forwards: [],
		tags: [],
		statuses: [],
		created: [],
		deleted: [],
	};
}

/** The next identifier. */
export function nextId(state: StateB): number {
	state.lastId++;
	return state.lastId;
}

export const findContact = (state: StateB, email: string) =>
	state.contacts.get(email.toLowerCase());

export const findCampaign = (state: StateB, id: number) =>
	state.campaigns.find(({ record }) => record.id === id);

/** Notes that a feedback was followed up. */
export function followUp(state: StateB, id: number, type: 'REPLIED' | 'FORWARDED'): void {
	state.followups.set(id, new Set([...(state.followups.get(id) ?? []), type]));
}
