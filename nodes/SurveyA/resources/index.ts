import type { Resources } from '../../shared/operations/operation';
import { campaignResource } from './campaign';
import { companyResource } from './company';
import { customerResource } from './customer';
import { feedbackResource } from './feedback';
import { outboxResource } from './outbox';
import { reportResource } from './report';
import { scoreResource } from './score';
import { surveyResource } from './survey';
import { templateResource } from './template';

export const descriptions = {
	survey: 'Surveys to send',
	customer: 'Surveyed people',
	feedback: 'Answers to surveys',
	campaign: 'Survey campaigns',
	company: 'Companies of customers',
	outbox: 'Sent surveys',
	report: 'Scores of campaigns',
	score: 'Score of the whole account',
	template: 'Survey templates',
};

/** All operations of Survey A, in the order in which people need them. */
export const resources: Resources = {
	survey: surveyResource,
	customer: customerResource,
	feedback: feedbackResource,
	campaign: campaignResource,
	company: companyResource,
	outbox: outboxResource,
	report: reportResource,
	score: scoreResource,
	template: templateResource,
};
