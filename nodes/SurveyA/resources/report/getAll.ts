import { list } from '../../../shared/operations/list';
import { get } from '../../../shared/http/request';
import { simplifyReport, simplifiedReportRecord } from '../../records/report';

/** `GET /api/v2/reports/`: the reports of all campaigns in one answer. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many reports',
	description: 'Get the latest score, shares and response counts of each campaign',
	input: () => ({}),
	outputSchema: simplifiedReportRecord,
	simplify: simplifyReport,

	request: () => get('/api/v2/reports/'),
	rowsKey: 'reports',
	identity: ({ campaignId }) => campaignId,
});
