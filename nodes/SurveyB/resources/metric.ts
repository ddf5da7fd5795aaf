import { Failure } from '../../shared/base/failure';
import { dateOrder } from '../../shared/fields/sharedFields';
import { get, path } from '../../shared/http/request';
import { recordsIn } from '../../shared/http/service';
import { list } from '../../shared/operations/list';
import type { Resource } from '../../shared/operations/operation';
import { single } from '../../shared/operations/write';
import { ASSUMED, assumedPath, campaignId, metricFilters, postedQuery } from '../parameters/fields';
import { metrics } from '../records/metric';
import { surveyB } from '../service';

const PLACE = '{campaign_id}';
const METRIC_PATH = `/api/v2/metrics/${PLACE}/`;

export const metricResource: Resource = {
	/** `GET /api/v2/metrics/`: the last 30 days when no dates are given. */
	getAll: list({
		action: 'Get many metrics',
		description: 'Get NPS and counts of each campaign',
		details: 'NPS goes from -100 to 100',
		fields: { filters: metricFilters },
		options: { dateOrder },
		record: metrics,

		request: ({ filters }) => get('/api/v2/metrics/', postedQuery(filters)),
		pageSize: 100,
		identity: ({ href }) => href,
	}),

	/** `GET /api/v2/metrics/{campaign_id}/`. The contract shows neither path nor response: they are assumed. */
	get: single({
		action: 'Get metrics of campaign',
		description: 'Get NPS and counts of a campaign',
		details: 'NPS goes from -100 to 100',
		notice: ASSUMED,
		fields: { campaignId, filters: metricFilters },
		options: {
			dateOrder,
			path: assumedPath(METRIC_PATH, PLACE),
		},
		record: metrics,

		label: ({ campaignId }) => campaignId && `Campaign ${campaignId}`,
		request: ({ campaignId, filters, options }) =>
			get(
				(options.path ?? METRIC_PATH).split(PLACE).join(path`${campaignId}`),
				postedQuery(filters),
			),
		responseSchema: recordsIn(surveyB, ['nps']),
		output(records, { campaignId }) {
			if (records.length > 0) return records;
			throw new Failure('failed', `Survey B returned no metrics for campaign ${campaignId}`, {
				hint: 'Check the campaign ID, or choose a longer period',
			});
		},
	}),
};
