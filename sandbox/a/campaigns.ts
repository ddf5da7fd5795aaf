import { ok } from '../core/apiResponse';
import type { Campaign, Template } from './records';
import { refusal } from './refusals';
import type { ContextA } from './state';
import type { Handlers } from '../core/routes';

const legacy = ({ id, name }: Campaign | Template) => ({ id, value: name });

export const campaignsRoutes: Handlers<ContextA> = {
	'GET /api/v2/templates': ({ state: { templates } }) =>
		ok({ code: 200, message: 'OK', templates }),

	/** Deprecated. */
	'GET /api/v2/nps/templates': ({ state }) => ok(state.templates.map(legacy)),

	'GET /api/v2/campaigns': ({ state: { campaigns } }) =>
		ok({ code: 200, message: 'OK', campaigns }),

	/** Deprecated: active transactional campaigns. */
	'GET /api/v2/nps/campaigns': ({ state }) => {
		const found = state.campaigns.filter(
			({ isActive, type }) => isActive && type === 'transactional',
		);
		if (found.length === 0) throw refusal(404, 'No Transactional NPS campaign(s) found.');
		return ok(found.map(legacy));
	},
};
