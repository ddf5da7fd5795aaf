import { listRoute, route, type Route } from '../core/routes';
import { getCampaigns, getLegacyCampaigns, getLegacyTemplates, getTemplates } from './campaigns';
import { getCompanies, getCompany } from './companies';
import {
	deleteCustomers,
	getCustomer,
	getCustomers,
	unsubscribeCustomers,
	upsertCustomers,
} from './customers';
import {
	getAllFeedback,
	getFeedback,
	getLegacyFeedback,
	setLegacyTags,
	setTags,
	setTopics,
} from './feedback';
import { getReports, getScore } from './reports';
import type { ContextA } from './state';
import { getOutbox, sendLegacySurvey, sendSurvey } from './surveys';

/** The endpoints of the contract. The first that matches is used. */
export const routes: Array<Route<ContextA>> = [
	listRoute('/api/v2/nps/customers', getCustomers),
	listRoute('/api/v2/nps/customers/response', getLegacyFeedback),
	route('GET', '/api/v2/nps/customers/{id}', getCustomer),
	route('POST', '/api/v2/nps/customers', upsertCustomers),
	route('POST', '/api/v2/nps/customers/unsubscribe', unsubscribeCustomers),
	route('DELETE', '/api/v2/nps/customers', deleteCustomers),

	listRoute('/api/v2/companies', getCompanies),
	route('GET', '/api/v2/companies/{company}', getCompany),

	route('GET', '/api/v2/reports/', getReports),
	route('GET', '/api/v2/reports/{id}', getReports),
	route('GET', '/api/v2/{metric}/score', getScore),

	listRoute('/api/v2/feedback', getAllFeedback),
	listRoute('/api/v2/feedback/{id}', getFeedback),
	route('POST', '/api/v2/response/topics', setTopics),
	route('POST', '/api/v2/response/tags', setTags),
	route('POST', '/api/v2/nps/customers/response/tags', setLegacyTags),

	listRoute('/api/v2/nps/outbox', getOutbox),
	route('GET', '/api/v2/templates', getTemplates),
	route('GET', '/api/v2/nps/templates', getLegacyTemplates),
	route('GET', '/api/v2/campaigns', getCampaigns),
	route('GET', '/api/v2/nps/campaigns', getLegacyCampaigns),

	route('POST', '/api/v2/survey', sendSurvey),
	route('POST', '/api/v2/nps/audience/survey', sendSurvey),
	route('POST', '/api/v2/nps/customers/survey', sendLegacySurvey),
];
