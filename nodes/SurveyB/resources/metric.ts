import { Failure } from '../../shared/base/failure';
import { dateOrder } from '../../shared/fields/common';
import { notSaved } from '../../shared/http/response';
import { get, path } from '../../shared/http/request';
import { recordsIn } from '../../shared/http/service';
import { list } from '../../shared/operations/list';
import type { Resource } from '../../shared/operations/operation';
import { single } from '../../shared/operations/write';
import { ASSUMED, campaignId, metricFilters, postedQuery } from '../parameters/common';
import { metrics } from '../records/metric';
import { surveyB } from '../service';

export const metricResource: Resource = {
	/** `GET /api/v2/metrics/`: the last 30 days when no dates are given. */
	getAll: list({
		action: 'Get many metrics',
		description: 'Get NPS of each campaign',
		details: 'NPS goes from -100 to 100',
		fields: { filters: metricFilters },
		options: { dateOrder },
		record: metrics,

		request: ({ filters }) => get('/api/v2/metrics/', postedQuery(filters)),
		identity: ({ href }) => href,
	}),

	/** `GET /api/v2/metrics/{campaign_id}/`. The contract shows neither path nor response: they are assumed. */
	get: single({
		action: 'Get metrics of campaign',
		description: 'Get NPS and counts of a campaign',
		details: 'NPS goes from -100 to 100',
		notice: ASSUMED,
		fields: { campaignId, filters: metricFilters },
		options: { dateOrder },
		record: metrics,

		request: ({ campaignId, filters }) =>
			get(path`/api/v2/metrics/${campaignId}/`, postedQuery(filters)),
		responseSchema: recordsIn(surveyB, ['nps']),
		output([metric, another], { campaignId }) {
			if (metric && !another) {
				return notSaved('Campaign', campaignId, metric.campaign_id) ?? metric;
			}
			const returned = another ? 'metrics of several campaigns instead of' : 'no metrics for';
			throw new Failure('failed', `Survey B returned ${returned} campaign ${campaignId}`, {
				hint: 'Check the campaign ID, or choose a longer period',
			});
		},
	}),
};
