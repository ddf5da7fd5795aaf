import { list } from '../../../shared/operations/list';
import { get } from '../../../shared/http/request';
import { report } from '../../records/report';

/** `GET /api/v2/reports/`: the reports of all campaigns in one response. */
export const getAll = list({
	name: 'Get Many',
	action: 'Get many reports',
	description:
		'Get the latest score and response counts of each campaign. Promoters, passives and detractors are counts, not percentages.',
	fields: {},
	record: report,

	request: () => get('/api/v2/reports/'),
	rowsKey: 'reports',
	identity: ({ campaignId }) => campaignId,
});
