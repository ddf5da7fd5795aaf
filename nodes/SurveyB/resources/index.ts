import type { Resources } from '../../shared/operations/operation';
import { commonReplyResource } from './commonReply';
import { contactResource } from './contact';
import { contactListResource } from './contactList';
import { feedbackResource } from './feedback';
import { metricResource } from './metric';
import { surveyResource } from './survey';
import { webhookResource } from './webhook';

export const descriptions = {
	survey: 'Surveys to send',
	contact: 'Surveyed people',
	feedback: 'Answers to surveys',
	contactList: 'Lists of contacts',
	metric: 'NPS of campaigns',
	commonReply: 'Saved texts for replies',
	webhook: 'URLs to call on events',
};

/** All operations of Survey B, in the order in which people need them. */
export const resources: Resources = {
	survey: surveyResource,
	contact: contactResource,
	feedback: feedbackResource,
	contactList: contactListResource,
	metric: metricResource,
	commonReply: commonReplyResource,
	webhook: webhookResource,
};
