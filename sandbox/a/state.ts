import type { Campaign, Company, Customer, Feedback, StoredSurvey, Template } from './records';
import { Clock } from '../core/clock';
import { usualA, type SettingsA } from './settings';

/** A survey that was sent. A survey sent twice has two records. */
interface Sent {
	campaign: string;
	email: string;
	at: number;
	answer?: { score: number; comment: string };
}

/** The records of service A, and a log of effects. */
export class StateA {
	readonly clock: Clock;

	lastId = 0;

	/** Counts of the numbered seeds. */
	seeded = { customers: 0, companies: 0 };

	/** Pages that were read; some services sort each of them in another way. */
	listsRead = 0;

	/** By email, as `keyOf` returns it. */
	customers = new Map<string, Customer>();

	companies: Company[] = [];

	feedback: Feedback[] = [];

	outbox: StoredSurvey[] = [];

	templates: Template[] = [];

	campaigns: Campaign[] = [];

	/** Emails that are unsubscribed, as `keyOf` returns them. */
	optedOut = new Set<string>();

	sent: Sent[] = [];

	unsubscribed: Array<{ email: string; message?: string; at: number }> = [];

	constructor(
		seedFrom?: Date,
		readonly settings: SettingsA = usualA(),
	) {
		this.clock = new Clock(seedFrom);
	}

	/** Returns the form in which the service compares an email. */
	keyOf(email: string): string {
		return this.settings.exactEmails ? email : email.toLowerCase();
	}
}

export interface ContextA {
	state: StateA;
	settings: SettingsA;
}

/** Returns a new ID of 24 hexadecimal characters. */
export function nextId(state: StateA): string {
	state.lastId++;
	return `64a0${state.lastId.toString(16).padStart(20, '0')}`;
}

export const findCampaign = (state: StateA, id: string) =>
	state.campaigns.find((campaign) => campaign.id === id);

export const findCustomer = (state: StateA, email: string) =>
	state.customers.get(state.keyOf(email));
