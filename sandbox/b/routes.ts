import { listRoute, route, type Route } from '../core/routes';
import { createFeedback } from './customerAnswers';
import { createCommonReply, deleteCommonReply, getCommonReplies } from './commonReplies';
import {
	getContact,
	getContacts,
	getLists,
	removeContact,
	unsubscribeContacts,
	upsertContact,
} from './contacts';
import { deleteFeedback, getAllFeedback, getFeedback, updateStatus } from './feedback';
import { addTag, forward, reply } from './followups';
import { createHook, deleteHook } from './hooks';
import { getCampaignMetrics, getMetrics } from './metrics';
import type { ContextB } from './state';
import { sendSurvey } from './surveys';

/** The endpoints of the contract. The first that matches is used. */
export const routes: Array<Route<ContextB>> = [
	route('POST', '/api/v2/survey/', sendSurvey),

	route('POST', '/api/v2/contacts/', upsertContact),
	route('POST', '/api/v2/contacts/unsubscribe/', unsubscribeContacts),
	listRoute('/api/v2/contacts/', getContacts),
	route('GET', '/api/v2/contacts/{id}/', getContact),
	route('POST', '/api/contacts/remove/', removeContact),
	route('POST', '/api/contacts/', upsertContact),
	listRoute('/api/contacts/', getContacts),
	listRoute('/api/lists/', getLists),

	listRoute('/api/v2/feedback/', getAllFeedback),
	route('POST', '/api/v2/feedback/', createFeedback),
	route('GET', '/api/v2/feedback/{id}/', getFeedback),
	route('PUT', '/api/v2/feedback/{id}/', updateStatus),
	route('DELETE', '/api/v2/feedback/{id}/', deleteFeedback),
	route('POST', '/api/v2/feedback/{id}/reply/', reply),
	route('POST', '/api/v2/feedback/{id}/forward/', forward),
	route('POST', '/api/v2/feedback/{id}/tag/', addTag),

	listRoute('/api/v2/metrics/', getMetrics),
	route('GET', '/api/v2/metrics/{id}/', getCampaignMetrics),

	listRoute('/api/v2/replies/', getCommonReplies),
	route('POST', '/api/v2/replies/', createCommonReply),
	route('DELETE', '/api/v2/replies/{id}/', deleteCommonReply),

	route('POST', '/api/v2/hooks', createHook),
	route('DELETE', '/api/v2/hooks/{id}', deleteHook),
];
