import { each } from '../../../shared/each';
import { locator } from '../../../shared/input';
import { get as read, path } from '../../../shared/request';
import { only, records } from '../../answers';
import { campaign } from '../../locators';
import { shortReport, shortReportRecord } from '../../report';

/** `GET /api/v2/reports/{campaignId}`: a list with the report of one campaign. */
export const get = each({
	name: 'Get',
	action: 'Get report',
	description: 'Retrieve the report of a campaign',
	fields: [campaign],
	input: { campaign: locator },
	returns: shortReportRecord,
	simplify: shortReport,

	request: ({ campaign }) => read(path`/api/v2/reports/${campaign}`),
	answer: records('reports', 'campaignId'),
	output: (reports) => only(reports, 'Campaign not found.'),
});
