import { each } from '../../../shared/operations/each';
import { locator } from '../../../shared/parameters/schemas';
import { get as read, path } from '../../../shared/http/request';
import { onlyRecord, recordsIn } from '../../records/answers';
import { campaign } from '../../parameters/locators';
import { simplifyReport, simplifiedReportRecord } from '../../records/report';

/** `GET /api/v2/reports/{campaignId}`: a list with the report of one campaign. */
export const get = each({
	name: 'Get',
	action: 'Get report',
	description: 'Get the latest score, shares and response counts of a campaign',
	fields: [campaign],
	input: () => ({ campaign: locator }),
	outputSchema: simplifiedReportRecord,
	simplify: simplifyReport,

	request: ({ campaign }) => read(path`/api/v2/reports/${campaign}`),
	responseSchema: recordsIn('reports', 'campaignId'),
	output: (reports) => onlyRecord(reports, 'Campaign not found.'),
});
