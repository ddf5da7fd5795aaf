import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../shared/base/failure';
import { isObject, wholeNumber } from '../shared/base/json';
import { get } from '../shared/http/request';
import { oncePerRun } from '../shared/operations/run';
import type { Run } from '../shared/operations/run';
import { pages } from '../shared/paging/walk';
import type { PageClient } from '../shared/paging/pages';
import type { GivenCampaign } from './parameters/fields';
import { campaignIdOf } from './records/metric';

// Survey B has no list of campaigns: feedback and metrics have their names (contract, sections Campaign (embedded) and
// Campaign metrics).

/** The lists, and how their records name a campaign. Of two records, the later one counts: only feedback has the status. */
const SOURCES = [
	{
		label: 'Metrics',
		// Older responses call the name `campaign`.
		campaignIn: (record: IDataObject): IDataObject => ({
			id: campaignIdOf(record),
			name: record.campaign_name ?? record.campaign,
		}),
	},
	{
		label: 'Feedback',
		campaignIn: ({ campaign }: IDataObject) => (isObject(campaign) ? campaign : {}),
	},
];

/** The longest time to read pages. */
const READING_MS = 5000;

/**
 * Returns the campaigns that feedback and metrics name, sorted by name, and reasons why others may be missing.
 *
 * @throws Failure if neither can be read
 */
export async function readCampaigns(client: PageClient) {
	const lists = await Promise.all(SOURCES.map(async (source) => await readSource(client, source)));
	const failures = lists.flatMap(({ failure }) => failure ?? []);
	if (failures[0] && failures.length === lists.length) throw failures[0];
	const campaigns = lists.flatMap((list) => list.campaigns);
	const found = [...new Map(campaigns.map((campaign) => [campaign.id, campaign])).values()];
	return {
		records: found.sort((a, b) => a.name.localeCompare(b.name)),
		gaps: lists.flatMap(({ gap }) => gap ?? []),
	};
}

const campaignsOfRun = oncePerRun(async ({ client }) => await readCampaigns(client));

/**
 * Replaces the name of a campaign in an operation's input by its ID.
 *
 * @throws Failure if no campaign, or more than one, has this name
 */
export async function withCampaignId<Input extends { campaignId?: GivenCampaign }>(
	input: Input,
	run: Run,
): Promise<Input> {
	const { campaignId: given } = input;
	if (!given?.isName) return input;
	return { ...input, campaignId: { value: await idOfCampaign(given.value, run) } };
}

async function idOfCampaign(given: string, run: Run): Promise<string> {
	const { records, gaps } = await campaignsOfRun(run);
	const key = nameKey(given);
	const ids = records.filter(({ name }) => nameKey(name) === key).map(({ id }) => String(id));
	if (ids.length > 1) {
		throw new Failure('value', `More than one campaign is named '${given}'`, {
			hint: `Use the campaign ID: ${ids.join(' or ')}`,
		});
	}
	if (ids[0] !== undefined) return ids[0];
	const names = records.map(({ name }) => name).join(', ');
	const use = names
		? `Use the campaign ID, or one of these names: ${names}`
		: 'Use the campaign ID: only campaigns that have feedback or metrics can be found by name';
	throw new Failure(
		'value',
		`No campaign named '${given}' was found in the feedback and metrics of Survey B`,
		{ hint: [...gaps, use].join('. ') },
	);
}

function nameKey(name: string): string {
	return name.trim().toLowerCase();
}

/** Reads a list for a few seconds. Returns the reason why campaigns may be missing. */
async function readSource(client: PageClient, { label, campaignIn }: (typeof SOURCES)[number]) {
	const campaigns: Array<{ id: number; name: string; status?: IDataObject[string] }> = [];
	const request = get(`/api/v2/${label.toLowerCase()}/`);
	const end = performance.now() + READING_MS;
	try {
		for await (const { records } of pages(client, { request, pageSize: 100 })) {
			for (const { id, name, status } of records.map(campaignIn)) {
				const number = wholeNumber(id);
				if (number !== undefined && name)
					campaigns.push({ id: number, name: String(name), status });
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
