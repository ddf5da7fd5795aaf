import { ok, type Answer } from '../core/answer';
import type { Campaign, LegacyNamed, Template } from './records';
import { refusal } from './refusals';
import type { WorldA } from './state';

const named = ({ id, name }: Campaign | Template): LegacyNamed => ({
	id,
	value: name,
});

/** GET /api/v2/campaigns */
export function getCampaigns({ state: { campaigns } }: WorldA): Answer {
	return ok({ code: 200, message: 'OK', campaigns });
}

/** GET /api/v2/nps/campaigns (deprecated): the active transactional campaigns. */
export function getLegacyCampaigns({ state }: WorldA): Answer {
	const found = state.campaigns.filter(
		({ isActive, type }) => isActive && type === 'transactional',
	);
	if (found.length === 0) throw refusal(404, 'No Transactional NPS campaign(s) found.');
	return ok(found.map(named));
}

/** GET /api/v2/templates */
export function getTemplates({ state: { templates } }: WorldA): Answer {
	return ok({ code: 200, message: 'OK', templates });
}

/** GET /api/v2/nps/templates (deprecated) */
export function getLegacyTemplates({ state }: WorldA): Answer {
	return ok(state.templates.map(named));
}
