import { multiChoice, number } from '../../shared/fields/kinds';
import { eventChoices, startDate } from '../../shared/polling/pollingTrigger';
import { triggerFields } from '../../shared/triggers/settings';
import { feedback } from '../records/feedback';
import { EVENT_LISTS } from './eventLists';

/** Shows a filter only if the trigger listens to feedback. */
const forFeedback = { displayOptions: { show: { '/events': ['feedback.created'] } } };

export const { properties, read: readSettings } = triggerFields({
	events: eventChoices(EVENT_LISTS),
	preset: 'feedback.created',
	record: feedback,
	filters: {
		campaignIds: multiChoice({
			displayName: 'Campaign Names or IDs',
			typeOptions: { loadOptionsMethod: 'getCampaigns' },
			description:
				'Only trigger on feedback and sent surveys of these campaigns. Without this option, all trigger. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
		}),
		maxScore: number({
			displayName: 'Max Score',
			...forFeedback,
			default: 10,
			description:
				'Only trigger on feedback with this score or lower, such as 6 for detractors. NPS goes from 0 to 10; the scales of CSAT, CES and STAR are not documented. Without this option, all trigger.',
		}),
		metrics: multiChoice({
			displayName: 'Metrics',
			...forFeedback,
			options: [
				{ name: 'CES', value: 'CES' },
				{ name: 'CSAT', value: 'CSAT' },
				{ name: 'NPS', value: 'NPS' },
				{ name: 'Star Rating', value: 'STAR' },
			],
			description:
				'Only trigger on feedback to surveys that measure this. Without this option, all trigger.',
		}),
		minScore: number({
			displayName: 'Min Score',
			...forFeedback,
			description:
				'Only trigger on feedback with this score or higher, such as 9 for promoters. Without this option, all trigger.',
		}),
	},
	options: { startDate },
	shown: {
		description:
			'Only trigger on matching events. A filter does not apply to events that lack its field: customers and companies always trigger.',
		displayOptions: { show: { events: ['feedback.created', 'survey.sent'] } },
	},
});

export type Settings = ReturnType<typeof readSettings>;
