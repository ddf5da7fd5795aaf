import { list } from '../../../shared/operations/list';
import { dateOrder } from '../../../shared/fields/sharedFields';
import { get } from '../../../shared/http/request';
import { metricFilters, postedQuery } from '../../parameters/fields';
import { metricFromResponse, metrics } from '../../records/metric';

/** `GET /api/v2/metrics/`: the last 30 days when no dates are given. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many metrics',
	description: 'Get the NPS, percentages and counts of each campaign',
	fields: { filters: metricFilters },
	options: { dateOrder },
	sortHere: [
		{ name: 'Campaign Name', value: 'campaign_name' },
		{ name: 'Feedback Count', value: 'feedback_count' },
		{ name: 'NPS', value: 'nps' },
	],
	record: metrics,

	request: ({ filters }) => get('/api/v2/metrics/', postedQuery(filters)),
	rowsKey: 'results',
	pageSize: 100,
	identity: (row) => row.href ?? row,
	output: metricFromResponse,
});
