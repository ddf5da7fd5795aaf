import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../shared/base/failure';
import { isObject, wholeNumber } from '../shared/base/json';
import { get } from '../shared/http/request';
import type { PageClient } from '../shared/paging/fetchPage';
import { pages } from '../shared/paging/walk';
import { campaignIdOf } from './records/metric';

// Survey B has no list of campaigns. Feedback has their IDs and names; metrics have their names, and a link that may end
// with the ID (contract, sections Campaign (embedded) and Campaign metrics).

interface Campaign {
	id: number;
	name: string;
	status?: IDataObject[string];
	/** True if no record states the ID: it is the end of a link. */
	isFromLink?: boolean;
}

/** Returns the campaign that a record names, as far as it does. */
type CampaignIn = (record: IDataObject) => Omit<Partial<Campaign>, 'name'> & { name?: unknown };

/** The lists, and how their records name a campaign. */
const SOURCES: Record<'Feedback' | 'Metrics', CampaignIn> = {
	Feedback: ({ campaign }: IDataObject) => {
		const { id, name, status } = isObject(campaign) ? campaign : {};
		return { id: wholeNumber(id), name, status };
	},
	// Older responses call the name `campaign`.
	Metrics: (metric: IDataObject) => ({
		id: campaignIdOf(metric),
		name: metric.campaign_name ?? metric.campaign,
		isFromLink: wholeNumber(metric.campaign_id) === undefined,
	}),
};

/** The longest time to read pages. */
const READING_MS = 5000;

/**
 * Returns the campaigns that feedback and metrics name, sorted by name, and reasons why others may be missing.
 *
 * @throws Failure if neither can be read
 */
export async function readCampaigns(client: PageClient) {
	const [feedback, metrics] = await Promise.all([
		readSource(client, 'Feedback'),
		readSource(client, 'Metrics'),
	]);
	if (feedback.failure && metrics.failure) throw feedback.failure;
	const named = new Set(feedback.campaigns.map(({ name }) => name));
	const others = metrics.campaigns.filter(({ name }) => !named.has(name));
	const all = [...others, ...feedback.campaigns];
	const found = [...new Map(all.map((campaign) => [campaign.id, campaign])).values()];
	return {
		records: found.sort((a, b) => a.name.localeCompare(b.name)).map((one) => ({ ...one })),
		gaps: [feedback, metrics].flatMap(({ gap }) => gap ?? []),
	};
}

/** Reads a list for a few seconds. Returns the reason why campaigns may be missing. */
async function readSource(client: PageClient, label: keyof typeof SOURCES) {
	const campaigns: Campaign[] = [];
	const request = get(`/api/v2/${label.toLowerCase()}/`);
	// The contract shows no pages of metrics.
	const pageSize = label === 'Feedback' ? 100 : undefined;
	const end = performance.now() + READING_MS;
	try {
		for await (const { records } of pages(client, { request, pageSize })) {
			for (const { id, name, ...more } of records.map(SOURCES[label])) {
				if (id !== undefined && name) campaigns.push({ id, name: String(name), ...more });
			}
			if (performance.now() > end) return { campaigns, gap: `${label} was read only in part` };
		}
		return { campaigns };
	} catch (error) {
		const failure = Failure.from(error);
		const gap = `${label} could not be read completely: ${failure.headline}`;
		return { campaigns, failure, gap };
	}
}
