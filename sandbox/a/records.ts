import { scoreType } from '../core/rating';

/**
 * The records of service A, from the contract's "Resources and their fields". The nodes do not share these types, so
 * that a mistake in the nodes fails a test.
 */
export type PropertyValue = string | number | boolean | Array<string | number | boolean>;

export interface Property {
	label: string;
	/** Machine name, derived from the label. */
	name: string;
	type: string;
	value: PropertyValue;
}

/** The customer in each record. */
interface Person {
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

interface Topic {
	name: string;
	sentiment: string;
}

interface AdditionalQuestion {
	type: string;
	questionText: string;
	metricsType?: string;
	answer: string | number;
}

interface Note {
	author: string;
	content: string;
	metricsType: string;
	date: string;
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

/** Returns the customer as feedback and outbox records contain it. */
function personOf(customer: Customer): Person {
	const { email, firstName, lastName, companyName, companyId } = customer;
	return { email, firstName, lastName, companyName, companyId };
}

/** Creates the feedback of a customer to a campaign. */
export function feedbackRecord(
	customer: Customer,
	campaign: Campaign,
	answer: { id: string; createdDate: string; score: number; comment: string },
) {
	const open: {
		jobTitle: string | null;
		assigned: string | null;
		additionalQuestions: AdditionalQuestion[];
		feedbackTopics: Topic[];
		notes: Note[];
	} = { jobTitle: null, assigned: null, additionalQuestions: [], feedbackTopics: [], notes: [] };
	const noTags: string[] = [];
	return {
		...open,
		id: answer.id,
		customerId: customer.id,
		...personOf(customer),
		country: 'Germany',
		state: '',
		city: 'Berlin',
		tags: customer.tags,
		customProps: customer.properties.map(({ name, type, value }) => ({ name, type, value })),
		campaignName: campaign.name,
		campaignId: campaign.id,
		createdDate: answer.createdDate,
		score: answer.score,
		comment: answer.comment,
		checkbox: false,
		feedbackTags: noTags,
		feedbackTagsNew: noTags,
		status: 'new',
		ratingCategory: scoreType(answer.score),
		resolved: false,
		channel: campaign.channel,
		metricsType: campaign.metric,
		isBogus: false,
	};
}

export type Feedback = ReturnType<typeof feedbackRecord>;

/** Creates the outbox record of a survey. */
export function outboxRecord(
	customer: Customer,
	campaign: Campaign,
	sentDate: string,
	sentBy: string,
) {
	return {
		...personOf(customer),
		customerId: customer.id,
		personTags: customer.tags.join(','),
		sentDate,
		channel: campaign.channel,
		campaign: campaign.name,
		campaignId: campaign.id,
		surveyTemplateId: campaign.templateId,
		subject: 'How likely are you to recommend us?',
		sentBy,
		status: 'SENT',
		detailedStatus: {
			isOpened: false,
			openedDate: '',
			isResponded: false,
			respondedDate: '',
			hasFeedback: false,
			isOptedOut: false,
			isBounced: false,
		},
	};
}

/** Marks an outbox record as responded. */
export function markResponded(survey: OutboxSurvey, at: string, hasFeedback: boolean): void {
	survey.status = 'RESPONDED';
	survey.detailedStatus = {
		...survey.detailedStatus,
		isOpened: true,
		openedDate: at,
		isResponded: true,
		respondedDate: at,
		hasFeedback,
	};
}

export type OutboxSurvey = ReturnType<typeof outboxRecord>;

/** An outbox record and its creation date, which lists are sorted by and do not contain. Default: `sentDate`. */
export interface StoredSurvey extends OutboxSurvey {
	surveyCreatedDate?: string;
}
