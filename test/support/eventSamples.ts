import type { IDataObject } from 'n8n-workflow';

import type { ServiceA, ServiceB } from '../../sandbox';
import { outboxRecord } from '../../sandbox/a/records';
import { findCampaign } from '../../sandbox/a/state';
import { companyNamed, placeCustomer } from '../../sandbox/a/writing';

// One sample of each event, for both triggers. Tests fail until a new event has one.

const NPS = '64a000000000000000000003';

/** Adds a record to Survey A now, and returns it. */
export const SAMPLES_OF_A: Record<string, (service: ServiceA) => object> = {
	'feedback.created': (a) => a.answer({ email: 'ada@acme.example', campaignId: NPS, score: 5 }),
	'customer.created': ({ state }) => placeCustomer(state, { email: 'sample@example.com' }),
	'company.created': ({ state }) => companyNamed(state, 'Sample', state.clock.now()),
	'survey.sent': ({ state }) => {
		const customer = state.customers.get('ada@acme.example');
		const campaign = findCampaign(state, NPS);
		if (!customer || !campaign) throw new RangeError('the seed has no such customer or campaign');
		const survey = outboxRecord(customer, campaign, state.clock.now(), 'autoreply');
		state.outbox.push(survey);
		return survey;
	},
};

const campaign = { id: 101, Name: 'Relationship' };
const renamed = { campaign, before: 'slow', after: 'late' };

/** Returns the data of a delivery of Survey B, as the contract writes it. */
export const SAMPLES_OF_B: Record<string, (service: ServiceB) => IDataObject> = {
	'contact.unsubscribed': ({ state }) => ({ ...[...state.contacts.values()][0] }),
	'feedback.added_or_changed': ({ state }) => ({ ...state.feedback[0] }),
	'feedback.removed': ({ state }) => ({ ...state.feedback[0] }),
	'feedback.status_changed': ({ state }) => ({ ...state.feedback[0], status: 'CLOSED' }),
	'feedback.tags_added_or_changed': ({ state }) => ({ ...state.feedback[0], tags: [] }),
	'metric.score_changed': () => ({ campaign_name: 'Relationship', nps: 45 }),
	'tag.merged': () => renamed,
	'tag.removed': () => ({ campaign, name: 'slow' }),
	'tag.renamed': () => renamed,
};
