import type { IDataObject } from 'n8n-workflow';

import { DAY_MS } from '../shared/fields/dates';
import { choice, entry, number } from '../shared/fields/fields';
import { normalizeEmail } from '../shared/fields/values';
import { get } from '../shared/http/request';
import type { Run } from '../shared/operations/run';
import { pages } from '../shared/paging/walk';
import { LONGEST_WAIT_MS } from './records/outbox';
import { momentIn } from './service';

const scope = choice({
	displayName: 'Scope',
	options: [
		{ name: 'Any Campaign', value: 'anyCampaign' },
		{ name: 'This Campaign', value: 'thisCampaign' },
	],
	default: 'anyCampaign',
	description: 'Which earlier surveys count. Without a value, those of any campaign.',
});

/** The option that skips customers who were surveyed a short time ago. */
export const quietPeriod = entry(
	{
		displayName: 'Quiet Period',
		key: 'period',
		description:
			'Skip customers who got a survey in the last days, as the outbox of Survey A shows it. Surveys that are queued, or that another run sends at the same moment, are not found. Without this option, nobody is skipped for that.',
	},
	'Period',
	{
		days: number({
			displayName: 'Days',
			required: true,
			min: 0,
			// n8n gives an entry without days the default, and nobody has stated it.
			default: '',
			placeholder: 'e.g. 30',
			description: 'How many days a customer gets no other survey',
		}),
		scope,
	},
);

/** An item of a send. */
export interface Sending {
	campaign: string;
	columns: { email: string; unsubscribed?: boolean };
	options: { quietPeriod?: { days: number; scope?: 'anyCampaign' | 'thisCampaign' } };
}

/** Returns a check for items in their quiet period, by the outbox (contract: GET outbox), which is read once a run. */
export function recentlySurveyed({ client }: Run) {
	const now = Date.now();
	const surveysOf = outboxReader(client);
	return async ({ campaign, columns, options }: Sending) => {
		const { days = 0, scope = 'anyCampaign' } = options.quietPeriod ?? {};
		if (days === 0) return undefined;
		const isOfAny = scope === 'anyCampaign';
		const since = now - days * DAY_MS;
		const isOfThis = (id: unknown) =>
			String(id || campaign).toLowerCase() === campaign.toLowerCase();
		// A survey whose date or campaign is unknown counts, too: one survey too few is better than one too many.
		const found = (await surveysOf(columns.email, since)).find(
			({ sentDate, campaignId }) =>
				(momentIn(sentDate) ?? Infinity) >= since && (isOfAny || isOfThis(campaignId)),
		);
		if (found === undefined) return undefined;
		const by = isOfAny || !found.campaignId ? 'Surveyed' : 'Surveyed by this campaign';
		const date = String(found.sentDate || 'an unknown date');
		const reason = `${by} on ${date}, within the quiet period of ${days} days`;
		return { reason, kind: 'in the quiet period' };
	};
}

/**
 * Returns a function for all surveys that a customer got since a moment, and maybe earlier ones, the newest first. It reads
 * the outbox no further back than items ask for.
 */
function outboxReader(client: Run['client']) {
	const outbox = pages(client, {
		request: get('/api/v2/nps/outbox', { sort: '-surveyCreatedDate' }),
		recordsKey: 'surveys',
		pageSize: 1000,
	});
	const surveys = new Map<string, IDataObject[]>();
	/** The earliest time at which a survey read so far was sent. */
	let oldest = Infinity;
	/** The longest time from the creation of a survey to its sending that the list shows. */
	let longestWait = LONGEST_WAIT_MS;
	let reading = Promise.resolve();

	function add(survey: IDataObject): void {
		const key = normalizeEmail(String(survey.email));
		surveys.set(key, [...(surveys.get(key) ?? []), survey]);
		const sent = momentIn(survey.sentDate);
		if (sent === undefined) return;
		// It was created before the surveys above it were, and those before they were sent.
		longestWait = Math.max(longestWait, sent - oldest);
		oldest = Math.min(oldest, sent);
	}

	/** Reads pages until no survey on a later page can have been sent since a moment. */
	async function readBackTo(since: number): Promise<void> {
		while (oldest + longestWait >= since) {
			const { value, done } = await outbox.next();
			if (done) return;
			value.records.forEach(add);
		}
	}

	return async (email: string, since: number): Promise<IDataObject[]> => {
		// After a page that cannot be read, later items fail too: the generator then looks like the end of the list.
		reading = reading.then(async () => await readBackTo(since));
		await reading;
		return surveys.get(normalizeEmail(email)) ?? [];
	};
}
