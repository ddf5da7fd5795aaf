import type { Resources } from '../shared/node';
import { getAll as getCampaigns } from './resources/campaign/getAll';
import { getAllLegacy as getCampaignsLegacy } from './resources/campaign/getAllLegacy';
import { get as getCompany } from './resources/company/get';
import { getAll as getCompanies } from './resources/company/getAll';
import { deleteCustomers } from './resources/customer/delete';
import { get as getCustomer } from './resources/customer/get';
import { getAll as getCustomers } from './resources/customer/getAll';
import { unsubscribe } from './resources/customer/unsubscribe';
import { upsert } from './resources/customer/upsert';
import { get as getFeedback } from './resources/feedback/get';
import { getAll as getManyFeedback } from './resources/feedback/getAll';
import { getAllLegacy as getFeedbackLegacy } from './resources/feedback/getAllLegacy';
import { setTags } from './resources/feedback/setTags';
import { setTagsLegacy } from './resources/feedback/setTagsLegacy';
import { setTopics } from './resources/feedback/setTopics';
import { getAll as getOutbox } from './resources/outbox/getAll';
import { get as getReport } from './resources/report/get';
import { getAll as getReports } from './resources/report/getAll';
import { get as getScore } from './resources/score/get';
import { send } from './resources/survey/send';
import { sendAudienceLegacy } from './resources/survey/sendAudienceLegacy';
import { sendLegacy } from './resources/survey/sendLegacy';
import { getAll as getTemplates } from './resources/template/getAll';
import { getAllLegacy as getTemplatesLegacy } from './resources/template/getAllLegacy';

/** All operations of Survey A, in the order in which people need them. */
export const resources: Resources = {
	survey: { name: 'Survey', operations: { send, sendAudienceLegacy, sendLegacy } },
	customer: {
		name: 'Customer',
		operations: {
			upsert,
			get: getCustomer,
			getAll: getCustomers,
			unsubscribe,
			delete: deleteCustomers,
		},
	},
	feedback: {
		name: 'Feedback',
		operations: {
			getAll: getManyFeedback,
			get: getFeedback,
			setTags,
			setTopics,
			getAllLegacy: getFeedbackLegacy,
			setTagsLegacy,
		},
	},
	campaign: {
		name: 'Campaign',
		operations: { getAll: getCampaigns, getAllLegacy: getCampaignsLegacy },
	},
	company: { name: 'Company', operations: { getAll: getCompanies, get: getCompany } },
	outbox: { name: 'Outbox', operations: { getAll: getOutbox } },
	report: { name: 'Report', operations: { getAll: getReports, get: getReport } },
	score: { name: 'Score', operations: { get: getScore } },
	template: {
		name: 'Template',
		operations: { getAll: getTemplates, getAllLegacy: getTemplatesLegacy },
	},
};
