/** @jest-environment ./test/support/n8nEnvironment.mts */
import { host, rowsInto, sandbox, withHost } from '../support/n8n.mts';
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
