import { askedFor } from '../../shared/http/response';
import { get, path } from '../../shared/http/request';
import { recordsIn } from '../../shared/http/service';
import { list } from '../../shared/operations/list';
import type { Resource } from '../../shared/operations/operation';
import { single } from '../../shared/operations/write';
import { basic } from '../parameters/common';
import { report } from '../records';
import { surveyA } from '../service';

/** The fields of a report, for agents. */
const COUNTS =
	'Promoters, passives, detractors, their sum (total) and responded are counts; surveys sent: deliveryStats.totalCount, with simplify false. Survey A decides of which period';

export const reportResource: Resource = {
	/** `GET /api/v2/reports/`: the reports of all campaigns in one response. */
	getAll: list({
		action: 'Get many reports',
		description: 'Get score and counts of each campaign',
		details: COUNTS,
		record: report,

		request: () => get('/api/v2/reports/'),
		recordsKey: 'reports',
	}),

	/** `GET /api/v2/reports/{campaignId}`: a list with the report of one campaign. */
	get: single({
		action: 'Get report',
		description: 'Get score and counts of a campaign',
		details: COUNTS,
		fields: { campaign: basic.campaign },
		record: report,

		request: ({ campaign }) => get(path`/api/v2/reports/${campaign}`),
		readBody: recordsIn(surveyA, ['campaignId'], 'reports'),
		output: (reports, { campaign }) =>
			askedFor(surveyA, reports, campaign, ['campaignId'], 'Campaign not found.'),
	}),
};
