import { EVENTS as CONTRACT_EVENTS } from '../../sandbox';
import type { ServiceB } from '../../sandbox';

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
	/** The record that changed. */
	record: string;
	/** The date of the change if the data has it. */
	date?: string;
	score?: number;
	campaignId?: number;
	campaignName?: string;
}

const CAMPAIGNS = [
	{ id: 101, name: 'Relationship' },
	{ id: 102, name: 'After purchase' },
];

const TAGS = ['slow', 'late', 'rude'];

/** Returns a change of a record. Every change has another number, and another date if it has one. */
export function changeOf(
	event: string,
	{ record, value, isEarlier, isOfTags }: RandomChange,
	all: ServiceB['state']['feedback'],
	number: number,
): Change {
	const campaign = CAMPAIGNS[record % 2] ?? { id: 0, name: '' };
	const feedback = {
		...all[record % all.length],
		...scored(value % 11),
		id: 2000 + record,
		campaign,
	};
	const date = `2026-01-01T00:00:00.${String(number).padStart(6, '0')}Z`;
	const score = value % 11;
	const of = { campaignId: campaign.id, campaignName: campaign.name };
	const about = { number, event, record: String(record) };
	const tags = [{ name: TAGS[value] ?? `tag ${value}`, category: 'PASSIVE' }];
	switch (event) {
		case 'feedback.added_or_changed': {
			if (isEarlier) {
				const { id } = feedback;
				const data = { id, score, posted_date: '2026-01-01', campaign: campaign.id };
				return { ...about, record: `earlier ${record}`, score, campaignId: campaign.id, data };
			}
			const same = '2025-12-31T00:00:00.000000Z';
			const data = isOfTags
				? { ...feedback, ...scored(3), tags, score_changed: same }
				: { ...feedback, ...scored(score), score_changed: date };
			const changed = isOfTags ? same : date;
			return { ...about, ...of, score: data.score, date: changed, data };
		}
		case 'feedback.tags_added_or_changed':
			return { ...about, ...of, score, data: { ...feedback, tags } };
		case 'feedback.status_changed': {
			const status = value % 2 === 0 ? 'OPEN' : 'CLOSED';
			const data = { ...feedback, status, status_changed: date };
			return { ...about, ...of, score: feedback.score, date, data };
		}
		case 'feedback.removed': {
			const data = { ...feedback, id: 500_000 + number };
			return { ...about, ...of, record: `${data.id}`, score: feedback.score, date: 'once', data };
		}
		case 'metric.score_changed': {
			const data = { campaign_name: campaign.name, nps: value };
			return { ...about, record: campaign.name, campaignName: campaign.name, data };
		}
		case 'contact.unsubscribed':
			return { ...about, data: { id: record, email: `person${record}@example.com` } };
		case 'survey.response_removed':
			return { ...about, data: { id: record, value } };
		default:
			return { ...about, ...of, ...tagChange(event, record, value, campaign) };
	}
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
	if (event === 'tag.removed') {
		return { record: `${id} ${tag(value)}`, data: { campaign, name: tag(value) } };
	}
	const [before, after] = [tag(value), tag((value + 1) % 3)];
	return { record: [id, ...[before, after].sort()].join(' '), data: { campaign, before, after } };
}

/** Returns the data as text, to compare contents. */
export function dataIn({ data }: Change): string {
	return JSON.stringify(data);
}
