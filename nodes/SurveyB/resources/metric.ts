import { Failure } from '../../shared/base/failure';
import { dateOrder } from '../../shared/fields/common';
import { DAY_MS } from '../../shared/fields/dates';
import { withRead } from '../../shared/fields/field';
import { date, filters } from '../../shared/fields/kinds';
import { notSaved } from '../../shared/http/response';
import { get, path } from '../../shared/http/request';
import { recordsIn } from '../../shared/http/service';
import { list } from '../../shared/operations/list';
import type { Resource } from '../../shared/operations/operation';
import { single } from '../../shared/operations/write';
import { ASSUMED, basic, postedQuery } from '../parameters/common';
import { campaignIdOf, metrics } from '../records';
import { surveyB } from '../service';

/** The service counts whole days in UTC, and no other window can be filtered here. */
function day(settings: Parameters<typeof date>[0]): ReturnType<typeof date> {
	const field = date({ ...settings, typeOptions: { dateOnly: true } });
	return withRead(field, (value, context) => {
		const given = field.read(value, context);
		if (given === undefined || given.toMillis() % DAY_MS === 0) return given;
		const hint = "Write the day, such as 2026-11-21 or {{ $today.toFormat('yyyy-MM-dd') }}";
		throw Failure.value('must be a day: Survey B counts metrics by whole days in UTC', hint);
	});
}

const metricFilters = filters({
	postedAfter: day({
		displayName: 'Start Date',
		description: 'First day (UTC). Without dates, the last 30 days count.',
	}),
	postedBefore: day({
		displayName: 'End Date',
		description: 'Day (UTC) after the last one',
	}),
});

/** The range of an NPS, for agents. */
const RANGE = 'NPS goes from -100 to 100, and may be 0 where feedback_count is 0';

export const metricResource: Resource = {
	/** `GET /api/v2/metrics/`: the last 30 days when no dates are given. */
	getAll: list({
		action: 'Get many metrics',
		description: 'Get NPS of each campaign',
		details: RANGE,
		fields: { filters: metricFilters },
		options: { dateOrder },
		record: metrics,

		request: ({ filters }) => get('/api/v2/metrics/', postedQuery(filters)),
		identity: ({ href }) => href,
	}),

	/** `GET /api/v2/metrics/{campaign_id}/`. The contract shows neither path nor response: they are assumed. */
	get: single({
		action: 'Get metrics of campaign',
		description: 'Get NPS and counts of a campaign',
		details: RANGE,
		notice: ASSUMED,
		fields: { campaignId: basic.campaign, filters: metricFilters },
		options: { dateOrder },
		record: metrics,

		request: ({ campaignId, filters }) =>
			get(path`/api/v2/metrics/${campaignId}/`, postedQuery(filters)),
		readBody: recordsIn(surveyB, ['nps']),
		output([metric, another], { campaignId }) {
			if (metric && !another) {
				return (
					notSaved('Campaign', campaignId, metric.campaign_id ?? campaignIdOf(metric)) ?? metric
				);
			}
			const returned = another ? 'metrics of several campaigns instead of' : 'no metrics for';
			throw new Failure('failed', `Survey B returned ${returned} campaign ${campaignId}`, {
				hint: 'Check the campaign ID, or choose a longer period',
			});
		},
	}),
};
