import { useBench } from '../surveyB/bench';

const bench = useBench();

test('attributes of the contact and the survey are kept apart, also under one name', async () => {
	const [newest] = bench.service.state.feedback.slice(-1);
	if (!newest?.contact || !newest.survey) throw new Error('The seed has no feedback');
	newest.contact.attributes = { plan: 'Pro' };
	newest.survey.attributes = { plan: 'Trial' };
	const [simplified] = await bench.all('feedback.getAll', { limit: 1 });
	const attributes = { contact: { plan: 'Pro' }, survey: { plan: 'Trial' } };
	expect(simplified?.attributes).toEqual(attributes);
	const options = { answersAsColumns: true };
	const [columns] = await bench.all('feedback.getAll', { limit: 1, options });
	expect(columns).toMatchObject({ plan: 'Pro', 'plan (survey)': 'Trial' });
});

test('Create Feedback fails if the response contains no feedback record', async () => {
	bench.respond(200, { count: 0, results: [] });
	const says = await bench.failure('feedback.create', {
		campaignId: '101',
		email: 'ada@acme.example',
		score: 9,
	});
	expect(says).toContain('unexpected response');
});
