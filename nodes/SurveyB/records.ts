import type { IDataObject } from 'n8n-workflow';
import { z } from 'zod/v4';

import { isObject, objectsIn, wholeNumber } from '../shared/base/json';
import {
	anyFields,
	asNumber,
	boolean,
	fields,
	fullName,
	listOf,
	numeric,
	numericOrString,
	optional,
	record,
	requiredNumber,
	string,
	strings,
	unchanged,
} from '../shared/records';
import type { RecordForms } from '../shared/records';

/** Contract: Feedback, `contact`; Events, contact.unsubscribed. */
const feedbackContactRecord = record({
	attributes: anyFields,
	first_name: string,
	last_name: string,
	id: numeric,
	email: string,
});

export const eventContact: RecordForms = {
	raw: feedbackContactRecord,
	simplified: unchanged('id', 'email', 'first_name', 'last_name', 'attributes'),
	answers: (contact) => Object.entries(attributesOf(contact)),
	answerFields: ['attributes'],
};

const contactShape = {
	id: requiredNumber,
	email: z.string,
	...fields(string, 'first_name', 'last_name', 'created_date'),
	unsubscribed: boolean,
	attributes: anyFields,
};

/** Contract: Contact. */
export const contactRecord = record(contactShape);

export const savedContact = record({ ...contactShape, skippedAttributes: strings });

/** Contract: Tag. */
const tagRecord = record({ name: z.string, category: string });

/** These events write the campaign's name as `Name` (contract, section Events). */
const campaign = optional({ id: numeric, name: string, Name: string });

const campaignFields: RecordForms['simplified'] = {
	campaign_id: 'campaign.id',
	campaign_name: ({ campaign }) =>
		isObject(campaign) ? (campaign.name ?? campaign.Name) : campaign,
};

/** Contract: Events, tag.merged and tag.renamed. */
export const tagChange: RecordForms = {
	raw: record({ campaign, before: z.string, after: z.string }),
	simplified: { ...campaignFields, ...unchanged('before', 'after') },
};

/** Contract: Events, tag.removed. */
export const tagRemoval: RecordForms = {
	raw: record({ campaign, name: z.string }),
	simplified: { ...campaignFields, ...unchanged('name') },
};

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

/** Returns the ID of the campaign that metrics are of: in the contract, only the end of their `href` has it. */
export function campaignIdOf({ campaign_id, href }: IDataObject): number | undefined {
	const idInHref = String(href).match(/\/(\d+)\/?$/)?.[1];
	return wholeNumber(campaign_id ?? idInHref);
}

/** Contract: Campaign metrics. Older responses call the campaign's name `campaign`. */
export const metrics: RecordForms = {
	raw: record({
		href: string,
		nps: numeric,
		campaign_name: string,
		...fields(numeric, 'promoter_percentage', 'passive_percentage', 'detractor_percentage'),
		score_analysis: string,
		...fields(numeric, 'feedback_count', 'surveys_delivered_count', 'surveys_scheduled_count'),
		...fields(numeric, 'followup_count', 'followups_outstanding'),
		followup_rate_percentage: numericOrString,
		feedback_rate_percentage: numericOrString,
		...fields(numeric, 'average_revenue_per_customer', 'short_term_revenue_at_risk'),
		...fields(numeric, 'long_term_revenue_at_risk', 'potential_new_revenue'),
	}),
	simplified: {
		href: 'href',
		campaign_name: ({ campaign_name, campaign }) => campaign_name ?? campaign,
		...unchanged('nps', 'score_analysis', 'promoter_percentage', 'passive_percentage'),
		...unchanged('detractor_percentage', 'feedback_count', 'surveys_delivered_count'),
		...unchanged('feedback_rate_percentage'),
	},
};
