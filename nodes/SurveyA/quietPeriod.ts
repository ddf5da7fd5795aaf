import type { IDataObject } from 'n8n-workflow';

import { get } from '../shared/http/request';
import { normalizeEmail } from '../shared/fields/emails';
import { choice, number } from '../shared/fields/fields';
import type { Run } from '../shared/operations/run';
import type { SkipReason } from '../shared/operations/skips';
import { PageFetcher } from '../shared/paging/pages';
import { momentIn } from './records/moment';

export const quietPeriodOptions = {
	quietPeriod: number({
		displayName: 'Quiet Period (Days)',
		min: 0,
		default: 30,
		description:
			'Skip customers who got a survey in the last days, as the outbox of Survey A shows it. Surveys that are queued but not in the outbox yet are not found.',
	}),
	quietPeriodScope: choice({
		displayName: 'Quiet Period Scope',
		options: [
			{
				name: 'Any Campaign',
				value: 'anyCampaign',
				description: 'A survey of any campaign counts',
			},
			{
				name: 'This Campaign',
				value: 'thisCampaign',
				description: 'Only a survey of the chosen campaign counts',
			},
		],
		default: 'anyCampaign',
		description: 'Which earlier surveys count for the quiet period',
	}),
};

interface Sending {
	campaign: string;
	columns: { email: string };
	options: { quietPeriod?: number; quietPeriodScope?: 'anyCampaign' | 'thisCampaign' };
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns a check for rows in their quiet period, by the outbox (contract: GET outbox), which is read once a run. */
export function recentlySurveyed(run: Run) {
	const outbox = new RecentSurveys(run, Date.now());
	return async ({ campaign, columns, options }: Sending): Promise<SkipReason | undefined> => {
		const { quietPeriod = 0, quietPeriodScope = 'anyCampaign' } = options;
		if (quietPeriod === 0) return undefined;
		const isOfAny = quietPeriodScope === 'anyCampaign';
		const since = outbox.now - quietPeriod * DAY_MS;
		const date = await outbox.latest(columns.email, isOfAny ? undefined : campaign, since);
		if (date === undefined) return undefined;
		const by = isOfAny ? 'Surveyed' : 'Surveyed by this campaign';
		const reason = `${by} on ${date}, within the quiet period of ${quietPeriod} days`;
		return { reason, kind: 'in the quiet period' };
	};
}

/** The newest surveys of the outbox, read no further back than rows ask for. */
class RecentSurveys {
	private readonly surveys = new Map<string, IDataObject[]>();
	private readonly pages: PageFetcher;
	private next: number | undefined = 1;
	/** The earliest time at which a survey read so far was sent. */
	private oldest = Infinity;
	/** The longest time from the creation of a survey to its sending that the list shows. */
	private longestDelay = DAY_MS;
	private reading: Promise<void> = Promise.resolve();

	constructor(
		{ client, context }: Run,
		readonly now: number,
	) {
		this.pages = new PageFetcher(client, {
			request: get('/api/v2/nps/outbox', { sort: '-surveyCreatedDate' }),
			rowsKey: 'surveys',
			pageSize: 1000,
			log: (message) => context.logger.info(message),
		});
	}

	/** Returns the date of a survey that a customer got since a moment; undefined when there is none. */
	async latest(email: string, campaign: string | undefined, since: number) {
		this.reading = this.reading.then(async () => await this.readBackTo(since));
		await this.reading;
		const sent = this.surveys.get(normalizeEmail(email)) ?? [];
		const found = sent.find(
			(survey) =>
				timeOf(survey) >= since && (campaign === undefined || survey.campaignId === campaign),
		);
		return found && String(found.sentDate || 'an unknown date');
	}

	/**
	 * Reads pages until no survey on a later page can have been sent since a moment. The list is sorted by creation, which
	 * its records do not have. A survey on a later page was created before the oldest one was sent, so it is too old
	 * unless it waited longer than any survey before it, and longer than a day.
	 */
	private async readBackTo(since: number): Promise<void> {
		while (this.next !== undefined && this.oldest + this.longestDelay >= since) {
			const page = await this.pages.page(this.next);
			for (const survey of page.rows) this.add(survey);
			this.next = this.pages.hasMore(page, this.next) ? this.next + 1 : undefined;
		}
	}

	private add(survey: IDataObject): void {
		const key = normalizeEmail(String(survey.email));
		this.surveys.set(key, [...(this.surveys.get(key) ?? []), survey]);
		const sent = momentIn(survey.sentDate);
		if (sent === undefined) return;
		// It was created before the surveys above it were, and those before they were sent.
		this.longestDelay = Math.max(this.longestDelay, sent - this.oldest);
		this.oldest = Math.min(this.oldest, sent);
	}
}

/** A survey whose date cannot be read counts as recent: one survey too few is better than one too many. */
function timeOf({ sentDate }: IDataObject): number {
	return momentIn(sentDate) ?? Infinity;
}
