import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { npsType } from '../../shared/nps';
import { rowsOf } from '../../shared/http/json';
import type { RecordForms } from '../../shared/recordForms';
import { flag, number, text, value, words } from './scalars';

/** Contract: Feedback response, `customProps`. */
const customPropRecord = () => z.looseObject({ name: text(), type: text(), value: value() });

/** Contract: Feedback response, `additionalQuestions`. */
const additionalQuestionRecord = () =>
	z.looseObject({
		type: text(),
		questionText: text(),
		metricsType: text(),
		answer: value(),
	});

/** Contract: Feedback response, `feedbackTopics`. */
export const topicRecord = () => z.looseObject({ name: z.string(), sentiment: text() });

/** Contract: Feedback response, `notes`. */
const noteRecord = () =>
	z.looseObject({
		author: text(),
		content: text(),
		metricsType: text(),
		date: text(),
	});

/** Contract: Feedback response (`responses` array items). */
export const feedbackRecord = () =>
	z.looseObject({
		id: z.string(),
		customerId: text(),
		email: text(),
		firstName: text(),
		lastName: text(),
		companyName: text(),
		companyId: text(),
		jobTitle: text(),
		country: text(),
		state: text(),
		city: text(),
		tags: words(),
		customProps: z.array(customPropRecord()).nullish(),
		campaignName: text(),
		campaignId: text(),
		createdDate: text(),
		score: number(),
		comment: text(),
		checkbox: flag(),
		additionalQuestions: z.array(additionalQuestionRecord()).nullish(),
		feedbackTags: words(),
		feedbackTopics: z.array(topicRecord()).nullish(),
		feedbackTagsNew: words(),
		notes: z.array(noteRecord()).nullish(),
		status: text(),
		assigned: text(),
		ratingCategory: text(),
		resolved: flag(),
		channel: text(),
		metricsType: text(),
		isBogus: flag(),
	});

/** Contract: Deprecated response item (GET nps/customers/response). */
export const legacyFeedbackRecord = () =>
	z.looseObject({
		email: text(),
		firstName: text(),
		lastName: text(),
		companyName: text(),
		tags: words(),
		createdDate: text(),
		score: number(),
		comment: text(),
		feedbackTags: words(),
	});

/** A feedback response in its forms. */
export const feedback: RecordForms = {
	raw: feedbackRecord,
	rawFields: [
		'id',
		'customerId',
		'email',
		'firstName',
		'lastName',
		'companyName',
		'companyId',
		'jobTitle',
		'country',
		'state',
		'city',
		'tags',
		'customProps',
		'campaignName',
		'campaignId',
		'createdDate',
		'score',
		'comment',
		'checkbox',
		'additionalQuestions',
		'feedbackTags',
		'feedbackTopics',
		'feedbackTagsNew',
		'notes',
		'status',
		'assigned',
		'ratingCategory',
		'resolved',
		'channel',
		'metricsType',
		'isBogus',
	],
	simplified: {
		id: 'id',
		createdDate: 'createdDate',
		score: 'score',
		metricsType: 'metricsType',
		comment: 'comment',
		email: 'email',
		campaignName: 'campaignName',
		answers: {
			from: 'additionalQuestions',
			schema: () => z.record(z.string(), z.unknown()),
			value: (record) => Object.fromEntries(answersIn(record)),
		},
		properties: {
			from: 'customProps',
			schema: () => z.record(z.string(), z.unknown()),
			value: (record) => Object.fromEntries(propertiesIn(record)),
		},
		topics: {
			from: 'feedbackTopics',
			schema: () => z.string(),
			value: ({ feedbackTopics }) => topicText(rowsOf(feedbackTopics) ?? []),
		},
	},
	answers: (record) => [...answersIn(record), ...propertiesIn(record)],
	answerFields: ['additionalQuestions', 'customProps', 'answers', 'properties'],
};

function answersIn({ additionalQuestions }: IDataObject): Array<[string, unknown]> {
	return (rowsOf(additionalQuestions) ?? []).map(({ questionText, type, answer }) => [
		String(questionText ?? type),
		answer,
	]);
}

function propertiesIn({ customProps }: IDataObject): Array<[string, unknown]> {
	return (rowsOf(customProps) ?? []).map(({ name, value }) => [String(name), value]);
}

/** Returns topics as text: `pricing (negative), support (positive)`. */
function topicText(topics: IDataObject[]): string {
	return topics
		.map(({ name, sentiment }) => (sentiment ? `${String(name)} (${String(sentiment)})` : name))
		.join(', ');
}

/** Returns the score as a number: some servers write it as text. */
export function scoreOf(score: unknown): number | undefined {
	const value = typeof score === 'string' && score.trim() !== '' ? Number(score) : score;
	return typeof value === 'number' && !Number.isNaN(value) ? value : undefined;
}

/** Returns promoter, passive or detractor; only an NPS score has a type. */
export function scoreTypeOf({ metricsType, score }: IDataObject): string | undefined {
	const value = scoreOf(score);
	return String(metricsType).toLowerCase() === 'nps' && value !== undefined
		? npsType(value)
		: undefined;
}
