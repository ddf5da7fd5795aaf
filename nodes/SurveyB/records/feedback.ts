import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { isObject, rowsOf, wholeNumber } from '../../shared/http/json';
import { anyFields, listOf, numeric, optional, record, string } from '../../shared/records';
import { unchanged } from '../../shared/recordForms';
import type { RecordForms } from '../../shared/recordForms';
import { feedbackContactRecord } from './contact';
import { tagRecord } from './tag';

/** Contract: Feedback, with Campaign (embedded) and Survey (embedded); `survey.id` is absent in some payloads. */
export const feedbackRecord = record({
	id: z.number,
	href: string,
	followup_href: string,
	contact: () => feedbackContactRecord().nullish(),
	campaign: optional({ id: z.number, name: string, launch_date: string, status: string }),
	score: numeric,
	created: string,
	score_changed: string,
	score_type: string,
	comment: string,
	comment_created: string,
	comment_modified: string,
	tags: listOf(tagRecord),
	survey: optional({ id: numeric, attributes: anyFields, sent_date: string }),
	status: string,
	status_changed: string,
});

/** Repairs the type of the score, which older responses write as text. Names stay the service's own. */
export function feedbackFromResponse(response: IDataObject): IDataObject {
	const score = wholeNumber(response.score);
	return score === undefined ? response : { ...response, score };
}

/** The response to a status change calls `created` `score_created`. */
export const feedback: RecordForms = {
	raw: feedbackRecord,
	simplified: {
		id: 'id',
		created: {
			from: 'created',
			schema: string,
			value: ({ created, score_created }) => created ?? score_created,
		},
		...unchanged('score', 'score_type', 'comment', 'status'),
		email: 'contact.email',
		campaign_name: 'campaign.name',
		tags: {
			from: 'tags',
			schema: string,
			value: ({ tags }) => (rowsOf(tags) ?? []).map(({ name }) => name).join(', '),
		},
		attributes: {
			from: 'contact',
			schema: anyFields,
			value: (response) => Object.fromEntries(attributesIn(response)),
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
