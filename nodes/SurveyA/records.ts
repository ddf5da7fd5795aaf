import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { objectsIn } from '../shared/base/json';
import { momentIn } from '../shared/fields/dates';
import {
	anyFields,
	boolean,
	byLabel,
	fields,
	fullName,
	listOf,
	numberIn,
	numeric,
	optional,
	record,
	string,
	strings,
	unchanged,
} from '../shared/records';
import type { RecordForms } from '../shared/records';
import { npsType } from '../surveys/nps';

/** Contract: Feedback response, `feedbackTopics`. */
export const topicRecord = record({ name: z.string, sentiment: string });

/** Contract: Feedback response (`responses` array items). */
export const feedback: RecordForms = {
	raw: record({
		id: z.string,
		...fields(string, 'customerId', 'email', 'firstName', 'lastName', 'companyName', 'companyId'),
		...fields(string, 'jobTitle', 'country', 'state', 'city'),
		tags: strings,
		customProps: listOf(anyFields),
		...fields(string, 'campaignName', 'campaignId', 'createdDate'),
		score: numeric,
		comment: string,
		checkbox: boolean,
		additionalQuestions: listOf(anyFields),
		feedbackTags: strings,
		feedbackTopics: listOf(anyFields),
		feedbackTagsNew: strings,
		notes: listOf(anyFields),
		...fields(string, 'status', 'assigned', 'ratingCategory'),
		resolved: boolean,
		channel: string,
		metricsType: string,
		isBogus: boolean,
	}),
	simplified: {
		...unchanged('id', 'createdDate', 'email'),
		name: ({ firstName, lastName }) => fullName(firstName, lastName),
		...unchanged('companyName', 'score', 'metricsType', 'comment', 'campaignName'),
		answers: (response) => byLabel(answersIn(response)),
	},
	answers: (response) => [...answersIn(response), ...customProperties(response)],
	answerFields: ['additionalQuestions', 'customProps', 'answers'],
};

function answersIn({ additionalQuestions }: IDataObject): Array<[string, unknown]> {
	return objectsIn(additionalQuestions).map(({ questionText, type, answer }) => [
		String(questionText || type || 'Question'),
		answer,
	]);
}

function customProperties({ customProps }: IDataObject): Array<[string, unknown]> {
	return objectsIn(customProps).map(({ name, label, value }) => [
		`${String(name || label || 'Property')} (property)`,
		value,
	]);
}

/** Some servers write the score as text. */
export function scoreOf(score: unknown): number | undefined {
	const value = numberIn(score);
	return typeof value === 'number' ? value : undefined;
}

/** Only an NPS score has a type. */
export function scoreTypeOf({ metricsType, score }: IDataObject): string | undefined {
	return String(metricsType).toLowerCase() === 'nps' ? npsType(scoreOf(score)) : undefined;
}

/** Contract: Outbox survey record (`surveys` array items). `personTags` is an array on some servers. */
export const sentSurvey: RecordForms = {
	raw: record({
		...fields(string, 'email', 'firstName', 'lastName', 'companyName', 'companyId', 'customerId'),
		personTags: z.unknown,
		...fields(string, 'sentDate', 'channel', 'campaign', 'campaignId', 'surveyTemplateId'),
		...fields(string, 'subject', 'sentBy', 'status'),
		detailedStatus: optional(fields(boolean, 'isOptedOut', 'isBounced')),
		additionalRecipients: listOf(anyFields),
		emailProviderMessageId: string,
	}),
	simplified: {
		...unchanged('email', 'companyName', 'customerId', 'sentDate', 'campaign', 'campaignId'),
		...unchanged('channel', 'status'),
		isOptedOut: 'detailedStatus.isOptedOut',
		isBounced: 'detailedStatus.isBounced',
	},
};

/** A sent survey has no ID, and its status changes. Its customer's ID may come later. */
export function surveyKey(survey: IDataObject): unknown[] {
	const { email, campaignId, surveyTemplateId, channel, sentDate } = survey;
	return [email, campaignId, surveyTemplateId, channel, momentIn(sentDate) ?? sentDate];
}

/**
 * Contract: Report (items of `data` in GET reports), with those fields of its objects that the simplified form takes. The
 * simplified counts are those of the newest day. `score` holds the delivery channel in the contract's example.
 */
export const report: RecordForms = {
	raw: record({
		campaignId: z.string,
		trend: listOf(anyFields),
		last: optional(fields(numeric, 'promoters', 'passives', 'detractors', 'total', 'score')),
		deliveryStats: optional({ responded: numeric }),
		questionsStats: listOf(anyFields),
		name: string,
		isActive: boolean,
		metric: string,
		type: string,
		score: string,
	}),
	simplified: {
		...unchanged('campaignId', 'name', 'metric', 'isActive'),
		latestScore: 'last.score',
		promoters: 'last.promoters',
		passives: 'last.passives',
		detractors: 'last.detractors',
		total: 'last.total',
		responded: 'deliveryStats.responded',
	},
};
