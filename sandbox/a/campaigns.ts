import { ok, type ApiResponse } from '../core/apiResponse';
import type { Campaign, LegacyNamed, Template } from './records';
import { refusal } from './refusals';
import type { ContextA } from './state';
import { route, type Route } from '../core/routes';

const legacy = ({ id, name }: Campaign | Template): LegacyNamed => ({ id, value: name });

/** GET /api/v2/campaigns */
function getCampaigns({ state: { campaigns } }: ContextA): ApiResponse {
	return ok({ code: 200, message: 'OK', campaigns });
}

/** GET /api/v2/nps/campaigns (deprecated): active transactional campaigns. */
function getLegacyCampaigns({ state }: ContextA): ApiResponse {
	const found = state.campaigns.filter(
		({ isActive, type }) => isActive && type === 'transactional',
	);
	if (found.length === 0) throw refusal(404, 'No Transactional NPS campaign(s) found.');
	return ok(found.map(legacy));
}

/** GET /api/v2/templates */
function getTemplates({ state: { templates } }: ContextA): ApiResponse {
	return ok({ code: 200, message: 'OK', templates });
}

/** GET /api/v2/nps/templates (deprecated) */
function getLegacyTemplates({ state }: ContextA): ApiResponse {
	return ok(state.templates.map(legacy));
}

export const campaignsRoutes: Array<Route<ContextA>> = [
	route('GET', '/api/v2/templates', getTemplates),
	route('GET', '/api/v2/nps/templates', getLegacyTemplates),
	route('GET', '/api/v2/campaigns', getCampaigns),
	route('GET', '/api/v2/nps/campaigns', getLegacyCampaigns),
];
