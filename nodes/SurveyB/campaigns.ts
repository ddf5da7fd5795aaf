import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../shared/http/client';
import { Failure } from '../shared/http/failure';
import { isObject, wholeNumber } from '../shared/http/json';
import { get } from '../shared/http/request';
import type { ApiRequest } from '../shared/http/request';
import { oncePerRun } from '../shared/operations/oncePerRun';
import type { Run } from '../shared/operations/run';
import { fetchPage } from '../shared/pagination/pages';
import type { GivenCampaign } from './parameters/fields';
import { campaignIdOf } from './records/metric';

// Survey B shows no list of campaigns: their names stand in feedback and in metrics (contract,
// sections Campaign (embedded) and Campaign metrics).

export interface Campaign {
	id: number;
	name: string;
}

type Client = Pick<ApiClient, 'send' | 'service'>;

/**
 * Gives the campaigns that the newest feedback and the metrics name, sorted by name. One that has neither
 * is not among them.
 *
 * @throws Failure where neither can be read
 */
export async function readCampaigns(client: Client): Promise<Campaign[]> {
	const [feedback, metrics] = await Promise.all([
		tryToRead(client, get('/api/v2/feedback/')),
		tryToRead(client, get('/api/v2/metrics/')),
	]);
	if (feedback instanceof Failure && metrics instanceof Failure) throw feedback;
	const campaigns = new Map<number, Campaign>();
	for (const campaign of [
		...rowsOrNone(feedback).map(campaignOfFeedback),
		...rowsOrNone(metrics).map(campaignOfMetrics),
	]) {
		if (campaign && !campaigns.has(campaign.id)) campaigns.set(campaign.id, campaign);
	}
	return [...campaigns.values()].sort((a, b) => a.name.localeCompare(b.name) || a.id - b.id);
}

const campaignsOfRun = oncePerRun(async ({ client }) => await readCampaigns(client));

/**
 * Gives a campaign by its ID, also where the user gave its name.
 *
 * @throws Failure where no campaign, or more than one, has this name
 */
export async function campaignById(run: Run, given: GivenCampaign): Promise<GivenCampaign> {
	if (!given.isName) return given;
	const campaigns = await campaignsOfRun(run);
	const key = nameKey(given.value);
	const [found, ...others] = campaigns.filter(({ name }) => nameKey(name) === key);
	if (found === undefined) throw unknownCampaign(given.value, campaigns);
	if (others.length > 0) throw ambiguousCampaign(given.value, [found, ...others]);
	return { value: String(found.id), isName: false };
}

function nameKey(name: string): string {
	return name.trim().toLowerCase();
}

function unknownCampaign(name: string, campaigns: Campaign[]): Failure {
	const names = campaigns.map((campaign) => campaign.name).join(', ');
	return new Failure({
		words: `No campaign named '${name}' was found in the feedback and metrics of Survey B`,
		advice: names
			? `Use the campaign ID, or one of these names: ${names}`
			: 'Use the campaign ID: no campaign has feedback or metrics yet',
	});
}

function ambiguousCampaign(name: string, campaigns: Campaign[]): Failure {
	return new Failure({
		words: `More than one campaign is named '${name}'`,
		advice: `Use the campaign ID: ${campaigns.map(({ id }) => id).join(' or ')}`,
	});
}

async function tryToRead(client: Client, request: ApiRequest): Promise<IDataObject[] | Failure> {
	try {
		const { rows } = await fetchPage(client, request, 'results', 1);
		return rows;
	} catch (error) {
		return Failure.from(error);
	}
}

function rowsOrNone(read: IDataObject[] | Failure): IDataObject[] {
	return read instanceof Failure ? [] : read;
}

function campaignOfFeedback({ campaign }: IDataObject): Campaign | undefined {
	return isObject(campaign) ? campaignOf(campaign.id, campaign.name) : undefined;
}

/** Older answers call the name `campaign`. */
function campaignOfMetrics(row: IDataObject): Campaign | undefined {
	return campaignOf(campaignIdOf(row), row.campaign_name ?? row.campaign);
}

function campaignOf(id: unknown, name: unknown): Campaign | undefined {
	const number = wholeNumber(id);
	return number === undefined || !name ? undefined : { id: number, name: String(name) };
}
