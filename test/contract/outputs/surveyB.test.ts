import { useBench } from '../surveyB/bench';

const bench = useBench();

test('simplified feedback of Survey B has the ten documented fields', async () => {
	const [feedback] = await bench().all('feedback.getAll', { limit: 1 });
	expect(Object.keys(feedback ?? {})).toEqual([
		'id',
		'created',
		'score',
		'score_type',
		'comment',
		'status',
		'email',
		'campaign_name',
		'tags',
		'attributes',
	]);
});

test('the raw output of Update Status keeps the field names of the response', async () => {
	const feedbackId = String(bench().service.state.feedback.at(-1)?.id);
	const raw = await bench().one('feedback.updateStatus', {
		feedbackId,
		status: 'CLOSED',
		simplify: false,
	});
	expect(raw).toHaveProperty('score_created');
	expect(raw).not.toHaveProperty('created');
	const simplified = await bench().one('feedback.updateStatus', { feedbackId, status: 'OPEN' });
	expect(simplified.created).toBe(raw.score_created);
});

test('Answers as Columns gives attributes of the contact and the survey columns of their own', async () => {
	const [newest] = bench().service.state.feedback.slice(-1);
	if (!newest) throw new Error('The seed has no feedback');
	const items = await bench().all('feedback.getAll', {
		returnAll: true,
		options: { answersAsColumns: true },
	});
	const columns = items.map((item) => Object.keys(item).sort().join());
	expect(new Set(columns).size).toBe(1);
	expect(items[0]).not.toHaveProperty('attributes');
});

test('Create Feedback fails if the response contains no feedback record', async () => {
	bench().service.faults.add({ kind: { status: 200, body: { count: 0, results: [] } } });
	const says = await bench().failure('feedback.create', {
		campaignId: '101',
		email: 'ada@acme.example',
		score: 9,
	});
	expect(says).toContain('unexpected response');
});

test('Return All sorts contacts by the field and direction that were chosen', async () => {
	const emails = async (direction: string) => {
		const items = await bench().all('contact.getAll', {
			returnAll: true,
			sort: { property: { field: 'email', direction } },
		});
		return items.map(({ email }) => String(email));
	};
	const ascending = await emails('asc');
	expect(ascending).toEqual([...ascending].sort());
	expect(await emails('desc')).toEqual([...ascending].reverse());
});
