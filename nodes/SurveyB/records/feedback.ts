import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { isObject, objectsIn } from '../../shared/base/json';
import {
	anyFields,
	asNumber,
	fields,
	fullName,
	listOf,
	requiredNumber,
	numeric,
	optional,
	record,
	string,
	unchanged,
} from '../../shared/records';
import type { RecordForms } from '../../shared/records';
import { feedbackContactRecord } from './contact';
import { tagRecord } from './tag';

/**
 * Contract: Feedback, with Campaign (embedded) and Survey (embedded); `survey.id` is absent in some payloads. The response to a
 * status change has `score_created` and `score_modified` in place of `created` and `score_changed`.
 */
export const feedback: RecordForms = {
	raw: record({
		id: requiredNumber,
		href: string,
		followup_href: string,
		contact: optional(feedbackContactRecord),
		campaign: optional({ id: requiredNumber, name: string, launch_date: string, status: string }),
		score: asNumber(() => z.number().min(0).max(10).refine(Number.isInteger)),
		...fields(string, 'created', 'score_changed', 'score_created', 'score_modified', 'score_type'),
		...fields(string, 'comment', 'comment_created', 'comment_modified'),
		tags: listOf(tagRecord),
		survey: optional({ id: numeric, attributes: anyFields, sent_date: string }),
		status: string,
		status_changed: string,
	}),
	simplified: {
		id: 'id',
		created: ({ created, score_created }) => created ?? score_created,
		email: 'contact.email',
		name: ({ contact }) =>
			isObject(contact) ? fullName(contact.first_name, contact.last_name) : undefined,
		...unchanged('score', 'score_type', 'comment', 'status'),
		campaign_name: 'campaign.name',
		tags: ({ tags }) =>
			objectsIn(tags)
				.map(({ name }) => name)
				.join(', '),
	},
	answers: ({ contact, survey }) => [
		...Object.entries(attributesOf(contact)),
		...Object.entries(attributesOf(survey)).map(([name, value]): [string, unknown] => [
			`${name} (survey)`,
			value,
		]),
	],
};

function attributesOf(owner: unknown): IDataObject {
	return isObject(owner) && isObject(owner.attributes) ? owner.attributes : {};
}
