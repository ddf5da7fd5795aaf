import type { Dated, PollingTrigger } from '../../shared/polling/pollingTrigger';
import { passes } from '../../shared/triggers/items';
import { scoreOf, scoreTypeOf } from '../records/feedback';
import { surveyA } from '../service';
import { EVENT_LISTS } from './eventLists';
import { readSettings } from './fields';
import type { Settings } from './fields';

/** Returns whether a record matches the filters. A filter does not apply to events that lack its field. */
function matches({ list, data }: Dated, filters: Settings['filters']): boolean {
	const campaignIds = [data.campaignId];
	if (list.value === 'survey.sent') return passes(filters, { values: { campaignIds } });
	if (list.value !== 'feedback.created') return true;
	const values = { campaignIds, metrics: [data.metricsType] };
	return passes(filters, { score: scoreOf(data.score) ?? null, values });
}

/** Survey A Trigger starts a workflow on records of these lists. Only NPS scores have a score type. */
export const trigger: PollingTrigger<Settings> = {
	service: surveyA,
	lists: EVENT_LISTS,
	read: readSettings,
	matches,
	scoreTypeOf,
};
