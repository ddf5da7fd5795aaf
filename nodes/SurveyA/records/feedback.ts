import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { objectsIn } from '../../shared/base/json';
import {
	anyFields,
	boolean,
	fields,
	listOf,
	numberIn,
	numeric,
	record,
	string,
	strings,
	byLabel,
	fullName,
	unchanged,
} from '../../shared/records';
import type { RecordForms } from '../../shared/records';
import { npsType } from '../../surveys/nps';

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
