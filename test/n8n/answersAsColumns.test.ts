/** @jest-environment ./test/support/n8nEnvironment.mts */
import { chain } from '../../host/index.mts';
import { host, sandbox, withHost } from '../support/n8n.mts';
import { createTable, recordsOf } from '../support/dataTable.mts';

withHost();

test('Answers as Columns is inserted into an n8n data table, with lists as text and the ID in a column of its own', async () => {
	const [feedback] = sandbox.a.state.feedback;
	if (!feedback) throw new Error('The seed has no feedback');
	feedback.customProps = [{ name: 'Products', type: 'collection', value: ['CRM', 'Chat'] }];
	const [question] = feedback.additionalQuestions;
	const value = {
		feedback_id: '={{ $json.id }}',
		score: '={{ $json.score }}',
		answer: `={{ $json[${JSON.stringify(question?.questionText)}] }}`,
		products: '={{ $json.Products }}',
	};
	const names = Object.keys(value);
	const column = names.map((name) => ({ name, type: name === 'score' ? 'number' : 'string' }));
	const schema = column.map((one) => ({ ...one, id: one.name, displayName: one.name }));
	await createTable(host.n8n, 'Answers', column);
	const nodes = [
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
		{
			...{ name: 'Feedback', type: 'n8n-nodes-surveys.surveyA', credentials: host.credentials },
			parameters: {
				...{ resource: 'feedback', operation: 'get', feedbackId: feedback.id },
				options: { answersAsColumns: true },
			},
		},
		{
			...{ name: 'Insert', type: 'n8n-nodes-base.dataTable', typeVersion: 1.1 },
			parameters: {
				...{ resource: 'row', operation: 'insert' },
				dataTableId: { __rl: true, mode: 'name', value: 'Answers' },
				columns: { mappingMode: 'defineBelow', value, schema },
			},
		},
	];
	const connections = chain('Start', 'Feedback', 'Insert');
	const { error } = await host.n8n.run(
		await host.n8n.createWorkflow({ name: 'Answers', nodes, connections }),
	);
	expect(error).toBeUndefined();
	const answer = String(question?.answer);
	expect(await recordsOf(host.n8n, 'Answers')).toMatchObject([
		{ feedback_id: feedback.id, score: feedback.score, answer, products: 'CRM, Chat' },
	]);
});
