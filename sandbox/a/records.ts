/**
 * The records of service A, from the contract's "Resources and their fields". The nodes do not share these types, so
 * that a mistake in the nodes fails a test.
 */
export type PropertyValue = string | number | boolean | Array<string | number>;

export interface Property {
	label: string;
	/** Machine name, derived from the label. */
	name: string;
	type: string;
	value: PropertyValue;
}

/** The customer in each record. */
export interface Person {
	email: string;
	firstName: string;
	lastName: string;
	companyName: string;
	companyId: string;
}

export interface Customer extends Person {
	id: string;
	tags: string[];
	createdDate: string;
	properties: Property[];
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

export interface Feedback extends Person {
	id: string;
	customerId: string;
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

export interface OutboxSurvey extends Person {
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
