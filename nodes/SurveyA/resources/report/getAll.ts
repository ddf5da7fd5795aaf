import { list } from '../../../shared/list';
import { get } from '../../../shared/request';
import { shortReport, shortReportRecord } from '../../report';

/** `GET /api/v2/reports/`: the reports of all campaigns in one answer. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many reports',
	description: 'Retrieve a list of reports, one for each campaign',
	input: {},
	returns: shortReportRecord,
	simplify: shortReport,

	request: () => get('/api/v2/reports/'),
	rows: 'reports',
	identity: ({ campaignId }) => campaignId,
});
