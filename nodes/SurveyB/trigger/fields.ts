import type { IDataObject } from 'n8n-workflow';

import { flag, integer, multiChoice, text } from '../../shared/fields/fields';
import { passes, triggerFields } from '../../shared/triggers';
import { events } from '../parameters/fields';
import { feedback } from '../records/feedback';
import { eventCampaignId, eventCampaignName, scoreTypeOf } from './events';

const filters = {
	campaignIds: multiChoice({
		displayName: 'Campaign Names or IDs',
		typeOptions: { loadOptionsMethod: 'getCampaigns' },
		description:
			'Only trigger on events of these campaigns. Without this option, all trigger. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	}),
	maxScore: integer({
		displayName: 'Max Score',
		min: 0,
		max: 10,
		default: 10,
		description:
			'Only trigger on feedback with this score, 0 to 10, or a lower one. Without this option, all trigger.',
	}),
	minScore: integer({
		displayName: 'Min Score',
		min: 0,
		max: 10,
		description:
			'Only trigger on feedback with this score, 0 to 10, or a higher one. Without this option, all trigger.',
	}),
	scoreTypes: multiChoice({
		displayName: 'Score Types',
		options: [
			{ name: 'Detractor', value: 'detractor', description: 'Scores 0 to 6' },
			{ name: 'Passive', value: 'passive', description: 'Scores 7 and 8' },
			{ name: 'Promoter', value: 'promoter', description: 'Scores 9 and 10' },
		],
		default: ['detractor'],
		description: 'Only trigger on feedback of these score types. Without this option, all trigger.',
	}),
	statuses: multiChoice({
		displayName: 'Statuses',
		options: [
			{ name: 'Closed', value: 'CLOSED' },
			{ name: 'Open', value: 'OPEN' },
		],
		default: ['OPEN'],
		description: 'Only trigger on feedback with these statuses. Without this option, all trigger.',
	}),
};

const customEvents = text({
	displayName: 'Custom Events',
	noDataExpression: true,
	placeholder: 'e.g. survey.response_added_or_changed',
	description:
		'Names of other events, as Survey B calls them, separated by commas. Without this option, there are none.',
});

const ignoreRepeats = flag({
	displayName: 'Ignore Repeats',
	description:
		'Whether to skip a delivery that repeats one of the last 1,000 of this workflow. Without this option, repeats are skipped.',
});

export const { properties, read: readSettings } = triggerFields({
	events,
	preset: 'feedback.added_or_changed',
	record: feedback,
	filters,
	options: { customEvents, ignoreRepeats },
	shown: {
		description:
			'Only trigger on matching events. A filter does not apply to events that lack its field.',
	},
});

export type Settings = ReturnType<typeof readSettings>;

type Filters = Settings['filters'];

/** Returns true unless a filter rejects the data. A filter does not apply to data that lacks its field. */
export function isWanted(filters: Filters, data: IDataObject): boolean {
	const listed = (...values: unknown[]) => {
		const known = values.filter((value) => typeof value === 'string');
		return known.length > 0 ? known : undefined;
	};
	return passes(filters, {
		score: typeof data.score === 'number' ? data.score : undefined,
		values: {
			scoreTypes: listed(scoreTypeOf(data)),
			campaignIds: listed(eventCampaignId(data), eventCampaignName(data)),
			statuses: listed(data.status),
		},
	});
}

/**
 * Says why a filter by campaigns cannot be right for an event: it has names only and the event an ID only, or the other
 * way round.
 */
export function campaignMismatch({ campaignIds = [] }: Filters, data: IDataObject) {
	const [id, name] = [eventCampaignId(data), eventCampaignName(data)];
	const isId = (wanted: string) => /^\d+$/.test(wanted);
	if (campaignIds.length === 0 || (id === undefined) === (name === undefined)) return undefined;
	if (id !== undefined && !campaignIds.some(isId)) {
		return `An event of campaign ${id} has only the ID of its campaign, and the filter 'Campaign Names or IDs' only names. It started no run. Add the IDs to the filter`;
	}
	if (id === undefined && campaignIds.every(isId)) {
		return `An event has only the name of its campaign, and the filter 'Campaign Names or IDs' only IDs. It started no run. Add the names to the filter`;
	}
	return undefined;
}
