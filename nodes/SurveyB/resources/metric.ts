import { Failure } from '../../shared/base/failure';
import { dateOrder } from '../../shared/fields/sharedFields';
import { get, path } from '../../shared/http/request';
import { recordsIn } from '../../shared/http/service';
import { list } from '../../shared/operations/list';
import type { Resource } from '../../shared/operations/operation';
import { single } from '../../shared/operations/write';
import { assumedPath, campaignId, metricFilters, postedQuery } from '../parameters/fields';
import { metricFromResponse, metrics } from '../records/metric';
import { surveyB } from '../service';

const PLACE = '{campaign_id}';
const PATH = `/api/v2/metrics/${PLACE}/`;

export const metricResource: Resource = {
	/** `GET /api/v2/metrics/`: the last 30 days when no dates are given. */
	getAll: list({
		action: 'Get many metrics',
		description: 'Get the NPS, percentages and counts of each campaign',
		fields: { filters: metricFilters },
		options: { dateOrder },
		record: metrics,

		request: ({ filters }) => get('/api/v2/metrics/', postedQuery(filters)),
		pageSize: 100,
		identity: ({ href }) => href,
		output: metricFromResponse,
	}),

	/** `GET /api/v2/metrics/{campaign_id}/`. The contract shows neither path nor response: they are assumed. */
	get: single({
		action: 'Get metrics of campaign',
		description: 'Get the NPS, percentages and counts of one campaign',
		notice: `The API documentation shows no path for the metrics of one campaign. ${PATH} is assumed; Options → Path changes it.`,
		fields: { campaignId, filters: metricFilters },
		options: {
			dateOrder,
			path: assumedPath(
				PATH,
				`Path to use in place of the assumed one. ${PLACE} stands for the campaign ID.`,
				PLACE,
			),
		},
		record: metrics,

		label: ({ campaignId }) => campaignId && `Campaign ${campaignId}`,
		request: ({ campaignId, filters, options }) =>
			get((options.path ?? PATH).split(PLACE).join(path`${campaignId}`), postedQuery(filters)),
		responseSchema: recordsIn(surveyB, ['nps']),
		output(records, { campaignId }) {
			if (records.length > 0) return records.map(metricFromResponse);
			throw new Failure('failed', `Survey B returned no metrics for campaign ${campaignId}`, {
				hint: 'Check the campaign ID, or choose a longer period',
			});
		},
	}),
};
