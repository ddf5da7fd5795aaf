import { SurveyBTrigger } from '../../../nodes/SurveyB/SurveyBTrigger.node';
import { feedback } from '../../../nodes/SurveyB/records/feedback';
import { EVENT_TYPES, eventLabels, triggerItemRecord } from '../../../nodes/SurveyB/trigger/events';

const { description } = new SurveyBTrigger();

function choices(name: string): string[] {
	const field = description.properties.find((property) => property.name === name);
	return (field?.options ?? []).flatMap((option) =>
		'value' in option ? [String(option.value)] : [],
	);
}

test('the events that can be chosen are those that have a schema', () => {
	expect(choices('events')).toHaveLength(9);
	expect(choices('events').sort()).toEqual([...EVENT_TYPES.keys()].sort());
});

test('each event has an output with a name that fits in the editor', () => {
	expect(Object.keys(eventLabels).sort()).toEqual([...EVENT_TYPES.keys()].sort());
	const labels = Object.values(eventLabels);
	expect(new Set(labels).size).toBe(9);
	expect(labels.filter(({ length }) => length === 0 || length > 12)).toEqual([]);
	for (const label of labels) expect(description.outputs).toContain(label);
});

test('the editor previews the simplified item of feedback', () => {
	expect(Object.keys(triggerItemRecord().shape)).toEqual([
		'event',
		'deliveryId',
		...Object.keys(feedback.simplified),
	]);
});
