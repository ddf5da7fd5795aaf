/**
 * The records of service A as the contract's "Resources and their fields" lists them. They are written from the
 * contract and not shared with the nodes, so that a mistake there shows in the tests. Which fields of a feedback may
 * be null is not shown; those that the seed leaves empty are.
 */
import type { Rating } from '../core/rating';

/** Contract: Property, its value. */
export type PropertyValue = string | number | boolean | Array<string | number>;

/** Contract: Property. */
export interface Property {
	/** The display name. */
	label: string;
	/** The machine name, derived from the label. */
	name: string;
	type: string;
	value: PropertyValue;
}

/** Contract: Customer (in `subscribers` of GET responses). */
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

/** Contract: Endpoints, POST customers, the rows of its answer. */
export interface WrittenCustomer {
	email: string;
	first_name: string;
	last_name: string;
	company: string;
	tags: string[];
	createdDate: string;
	properties: Property[];
}

/** Contract: Endpoints, POST customers/unsubscribe, the rows of its answer. */
export interface UnsubscribedCustomer {
	email: string;
	unsubscribed: true;
}

/** Contract: Endpoints, DELETE customers, the rows of its answer. */
export interface DeletedCustomer {
	email: string;
	deleted: true;
}

/** Contract: Errors, POST survey with invalid addresses, the rows of `data`. */
export interface RefusedCustomer {
	status: 'fail';
	email: string;
	first_name?: string;
	last_name?: string;
	company?: string;
	tags?: string[];
	reason: string;
}

/** Contract: Company. */
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

/** Contract: Feedback response, `feedbackTopics`. */
export interface Topic {
	name: string;
	sentiment: string;
}

/** Contract: Feedback response, `additionalQuestions`. */
export interface AdditionalQuestion {
	type: string;
	questionText: string;
	metricsType?: string;
	answer: string | number;
}

/** Contract: Feedback response, `notes`. */
export interface Note {
	author: string;
	content: string;
	metricsType: string;
	date: string;
}

/** Contract: Feedback response (`responses` array items). */
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

/** Contract: Deprecated response item (GET nps/customers/response). */
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

/** Contract: Outbox survey record, `detailedStatus`. The dates are empty strings where there is none. */
export interface DetailedStatus {
	isOpened: boolean;
	openedDate: string;
	isResponded: boolean;
	respondedDate: string;
	hasFeedback: boolean;
	isOptedOut: boolean;
	isBounced: boolean;
}

/** Contract: Outbox survey record (`surveys` array items). */
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
}

/** Contract: Template, new form. */
export interface Template {
	id: string;
	name: string;
	channel: string;
	metric: string;
}

/** Contract: Campaign, new form. */
export interface Campaign {
	id: string;
	name: string;
	isActive: boolean;
	templateId: string;
	metric: string;
	type: string;
	channel: string;
}

/** Contract: Template and Campaign, deprecated form: `value` is the name. */
export interface LegacyNamed {
	id: string;
	value: string;
}

/** Contract: Report, `trend`. */
export interface TrendDay extends Rating {
	day: string;
	score: number;
}

/** Contract: Report, `questionsStats`, each of `last` and `first`. */
export interface QuestionDay extends Omit<Rating, 'ratingDistribution'> {
	day: string;
	responded: number;
	opened: number;
	skipped: number;
	scoreSum: number;
	score: number;
}

/** Contract: Report, `questionsStats`. */
export interface QuestionStats {
	uuid: string;
	title: string;
	isStarred: boolean;
	position: number;
	isOnMain: boolean;
	metricsType: string;
	stats: { last: QuestionDay; first: QuestionDay };
}

/** Contract: Report, `deliveryStats`. */
export interface DeliveryStats {
	totalCount: number;
	opened: number;
	responded: number;
	optedOut: number;
	isBounced: number;
}

/** Contract: Report (items of `data` in GET reports). */
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

/** Contract: Score summary, beside its headline, which is named after the metric. */
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

/** Contract: Endpoints, POST survey, its answer. */
export interface SurveySent {
	success: true;
	code: 200;
	message: string;
	status: 'queued';
}

/** Contract: Endpoints, POST nps/customers/survey (deprecated), each customer of its answer. */
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
