/**
 * The records of service A, from the contract's "Resources and their fields". The nodes do not share these types, so
 * that a mistake in the nodes fails a test.
 */
import type { Rating } from '../core/rating';

export type PropertyValue = string | number | boolean | Array<string | number>;

export interface Property {
	label: string;
	/** Machine name, derived from the label. */
	name: string;
	type: string;
	value: PropertyValue;
}

export interface Customer {
	id: string;
	email: string;
	firstName: string;
	lastName: string;
	companyName: string;
	companyId: string;
	tags: string[];
	createdDate: string;
	properties: Property[];
}

/** A row of the response of POST customers. */
export interface WrittenCustomer {
	email: string;
	first_name: string;
	last_name: string;
	company: string;
	tags: string[];
	createdDate: string;
	properties: Property[];
}

/** A row of the response of POST customers/unsubscribe. */
export interface UnsubscribedCustomer {
	email: string;
	unsubscribed: true;
}

/** A row of the response of DELETE customers. */
export interface DeletedCustomer {
	email: string;
	deleted: true;
}

/** A row of the error of POST survey with invalid addresses. */
export interface RefusedCustomer {
	status: 'fail';
	email: string;
	first_name?: string;
	last_name?: string;
	company?: string;
	tags?: string[];
	reason: string;
}

export interface Company {
	id: string;
	createdDate: string;
	domain: string;
	companyName: string;
	industryName: string;
	tags: string[];
	cxMetrics: Record<'NPS' | 'CSAT' | 'CES' | 'STAR', number | null>;
	contactsCount: number;
}

export interface Topic {
	name: string;
	sentiment: string;
}

export interface AdditionalQuestion {
	type: string;
	questionText: string;
	metricsType?: string;
	answer: string | number;
}

export interface Note {
	author: string;
	content: string;
	metricsType: string;
	date: string;
}

export interface Feedback {
	id: string;
	customerId: string;
	email: string;
	firstName: string;
	lastName: string;
	companyName: string;
	companyId: string;
	jobTitle: string | null;
	country: string;
	state: string;
	city: string;
	tags: string[];
	customProps: Array<Omit<Property, 'label'>>;
	campaignName: string;
	campaignId: string;
	createdDate: string;
	score: number;
	comment: string;
	checkbox: boolean;
	additionalQuestions: AdditionalQuestion[];
	feedbackTags: string[];
	feedbackTopics: Topic[];
	feedbackTagsNew: string[];
	notes: Note[];
	status: string;
	assigned: string | null;
	ratingCategory: string;
	resolved: boolean;
	channel: string;
	metricsType: string;
	isBogus: boolean;
}

/** An item of GET nps/customers/response (deprecated). */
export type LegacyFeedback = Pick<
	Feedback,
	| 'email'
	| 'firstName'
	| 'lastName'
	| 'companyName'
	| 'tags'
	| 'createdDate'
	| 'score'
	| 'comment'
	| 'feedbackTags'
>;

/** Dates are empty strings if there is none. */
export interface DetailedStatus {
	isOpened: boolean;
	openedDate: string;
	isResponded: boolean;
	respondedDate: string;
	hasFeedback: boolean;
	isOptedOut: boolean;
	isBounced: boolean;
}

export interface OutboxSurvey {
	email: string;
	firstName: string;
	lastName: string;
	companyName: string;
	companyId: string;
	customerId: string;
	personTags: string;
	sentDate: string;
	channel: string;
	campaign: string;
	campaignId: string;
	surveyTemplateId: string;
	subject: string;
	sentBy: string;
	status: string;
	detailedStatus: DetailedStatus;
	additionalRecipients?: AdditionalRecipient[];
	emailProviderMessageId?: string;
}

export interface AdditionalRecipient {
	email: string;
	type: 'cc' | 'bcc';
	emailProviderMessageId: string;
}

/** An outbox record and its creation date, which lists are sorted by and do not contain. Default: `sentDate`. */
export interface StoredSurvey extends OutboxSurvey {
	surveyCreatedDate?: string;
}

export interface Template {
	id: string;
	name: string;
	channel: string;
	metric: string;
}

export interface Campaign {
	id: string;
	name: string;
	isActive: boolean;
	templateId: string;
	metric: string;
	type: string;
	channel: string;
}

/** The deprecated form of a template or campaign; `value` is the name. */
export interface LegacyNamed {
	id: string;
	value: string;
}

export interface TrendDay extends Rating {
	day: string;
	score: number;
}

interface QuestionDay extends Omit<Rating, 'ratingDistribution'> {
	day: string;
	responded: number;
	opened: number;
	skipped: number;
	scoreSum: number;
	score: number;
}

export interface QuestionStats {
	uuid: string;
	title: string;
	isStarred: boolean;
	position: number;
	isOnMain: boolean;
	metricsType: string;
	stats: { last: QuestionDay; first: QuestionDay };
}

export interface DeliveryStats {
	totalCount: number;
	opened: number;
	responded: number;
	optedOut: number;
	isBounced: number;
}

export interface Report {
	campaignId: string;
	trend: TrendDay[];
	last: Omit<Rating, 'ratingDistribution'> & { score: number };
	deliveryStats: DeliveryStats;
	questionsStats: QuestionStats[];
	name: string;
	isActive: boolean;
	metric: string;
	type: string;
	/** The delivery channel in the contract's example. */
	score: string;
}

/** The score summary without its headline, whose name depends on the metric. */
export interface Score {
	promoters: number;
	passives: number;
	detractors: number;
	promotersCount: number;
	passivesCount: number;
	detractorsCount: number;
	ratingDistribution: Record<string, number>;
	totalResponses: number;
}

/** The response of POST survey. */
export interface SurveySent {
	success: true;
	code: 200;
	message: string;
	status: 'queued';
}

/** A row of the response of POST nps/customers/survey (deprecated). */
export interface LegacySurveySent {
	id?: string;
	email: string;
	first_name?: string;
	last_name?: string;
	company?: string;
	tags?: string[];
	status: string;
	reason: string;
}
