import type {
	Campaign,
	CommonReply,
	Contact,
	ContactList,
	Feedback,
	Survey,
	Webhook,
} from './records';
import { Clock } from '../core/clock';
import { usualB, type SettingsB } from './settings';

/** A campaign and whether it can send surveys. */
export interface CampaignOfB {
	record: Campaign;
	/** The organization may access it. */
	permitted: boolean;
	listId: number | null;
}

interface Reply {
	feedbackId: number;
	from_user: string;
	message: string;
	cc: string[];
	bcc: string[];
	at: number;
}

/** The records of service B, and a log of effects. */
export class StateB {
	readonly clock: Clock;

	lastId = 1000;

	/** Counts of the numbered seeds. */
	seeded = { contacts: 0, feedback: 0 };

	organization = 'Example Ltd';

	/** Emails of the members, who may reply and forward. */
	members = ['agent@example.com', 'lead@example.com'];

	/** By email, as `keyOf` returns it. */
	contacts = new Map<string, Contact>();

	lists: ContactList[] = [];

	/** List IDs by contact ID. */
	memberships = new Map<number, Set<number>>();

	campaigns: CampaignOfB[] = [];

	surveys: Survey[] = [];

	/** Time of the last survey (ms) by email, as `keyOf` returns it. */
	lastSurveyed = new Map<string, number>();

	feedback: Feedback[] = [];

	/** REPLIED and FORWARDED, by feedback ID. */
	followups = new Map<number, Set<string>>();

	/** IDs of feedback marked as complete. */
	complete = new Set<number>();

	commonReplies: CommonReply[] = [];

	hooks: Webhook[] = [];

	/** No reset sets it back: n8n may remove a webhook some time after it. */
	lastHookId = 1000;

	/** Paths of removed records; they respond with 410. */
	gone = new Set<string>();

	sent: Array<{ campaign: number; email: string; at: number }> = [];

	unsubscribed: Array<{ email: string; at: number }> = [];

	replies: Reply[] = [];

	constructor(
		seedFrom?: Date,
		readonly settings: SettingsB = usualB(),
	) {
		this.clock = new Clock(seedFrom);
	}

	/** Returns the form in which the service compares an email. */
	keyOf(email: string): string {
		return this.settings.exactEmails ? email : email.toLowerCase();
	}
}

export interface ContextB {
	state: StateB;
	settings: SettingsB;
	/** The origin of the service. */
	url: string;
	/** Sends an event to its subscriptions. */
	emit: (event: string, data: unknown) => void;
}

export function nextId(state: StateB): number {
	state.lastId++;
	return state.lastId;
}

export const findContact = (state: StateB, email: string) => state.contacts.get(state.keyOf(email));

export const findCampaign = (state: StateB, id: number) =>
	state.campaigns.find(({ record }) => record.id === id);

/** Stores that a feedback was followed up. */
export function followUp(state: StateB, id: number, type: 'REPLIED' | 'FORWARDED'): void {
	state.followups.set(id, new Set([...(state.followups.get(id) ?? []), type]));
}
