import type { Webhook } from './records';
import { ok } from '../core/apiResponse';
import type { Handlers } from '../core/routes';
import { EVENTS } from './events';
import { hookInput, read } from './input';
import { invalid, notFound, refusal } from './refusals';
import type { ContextB } from './state';

export const hooksRoutes: Handlers<ContextB> = {
	'POST /api/v2/hooks': ({ state, settings }, call) => {
		const { event, target } = read(hookInput, call.body);
		if (![...EVENTS, ...settings.extraEvents].includes(event)) {
			throw invalid({ event: [`"${event}" is not a valid choice.`] });
		}
		const equal = state.hooks.find((one) => one.event === event && one.target === target);
		if (equal && settings.equalWebhook === 'existing') return ok(equal);
		if (equal && settings.equalWebhook === 'refused') {
			throw invalid({ target: ['This webhook already exists.'] });
		}
		const hook: Webhook = { id: ++state.lastHookId, event, target };
		state.hooks.push(hook);
		return { status: 201, body: hook };
	},

	/** Assumed: the contract does not show it. */
	'DELETE /api/v2/hooks/{id}': ({ state, settings }, { params }) => {
		if (settings.hookDeletion === 405) throw refusal(405, 'Method Not Allowed');
		const index = state.hooks.findIndex(({ id }) => String(id) === params.id);
		if (settings.hookDeletion === 404 || index < 0) throw notFound();
		state.hooks.splice(index, 1);
		return { status: 204 };
	},
};
