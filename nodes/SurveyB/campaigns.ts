import type { IDataObject } from 'n8n-workflow';

import { Failure } from '../shared/base/failure';
import { isObject, wholeNumber } from '../shared/base/json';
import { get } from '../shared/http/request';
import { oncePerRun } from '../shared/operations/run';
import type { Run } from '../shared/operations/run';
import { pages } from '../shared/paging/pages';
import type { PageClient } from '../shared/paging/pages';
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

/** The longest time to read the pages of a list. */
const READING_MS = 5000;

/** The lists that name campaigns. */
const LISTS = [
	{ label: 'Feedback', path: '/api/v2/feedback/', campaignIn: campaignOfFeedback },
	{ label: 'Metrics', path: '/api/v2/metrics/', campaignIn: campaignOfMetrics },
];

/**
 * Returns the campaigns that feedback and metrics name, sorted by name.
 *
 * @throws Failure if neither can be read
 */
export async function readCampaigns(client: PageClient): Promise<Campaigns> {
	const byId = new Map<number, Campaign>();
	const failures: Failure[] = [];
	const gaps: string[] = [];
	const read = async ({ label, path, campaignIn }: (typeof LISTS)[number]) => {
		const end = performance.now() + READING_MS;
		const list = { request: get(path), recordsKey: 'results', pageSize: 100 };
		try {
			for await (const { records } of pages(client, list)) {
				for (const campaign of records.flatMap((record) => campaignIn(record) ?? [])) {
					byId.set(campaign.id, { ...byId.get(campaign.id), ...campaign });
				}
				if (performance.now() > end) return void gaps.push(`${label} was read only in part`);
			}
		} catch (error) {
			const failure = Failure.from(error);
			failures.push(failure);
			gaps.push(`${label} could not be read completely: ${failure.headline}`);
		}
	};
	await Promise.all(LISTS.map(read));
	if (failures[0] && failures.length === LISTS.length) throw failures[0];
	const found = [...byId.values()].sort((a, b) => a.name.localeCompare(b.name) || a.id - b.id);
	return { found, gaps };
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
	return given?.isName ? { ...input, campaignId: await campaignNamed(given.value, run) } : input;
}

async function campaignNamed(given: string, run: Run): Promise<GivenCampaign> {
	const { found, gaps } = await campaignsOfRun(run);
	const key = nameKey(given);
	const ids = found.filter(({ name }) => nameKey(name) === key).map(({ id }) => String(id));
	if (ids.length > 1) {
		throw new Failure('value', `More than one campaign is named '${given}'`, {
			hint: `Use the campaign ID: ${ids.join(' or ')}`,
		});
	}
	if (ids[0] !== undefined) return { value: ids[0] };
	const names = found.map(({ name }) => name).join(', ');
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

function campaignOfFeedback({ campaign }: IDataObject): Campaign | undefined {
	if (!isObject(campaign)) return undefined;
	const known = campaignOf(campaign.id, campaign.name);
	return known && { ...known, status: campaign.status };
}

/** Older responses call the name `campaign`. */
function campaignOfMetrics(record: IDataObject): Campaign | undefined {
	return campaignOf(campaignIdOf(record), record.campaign_name ?? record.campaign);
}

function campaignOf(id: unknown, name: unknown): Campaign | undefined {
	const number = wholeNumber(id);
	return number === undefined || !name ? undefined : { id: number, name: String(name) };
}
