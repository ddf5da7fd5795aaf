import { choicesOf, integer, multiChoice } from '../../shared/fields/kinds';
import { triggerFields } from '../../shared/triggers/settings';
import { ignoreRepeats } from '../../shared/webhooks/webhookTrigger';
import { hookEvents } from '../events';
import { feedback } from '../records';

const filterFields = {
	campaignIds: multiChoice({
		displayName: 'Campaign Names or IDs',
		typeOptions: { loadOptionsMethod: 'getCampaigns' },
		description:
			'Only trigger on events of these campaigns. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	}),
	maxScore: integer({
		displayName: 'Max Score',
		min: 0,
		max: 10,
		default: 10,
		description: 'Only trigger on feedback with this score, 0 to 10, or a lower one',
	}),
	minScore: integer({
		displayName: 'Min Score',
		min: 0,
		max: 10,
		description: 'Only trigger on feedback with this score, 0 to 10, or a higher one',
	}),
	scoreTypes: multiChoice({
		displayName: 'Score Types',
		options: [
			{ name: 'Detractor', value: 'detractor', description: 'Scores 0 to 6' },
			{ name: 'Passive', value: 'passive', description: 'Scores 7 and 8' },
			{ name: 'Promoter', value: 'promoter', description: 'Scores 9 and 10' },
		],
		default: ['detractor'],
		description: 'Only trigger on feedback of these score types',
	}),
	statuses: multiChoice({
		displayName: 'Statuses',
		options: choicesOf('CLOSED', 'OPEN'),
		default: ['OPEN'],
		description: 'Only trigger on feedback with these statuses',
	}),
};

export const { properties, read: readSettings } = triggerFields({
	events: hookEvents,
	preset: 'feedback.added_or_changed',
	record: feedback,
	filters: filterFields,
	options: { ignoreRepeats },
	shown: {
		description:
			'Only trigger on matching events. A filter does not apply to events that lack its field.',
	},
});

export type Settings = ReturnType<typeof readSettings>;
