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

export interface CampaignMetrics {
	href: string;
	nps: number;
	campaign_name: string;
	promoter_percentage: number;
	passive_percentage: number;
	detractor_percentage: number;
	score_analysis: 'AT RISK' | 'GOOD' | 'EXCELLENT' | 'WORLD CLASS';
	feedback_count: number;
	surveys_delivered_count: number;
	surveys_scheduled_count: number;
	followup_count: number;
	followups_outstanding: number;
	followup_rate_percentage: string | number;
	feedback_rate_percentage: string | number;
	average_revenue_per_customer: number;
	short_term_revenue_at_risk: number;
	long_term_revenue_at_risk: number;
	potential_new_revenue: number;
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

/** The response of POST survey. */
export interface SurveySent {
	contact: Omit<EmbeddedContact, 'id'>;
	campaign_id: number | string;
	status: 'SENT';
	attributes: Attributes;
}

/** The campaign in tag events. */
interface CampaignName {
	id: number;
	Name: string | undefined;
}

/** The data of tag.merged and tag.renamed. */
export interface TagChange {
	campaign: CampaignName;
	before: string;
	after: string;
}

/** The data of tag.removed. */
export interface TagRemoval {
	campaign: CampaignName;
	name: string;
}

/** Feedback in webhooks of the earlier revision. */
export interface EarlierFeedback {
	id: number;
	comment: string | null;
	posted_date: string;
	score: number;
	/** Campaign ID. */
	campaign: number;
	score_type: string;
	contact: EmbeddedContact;
	comment_updated_date: string | null;
}
