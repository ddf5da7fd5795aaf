import { each } from '../../../shared/operations/each';
import { get as read, path } from '../../../shared/http/request';
import { campaign } from '../../parameters/fields';
import { onlyRecord, recordsIn } from '../../records/responses';
import { report } from '../../records/report';

/** `GET /api/v2/reports/{campaignId}`: a list with the report of one campaign. */
export const get = each({
	name: 'Get',
	action: 'Get report',
	description:
		'Get the latest score and response counts of a campaign. Promoters, passives and detractors are counts, not percentages.',
	fields: { campaign },
	record: report,

	request: ({ campaign }) => read(path`/api/v2/reports/${campaign}`),
	responseSchema: recordsIn('reports', 'campaignId'),
	output: (reports) => onlyRecord(reports, 'Campaign not found.'),
});
