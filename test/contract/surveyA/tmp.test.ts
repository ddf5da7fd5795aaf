import { startServiceA } from '../../../sandbox';
import { runNode } from '../../support/engine';
test('x', async () => {
	const a = await startServiceA();
	const r = await runNode({ node: 'surveyA', parameters: { resource: 'template', operation: 'getAll' }, credential: { baseUrl: a.url, apiKey: a.apiKey } });
	console.log(r.error, r.error?.stack, JSON.stringify(r.output), a.requests);
	await a.close();
});
