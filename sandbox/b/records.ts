/**
 * The records of service B, from the contract's "Resources and their fields". The nodes do not share these types, so
 * that a mistake in the nodes fails a test.
 */

/** Custom key/value pairs of a contact or of a survey. */
export type Attributes = Record<string, unknown>;

export interface Contact {
	id: number;
	/** The primary key. */
	email: string;
	first_name: string;
	last_name: string;
	created_date: string;
	unsubscribed: boolean;
	attributes: Attributes;
}

/** A contact in feedback and in the event contact.unsubscribed. */
export type EmbeddedContact = Pick<
	Contact,
	'attributes' | 'first_name' | 'last_name' | 'id' | 'email'
>;

export interface ContactList {
	id: number;
	name: string;
}

export interface Survey {
	/** Absent in some payloads. */
	id?: number;
	attributes: Attributes;
	sent_date: string;
}

export interface Campaign {
	id: number;
	name: string;
	launch_date: string;
	status: string;
}

export interface Tag {
	name: string;
	category: 'DETRACTOR' | 'PASSIVE' | 'PROMOTER';
}

export interface Feedback {
	id: number;
	/** Absent in the event feedback.added_or_changed. */
	href?: string;
	followup_href: string;
	contact: EmbeddedContact;
	campaign: Campaign;
	score: number;
	/** With microseconds. */
	created: string;
	score_changed: string;
	score_type: 'promoter' | 'passive' | 'detractor';
	comment: string | null;
	comment_created: string | null;
	comment_modified: string | null;
	tags: Tag[];
	survey: Survey;
	status: 'OPEN' | 'CLOSED';
	status_changed: string;
}

export interface CommonReply {
	id: number;
	title: string;
	reply: string;
	category: { id: number; name: string };
}

export interface Webhook {
	id: number;
	event: string;
	target: string;
}
