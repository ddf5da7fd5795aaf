import { EVENTS as CONTRACT_EVENTS } from '../../sandbox';
import type { Feedback } from '../../sandbox/b/records';

// Changes at a service as the contract writes them (section Events), in both revisions.

/** The events of the contract, and one that only shop accounts have. */
export const EVENTS = [...CONTRACT_EVENTS, 'survey.response_removed'];

/** Random numbers that choose a change at a service. */
export interface RandomChange {
	event: number;
	record: number;
	value: number;
	/** True for a payload of the earlier revision of the webhooks. */
	isEarlier: boolean;
	/** True if only the tags change, and not the date of the score. */
	isOfTags?: boolean;
	account: number;
}

/** A real change at a service. */
export interface Change {
	number: number;
	event: string;
	data: object;
	/** The revision of the payload. */
	revision: 1 | 2;
	/** The fields of the simplified item (docs/records.md); others are null. */
	simplified: object;
	/** The record that changed. */
	record: string;
	/** The date of the change if the data has it. */
	date?: string;
	score?: number;
	campaignId?: number;
	campaignName?: string;
}

/** The name of a campaign, which begins and ends with digits, but is no ID. */
export const CAMPAIGN_NAME = '360 review 2026';

const CAMPAIGNS = [
	{ id: 101, name: CAMPAIGN_NAME },
	{ id: 102, name: 'After purchase' },
];

const TAGS = ['slow', 'late', 'rude'];

/** Returns a change of a record. Every change has another number, and another date if it has one. */
export function changeOf(
	event: string,
	{ record, value, isEarlier, isOfTags }: RandomChange,
	all: Feedback[],
	number: number,
): Change {
	const campaign = CAMPAIGNS[record % 2] ?? { id: 0, name: '' };
	const known = all[record % all.length];
	if (!known) throw new RangeError('the service has no feedback');
	const feedback = {
		...known,
		...scored(value % 11),
		id: 2000 + record,
		campaign,
	};
	const date = `2026-01-01T00:00:00.${String(number).padStart(6, '0')}Z`;
	const score = value % 11;
	const of = { campaignId: campaign.id, campaignName: campaign.name };
	const about = { number, event, revision: 2 as const, record: String(record) };
	const tags = [{ name: TAGS[value] ?? `tag ${value}`, category: 'PASSIVE' }];
	switch (event) {
		case 'feedback.added_or_changed': {
			if (isEarlier) return { ...about, ...earlier(feedback.id, score, campaign.id) };
			const same = '2025-12-31T00:00:00.000000Z';
			const data = isOfTags
				? { ...feedback, ...scored(3), tags, score_changed: same }
				: { ...feedback, ...scored(score), score_changed: date };
			const changed = isOfTags ? same : date;
			const simplified = simplifiedFeedback(data);
			return { ...about, ...of, score: data.score, date: changed, data, simplified };
		}
		case 'feedback.tags_added_or_changed': {
			const data = { ...feedback, tags };
			return { ...about, ...of, score, data, simplified: simplifiedFeedback(data) };
		}
		case 'feedback.status_changed': {
			const status = value % 2 === 0 ? 'OPEN' : 'CLOSED';
			const data = { ...feedback, status, status_changed: date };
			const simplified = simplifiedFeedback(data);
			return { ...about, ...of, score: feedback.score, date, data, simplified };
		}
		case 'feedback.removed': {
			const once = { record: String(500_000 + number), date: 'once' };
			if (isEarlier) return { ...about, ...earlier(500_000 + number, score, campaign.id), ...once };
			const data = { ...feedback, id: 500_000 + number };
			const simplified = simplifiedFeedback(data);
			return { ...about, ...of, ...once, score: feedback.score, data, simplified };
		}
		case 'metric.score_changed': {
			const data = { campaign_name: campaign.name, nps: value };
			const { name } = campaign;
			return { ...about, record: name, campaignName: name, data, simplified: data };
		}
		case 'contact.unsubscribed': {
			const data = { id: record, email: `person${record}@example.com` };
			return { ...about, data, simplified: data };
		}
		case 'survey.response_removed': {
			const data = { id: record, value };
			return { ...about, data, simplified: data };
		}
		default:
			return { ...about, ...of, ...tagChange(event, record, value, campaign) };
	}
}

type Simplifiable = Pick<
	Feedback,
	'id' | 'created' | 'score' | 'comment' | 'contact' | 'survey'
> & {
	status: string;
	campaign: { id: number; name: string };
	tags: Array<{ name: string }>;
};

/** Returns feedback in the earlier revision (contract, section Events, Rules). */
function earlier(id: number, score: number, campaignId: number) {
	const data = { id, score, posted_date: '2026-01-01', campaign: campaignId };
	const attributes = { contact: {}, survey: {} };
	const named = { id, score, created: data.posted_date, campaign_id: campaignId };
	const simplified = { ...named, tags: '', attributes };
	return { revision: 1 as const, record: `earlier ${id}`, score, campaignId, data, simplified };
}

/** Returns the fields of the simplified item of feedback. */
function simplifiedFeedback(data: Simplifiable) {
	const { id, created, score, comment, status, campaign, contact, survey, tags } = data;
	return {
		...{ id, created, score, comment, status },
		email: contact.email,
		campaign_id: campaign.id,
		campaign_name: campaign.name,
		tags: tags.map(({ name }) => name).join(', '),
		attributes: { contact: contact.attributes, survey: survey.attributes },
	};
}

function scored(score: number) {
	if (score >= 9) return { score, score_type: 'promoter' };
	return { score, score_type: score >= 7 ? 'passive' : 'detractor' };
}

function tagChange(
	event: string,
	record: number,
	value: number,
	{ id, name }: { id: number; name: string },
) {
	const campaign = { id, Name: name };
	const tag = (at: number) => TAGS[at] ?? `tag ${at} of ${record}`;
	const isRemoval = event === 'tag.removed';
	// The first two are a change and the change back.
	const [before, after] = [tag(value), tag(value === 0 ? 1 : 0)];
	const tags = isRemoval ? { name: before } : { before, after };
	return {
		record: [id, ...Object.values(tags).sort()].join(' '),
		data: { campaign, ...tags },
		simplified: { campaign_id: id, campaign_name: name, ...tags },
	};
}

/** Returns the data as text, to compare contents. */
export function dataIn({ data }: Change): string {
	return JSON.stringify(data);
}

/** Returns data with its fields in the opposite order, as a service may send them the next time. */
export function reversed(data: unknown): unknown {
	if (Array.isArray(data)) return data.map(reversed);
	if (typeof data !== 'object' || data === null) return data;
	const entries = Object.entries(data).reverse();
	return Object.fromEntries(entries.map(([name, value]) => [name, reversed(value)]));
}
