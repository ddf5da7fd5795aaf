import { collection } from '../../../shared/parameters/schemas';
import { list } from '../../../shared/operations/list';
import { get } from '../../../shared/http/request';
import { metricFilters, postedInput, postedQuery } from '../../parameters/fields';
import { metricFromAnswer, simplifyMetrics, simplifiedMetricsRecord } from '../../records/metric';
import { dateOrderField } from '../../../shared/parameters/fields';

/** `GET /api/v2/metrics/`: of each campaign; of the last 30 days where no dates are given. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many metrics',
	description: 'Get the NPS, percentages and counts of each campaign',
	fields: [metricFilters],
	options: [dateOrderField],
	input: () => ({ filters: collection(postedInput) }),
	outputSchema: simplifiedMetricsRecord,
	simplify: simplifyMetrics,

	request: ({ filters }) => get('/api/v2/metrics/', postedQuery(filters)),
	rowsKey: 'results',
	pageSize: 100,
	identity: (row) => row.href ?? row,
	output: metricFromAnswer,
});
