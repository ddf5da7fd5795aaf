import type { IDataObject } from 'n8n-workflow';

import type { ApiClient } from '../shared/http/client';
import { Failure } from '../shared/base/failure';
import { isObject, wholeNumber } from '../shared/http/json';
import { get } from '../shared/http/request';
import { oncePerRun } from '../shared/operations/run';
import type { Run } from '../shared/operations/run';
import { fetchPage } from '../shared/paging/pages';
import type { GivenCampaign } from './parameters/fields';
import { campaignIdOf } from './records/metric';

// Survey B has no list of campaigns: feedback and metrics have their names (contract, sections Campaign (embedded) and
// Campaign metrics).

interface Campaign {
	id: number;
	name: string;
	/** Known only for campaigns that have feedback. */
	status?: IDataObject[string];
}

/** The campaigns that were found, and reasons why others may be missing. */
interface Campaigns {
	found: Campaign[];
	gaps: string[];
}

type Client = Pick<ApiClient, 'send' | 'service'>;

/** The longest time to read pages. */
const READING_MS = 5000;

/**
 * Returns the campaigns that feedback and metrics name, sorted by name.
 *
 * @throws Failure if neither can be read
 */
export async function readCampaigns(client: Client): Promise<Campaigns> {
	const [feedback, metrics] = await Promise.all([
		readList(client, '/api/v2/feedback/', 'Feedback'),
		readList(client, '/api/v2/metrics/', 'Metrics'),
	]);
	if (feedback.failure && metrics.failure) throw feedback.failure;
	const campaigns = new Map<number, Campaign>();
	for (const campaign of [
		...feedback.rows.map(campaignOfFeedback),
		...metrics.rows.map(campaignOfMetrics),
	]) {
		if (campaign && !campaigns.has(campaign.id)) campaigns.set(campaign.id, campaign);
	}
	const found = [...campaigns.values()];
	return {
		found: found.sort((a, b) => a.name.localeCompare(b.name) || a.id - b.id),
		gaps: [feedback.gap, metrics.gap].filter((gap) => gap !== undefined),
	};
}

const campaignsOfRun = oncePerRun(async ({ client }) => await readCampaigns(client));

/**
 * Replaces the name of a campaign by its ID.
 *
 * @throws Failure if no campaign, or more than one, has this name
 */
export async function campaignById(run: Run, given: GivenCampaign): Promise<GivenCampaign> {
	if (!given.isName) return given;
	const campaigns = await campaignsOfRun(run);
	const key = nameKey(given.value);
	const [found, ...others] = campaigns.found.filter(({ name }) => nameKey(name) === key);
	if (found === undefined) throw unknownCampaign(given.value, campaigns);
	if (others.length > 0) throw ambiguousCampaign(given.value, [found, ...others]);
	return { value: String(found.id) };
}

function nameKey(name: string): string {
	return name.trim().toLowerCase();
}

function unknownCampaign(name: string, { found, gaps }: Campaigns): Failure {
	const names = found.map((campaign) => campaign.name).join(', ');
	const use = names
		? `Use the campaign ID, or one of these names: ${names}`
		: 'Use the campaign ID: only campaigns that have feedback or metrics can be found by name';
	return new Failure(
		'value',
		`No campaign named '${name}' was found in the feedback and metrics of Survey B`,
		{ hint: [...gaps, use].join('. ') },
	);
}

function ambiguousCampaign(name: string, campaigns: Campaign[]): Failure {
	return new Failure('value', `More than one campaign is named '${name}'`, {
		hint: `Use the campaign ID: ${campaigns.map(({ id }) => id).join(' or ')}`,
	});
}

interface ReadRows {
	rows: IDataObject[];
	/** The reason why rows may be missing. */
	gap?: string;
	failure?: Failure;
}

async function readList(client: Client, path: string, label: string): Promise<ReadRows> {
	const rows: IDataObject[] = [];
	const end = performance.now() + READING_MS;
	try {
		for (let query: IDataObject | undefined; ; ) {
			const page = await fetchPage(client, get(path, query), 'results', 1);
			rows.push(...page.rows);
			if (!page.next || page.rows.length === 0) return { rows };
			if (performance.now() > end) return { rows, gap: `${label} was read only in part` };
			query = page.next;
		}
	} catch (error) {
		const failure = Failure.from(error);
		return { rows, failure, gap: `${label} could not be read completely: ${failure.headline}` };
	}
}

function campaignOfFeedback({ campaign }: IDataObject): Campaign | undefined {
	if (!isObject(campaign)) return undefined;
	const known = campaignOf(campaign.id, campaign.name);
	return known && { ...known, status: campaign.status };
}

/** Older responses call the name `campaign`. */
function campaignOfMetrics(row: IDataObject): Campaign | undefined {
	return campaignOf(campaignIdOf(row), row.campaign_name ?? row.campaign);
}

function campaignOf(id: unknown, name: unknown): Campaign | undefined {
	const number = wholeNumber(id);
	return number === undefined || !name ? undefined : { id: number, name: String(name) };
}
