/**
 * The records of service B as the contract's "Resources and their fields" lists them. They are written from the
 * contract and not shared with the nodes, so that a mistake there shows in the tests.
 */

/** Custom key/value pairs of a contact or of a survey. */
export type Attributes = Record<string, unknown>;

/** Contract: Contact. */
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

/** Contract: Feedback, `contact`; Events, contact.unsubscribed. */
export type EmbeddedContact = Pick<
	Contact,
	'attributes' | 'first_name' | 'last_name' | 'id' | 'email'
>;

/** Contract: Contact list. */
export interface ContactList {
	id: number;
	name: string;
}

/** Contract: Survey (embedded in feedback). */
export interface Survey {
	/** Absent in some payloads. */
	id?: number;
	attributes: Attributes;
	sent_date: string;
}

/** Contract: Campaign (embedded). */
export interface Campaign {
	id: number;
	name: string;
	launch_date: string;
	status: string;
}

/** Contract: Tag. */
export interface Tag {
	name: string;
	category: 'DETRACTOR' | 'PASSIVE' | 'PROMOTER';
}

/** Contract: Feedback. */
export interface Feedback {
	id: number;
	/** The URL of the record; the event feedback.added_or_changed comes without it. */
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

/** Contract: Campaign metrics. */
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

/** Contract: Common reply. */
export interface CommonReply {
	id: number;
	title: string;
	reply: string;
	category: { id: number; name: string };
}

/** Contract: Webhook subscription. */
export interface Webhook {
	id: number;
	event: string;
	target: string;
}

/** Contract: Endpoints, POST survey, its answer. */
export interface SurveySent {
	contact: Omit<EmbeddedContact, 'id'>;
	campaign_id: number | string;
	status: 'SENT';
	attributes: Attributes;
}

/** Contract: Events, the campaign in the tag events. */
interface CampaignName {
	id: number;
	Name: string | undefined;
}

/** Contract: Events, tag.merged and tag.renamed. */
export interface TagChange {
	campaign: CampaignName;
	before: string;
	after: string;
}

/** Contract: Events, tag.removed. */
export interface TagRemoval {
	campaign: CampaignName;
	name: string;
}

/** Contract: Events, the feedback `data` of the earlier revision of the webhooks. */
export interface EarlierFeedback {
	id: number;
	comment: string | null;
	posted_date: string;
	score: number;
	/** The campaign's id. */
	campaign: number;
	score_type: string;
	contact: EmbeddedContact;
	comment_updated_date: string | null;
}
