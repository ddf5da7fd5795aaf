import { scoreType } from '../core/rating';

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

export interface ContactList {
	id: number;
	name: string;
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

/** A survey that was sent. */
export interface Survey {
	id: number;
	email: string;
	campaignId: number;
	attributes: Attributes;
	sent_date: string;
	feedbackId?: number;
}

/** Returns a contact as feedback and events embed it. */
export function embeddedContact(contact: Contact) {
	const { attributes, first_name, last_name, id, email } = contact;
	return { attributes, first_name, last_name, id, email };
}

/** Formats a timestamp with microseconds, as feedback has them. */
export const micro = (iso: string): string => iso.replace('Z', '000Z');

/** Creates the feedback of a contact to a survey. */
export function feedbackRecord(
	{ id, url }: { id: number; url: string },
	{ contact, campaign, survey }: { contact: Contact; campaign: Campaign; survey: Survey },
	answer: { score: number; comment?: string | null; at: string },
) {
	const at = micro(answer.at);
	const commented = answer.comment ? at : null;
	const open: { status: 'OPEN' | 'CLOSED'; tags: Tag[] } = { status: 'OPEN', tags: [] };
	return {
		...open,
		id,
		href: `${url}/api/v2/feedback/${id}/`,
		followup_href: `${url}/followup/${id}/`,
		contact: embeddedContact(contact),
		campaign,
		score: answer.score,
		created: at,
		score_changed: at,
		score_type: scoreType(answer.score),
		comment: answer.comment || null,
		comment_created: commented,
		comment_modified: commented,
		survey: { id: survey.id, attributes: survey.attributes, sent_date: survey.sent_date },
		status_changed: at,
	};
}

export type Feedback = ReturnType<typeof feedbackRecord>;
