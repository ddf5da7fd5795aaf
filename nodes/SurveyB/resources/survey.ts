import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../../shared/base/failure';
import { isObject, objectThat } from '../../shared/base/json';
import { wordKey } from '../../shared/base/text';
import { post } from '../../shared/http/request';
import { differs, notSaved, unconfirmed } from '../../shared/http/response';
import type { Resource } from '../../shared/operations/operation';
import { write } from '../../shared/operations/write';
import { anyFields, numeric, optional, record, string, strings } from '../../shared/records';
import { surveyColumns, withSkipped } from '../parameters/contactColumns';
import { MAP_IT } from '../../surveys/people';
import { isRefusalText, sendRules, skippedFields } from '../../surveys/send';
import type { RefusalTexts } from '../../surveys/send';
import { basic, numericId } from '../parameters/common';
import { otherEmail } from '../responses';
import { surveyB } from '../service';

/** The contract shows only `SENT`, and not what else may be on its way. */
const ON_ITS_WAY = [
	...['sent', 'sending', 'queued', 'enqueued', 'scheduled', 'pending', 'waiting', 'processing'],
	...['inprogress', 'created', 'accepted', 'submitted', 'delivered', 'ok'],
];

const isOnItsWay = (status: unknown) => ON_ITS_WAY.includes(wordKey(status));

/** Older responses have neither `campaign_id` nor `status`. */
const sentSurvey = objectThat(({ contact, status }) => isObject(contact) || isOnItsWay(status));

/** The contract's messages about contacts that cannot be surveyed (Errors). */
const REFUSALS: RefusalTexts = {
	unsubscribed: {
		texts: ['unsubscribed'],
		hint: "Remove the row, or set 'Options → Contacts That Cannot Be Surveyed' to Skip",
	},
	notEligible: {
		texts: ['not eligible for survey'],
		hint: 'A contact can be surveyed once in 24 hours, or less often if the campaign or account throttle says so. Try again later',
	},
};

function otherStatus({ status, ...others }: IDataObject): Failure | undefined {
	// A refusal may stand beside the contact, as may a campaign called `Unsubscribed customers`.
	const texts = Object.values(others).flat();
	const message = texts.find((text) => isRefusalText(text, REFUSALS));
	if (message !== undefined) return unconfirmed(surveyB, { message });
	if (status === undefined || isOnItsWay(status)) return undefined;
	return differs('Status', 'SENT', status);
}

export const surveyResource: Resource = {
	/** `POST /api/v2/survey/`: one contact a request, whose attributes are updated. */
	send: write({
		action: 'Send survey',
		description: 'Send a survey; status is SENT, or skipped with a reason',
		details: `Creates or updates the contact, and sends an email, at most once in 24 hours, which cannot be undone. The campaign must be an API integration in Survey B. A second row of a person and campaign in this run is skipped, as is anyone of whom a row says: opted out, did not agree. ${MAP_IT}`,
		...sendRules(
			REFUSALS,
			'The contact was surveyed in the last 24 hours, perhaps by the request whose response was lost',
		),
		fields: { campaignId: basic.sendableCampaign, columns: surveyColumns },
		outputSchema: record({
			email: string,
			campaign_id: numeric,
			status: string,
			contact: optional({
				email: string,
				first_name: string,
				last_name: string,
				attributes: anyFields,
			}),
			attributes: anyFields,
			skippedAttributes: strings,
			...skippedFields,
		}),

		group: ({ campaignId }) => campaignId,
		skippedItem: ({ columns, campaignId }) => ({
			email: columns.email,
			campaign_id: numericId(campaignId),
		}),
		// A contact is surveyed at most once in 24 hours (contract: Limits), so the request may be repeated.
		request: ({ campaignId, columns: { surveyAttributes, contact } }) =>
			post('idempotent', '/api/v2/survey/', {
				campaign_id: numericId(campaignId),
				contact,
				attributes: surveyAttributes,
			}),
		readBody: sentSurvey,
		output({ campaign_id, ...response }, { campaignId, columns: { email, skippedAttributes } }) {
			const id = numericId(String(campaign_id ?? campaignId));
			return (
				otherEmail(email, response.contact) ??
				notSaved('Campaign', campaignId, campaign_id) ??
				otherStatus(response) ??
				withSkipped({ email, campaign_id: id, ...response }, skippedAttributes)
			);
		},
	}),
};
