import { collection } from '../../../shared/input';
import { list } from '../../../shared/list';
import { get } from '../../../shared/request';
import { postedInput, postedQuery } from '../../fields';
import { metricFilters, metricFromAnswer, simpleMetric, simpleMetricRecord } from '../../metric';

/** `GET /api/v2/metrics/`: of each campaign; of the last 30 days where no dates are given. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many metrics',
	description: 'Retrieve the scores and counts of many campaigns',
	fields: [metricFilters],
	input: { filters: collection(postedInput) },
	returns: simpleMetricRecord,
	simplify: simpleMetric,

	request: ({ filters }) => get('/api/v2/metrics/', postedQuery(filters)),
	rows: 'results',
	pageSize: 100,
	identity: (row) => row.href ?? row,
	output: metricFromAnswer,
});
