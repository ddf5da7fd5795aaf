import { SurveyBTrigger } from '../../../nodes/SurveyB/SurveyBTrigger.node';
import { feedback } from '../../../nodes/SurveyB/records';
import { EVENTS } from '../../../sandbox';
import { previews } from '../../../scripts/previews.mts';

const { description } = new SurveyBTrigger();

test('the events that can be chosen are those of the contract', () => {
	const { options = [] } = description.properties.find(({ name }) => name === 'events') ?? {};
	const values = options.flatMap((option) => ('value' in option ? [option.value] : []));
	expect(values).toEqual([...EVENTS].sort());
});

test('the editor previews the simplified item of feedback', () => {
	const { properties = {} } = previews().get('SurveyB/__schema__/v1.1.0.json') ?? {};
	expect(Object.keys(properties)).toEqual([
		'event',
		...Object.keys(feedback.simplified),
		'deliveryId',
	]);
});
