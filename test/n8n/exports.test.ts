/** @jest-environment ./test/support/n8nEnvironment.mts */
import { chain } from '../../host/index.mts';
import { host, rowsInto, sandbox, withHost } from '../support/n8n.mts';
import { createTable, recordsOf } from '../support/dataTable.mts';
import { EXPORTS, toSurveyA, toSurveyB, ZONE } from '../support/exports';

// Exports of CRMs and spreadsheets go through Edit Fields to Send in a real n8n.

withHost();

test.each(Object.entries(EXPORTS))(
	'a row of %s reaches both services byte by byte in a real n8n',
	async (_, exported) => {
		const { n8n, credentials } = host;
		const toA = {
			type: 'n8n-nodes-surveys.surveyA',
			...toSurveyA(exported, '64a000000000000000000003'),
		};
		const toB = { type: 'n8n-nodes-surveys.surveyB', ...toSurveyB(exported) };
		for (const { type, parameters, body } of [toA, toB]) {
			const service = type.endsWith('A') ? sandbox.a : sandbox.b;
			service.reset();
			const workflow = rowsInto({ type, parameters, credentials }, [exported.row]);
			const settings = { ...workflow.settings, timezone: ZONE };
			const { error } = await n8n.run(await n8n.createWorkflow({ ...workflow, settings }));
			expect(error).toBeUndefined();
			const written = service.requests.filter(({ method }) => method === 'POST');
			expect(written.map(({ rawBody }) => rawBody)).toEqual([body]);
		}
	},
);

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
