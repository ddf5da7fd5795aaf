import type { Campaign, CommonReply, Contact, ContactList, Feedback, Webhook } from './records';
import { Clock } from '../core/clock';
import type { SettingsB } from './settings';

/** A campaign and whether it can send surveys. */
export interface CampaignOfB {
	record: Campaign;
	/** The organization may access it. */
	permitted: boolean;
	listId: number | null;
}

/** A survey that was sent. */
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

/** The records of service B, and a log of every effect of a request. */
export interface StateB {
	clock: Clock;
	lastId: number;
	/** Counts of the numbered seeds. */
	seeded: { contacts: number; feedback: number };
	organization: string;
	/** Emails of the members, who may reply and forward. */
	members: string[];
	/** By lowercase email. */
	contacts: Map<string, Contact>;
	lists: ContactList[];
	/** List IDs by contact ID. */
	memberships: Map<number, Set<number>>;
	campaigns: CampaignOfB[];
	surveys: SurveyOfB[];
	/** Time of the last survey (ms) by lowercase email. */
	lastSurveyed: Map<string, number>;
	feedback: Feedback[];
	/** REPLIED and FORWARDED, by feedback ID. */
	followups: Map<number, Set<string>>;
	/** IDs of feedback marked as complete. */
	complete: Set<number>;
	commonReplies: CommonReply[];
	hooks: Webhook[];
	/** Paths of removed records; they respond with 410. */
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

export interface ContextB {
	state: StateB;
	settings: SettingsB;
	/** Returns the origin of the service. */
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

export function nextId(state: StateB): number {
	state.lastId++;
	return state.lastId;
}

export const findContact = (state: StateB, email: string) =>
	state.contacts.get(email.toLowerCase());

export const findCampaign = (state: StateB, id: number) =>
	state.campaigns.find(({ record }) => record.id === id);

/** Stores that a feedback was followed up. */
export function followUp(state: StateB, id: number, type: 'REPLIED' | 'FORWARDED'): void {
	state.followups.set(id, new Set([...(state.followups.get(id) ?? []), type]));
}
