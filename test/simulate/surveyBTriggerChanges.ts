import { EVENTS as CONTRACT_EVENTS } from '../../sandbox';

// Changes at a service as the contract writes them (section Events), in both revisions.

/** The events of the contract, and one that only shop accounts have. */
export const EVENTS = [...CONTRACT_EVENTS, 'survey.response_removed'];

/** Random numbers that choose a change. Small ranges, so that changes often meet the same record. */
export interface RandomChange {
	event: number;
	record: number;
	value: number;
	/** True for a payload of the earlier revision of the webhooks, or for a contact without an ID. */
	isEarlier: boolean;
	/** True if only the tags change, and not the date of the score. */
	isOfTags: boolean;
}

/** A real change at a service. */
export interface Change {
	/** Equal for every delivery of the change. */
	number: number;
	event: string;
	data: object;
	/** The record that changed, with the date of the change if the data has it: deliveries are compared within it. */
	subject: string;
	/** True if the data has the date of the change, so that an equal one is a repeat however late it comes. */
	isDated: boolean;
	/** That of the data: only feedback has one, by which a filter can hold a delivery back. */
	score?: number;
}

type Data = Record<string, unknown> & { score?: number };

const TAGS = ['slow', 'late', 'rude'];
const CAMPAIGN = { id: 101, name: 'Relationship' };

/** @param number differs for each change, and so does its date if it has one */
export function changeOf(
	event: string,
	{ record, value, isEarlier, isOfTags }: RandomChange,
	number: number,
): Change {
	const date = `2026-01-01T00:00:00.${String(number).padStart(6, '0')}Z`;
	const score = value % 11;
	const about = { number, event, isDated: false };
	const undated = (subject: unknown, data: Data) => ({
		...about,
		subject: JSON.stringify([event, subject]),
		data,
		score: data.score,
	});
	const dated = (subject: unknown, data: Data, at = date) => ({
		...undated([subject, at], data),
		isDated: true,
	});
	const tags = [{ name: TAGS[value] ?? `tag ${value}`, category: 'PASSIVE' }];
	const feedback = { id: 2000 + record, score, campaign: CAMPAIGN, tags: [] };
	const earlier = { id: 2000 + record, score, posted_date: '2026-01-01', campaign: 101 };
	switch (event) {
		case 'feedback.added_or_changed': {
			if (isEarlier) return undated(['earlier', record], earlier);
			const same = '2025-12-31T00:00:00.000000Z';
			if (isOfTags) {
				return dated(record, { ...feedback, score: 3, tags, score_changed: same }, same);
			}
			return dated(record, { ...feedback, score_changed: date });
		}
		case 'feedback.tags_added_or_changed':
			return undated(record, { ...feedback, tags });
		case 'feedback.status_changed': {
			const status = value % 2 === 0 ? 'OPEN' : 'CLOSED';
			return dated(record, { ...feedback, status, status_changed: date });
		}
		case 'feedback.removed':
			return dated(number, { ...feedback, id: 500_000 + number });
		case 'metric.score_changed':
			return undated(record, { campaign_name: `Campaign ${record}`, nps: value });
		case 'contact.unsubscribed': {
			const email = `person${record}@example.com`;
			return undated([record, isEarlier], isEarlier ? { email } : { id: record, email });
		}
		case 'survey.response_removed':
			return undated(record, { id: record, value });
		case 'tag.merged':
		case 'tag.removed':
		case 'tag.renamed': {
			const campaign = { id: 101 + record, Name: 'Relationship' };
			const tag = (at: number) => TAGS[at] ?? `tag ${at}`;
			// The first two are a change and the change back.
			const pair = { before: tag(value), after: tag(value === 0 ? 1 : 0) };
			const named = event === 'tag.removed' ? { name: tag(value) } : pair;
			const all = Object.values(named).sort();
			return undated([record, all], { campaign, ...named });
		}
		default:
			throw new RangeError(`Add changes of ${event}`);
	}
}

/** Returns data with its fields in the opposite order, as a service may send them the next time. */
export function reversed(data: unknown): unknown {
	if (Array.isArray(data)) return data.map(reversed);
	if (typeof data !== 'object' || data === null) return data;
	const entries = Object.entries(data).reverse();
	return Object.fromEntries(entries.map(([name, value]) => [name, reversed(value)]));
}
