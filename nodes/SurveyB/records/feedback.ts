import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { isObject, rowsOf, wholeNumber } from '../../shared/http/json';
import type { RecordForms } from '../../shared/recordForms';
import { feedbackContactRecord } from './contact';
import { surveyRecord } from './survey';
import { campaignRecord } from './campaign';
import { tagRecord } from './tag';
import { attributes, number, text } from './scalars';

/** Contract: Feedback. */
export const feedbackRecord = () =>
	z.looseObject({
		id: z.number(),
		href: text(),
		followup_href: text(),
		contact: feedbackContactRecord().nullish(),
		campaign: campaignRecord().nullish(),
		score: number(),
		created: text(),
		score_changed: text(),
		score_type: text(),
		comment: text(),
		comment_created: text(),
		comment_modified: text(),
		tags: z.array(tagRecord()).nullish(),
		survey: surveyRecord().nullish(),
		status: text(),
		status_changed: text(),
	});

/** Repairs the type of the score, which older responses write as text. Names stay the service's own. */
export function feedbackFromAnswer(response: IDataObject): IDataObject {
	const score = wholeNumber(response.score);
	return score === undefined ? response : { ...response, score };
}

/** A feedback response in its forms. The response to a status change calls `created` `score_created`. */
export const feedback: RecordForms = {
	raw: feedbackRecord,
	rawFields: [
		'id',
		'href',
		'followup_href',
		'contact',
		'campaign',
		'score',
		'created',
		'score_changed',
		'score_type',
		'comment',
		'comment_created',
		'comment_modified',
		'tags',
		'survey',
		'status',
		'status_changed',
	],
	simplified: {
		id: 'id',
		created: {
			from: 'created',
			schema: text,
			value: ({ created, score_created }) => created ?? score_created,
		},
		score: 'score',
		score_type: 'score_type',
		comment: 'comment',
		status: 'status',
		email: 'contact.email',
		campaign_name: 'campaign.name',
		tags: {
			from: 'tags',
			schema: () => z.string(),
			value: ({ tags }) => (rowsOf(tags) ?? []).map(({ name }) => name).join(', '),
		},
		attributes: {
			from: 'contact',
			schema: attributes,
			value: (record) => Object.fromEntries(attributesIn(record)),
		},
	},
	answers: attributesIn,
	answerFields: ['attributes'],
};

/** Returns the attributes of the contact and of the survey; those of the survey win. */
function attributesIn({ contact, survey }: IDataObject): Array<[string, unknown]> {
	const inside = (owner: unknown) =>
		isObject(owner) && isObject(owner.attributes) ? owner.attributes : {};
	return Object.entries({ ...inside(contact), ...inside(survey) });
}
