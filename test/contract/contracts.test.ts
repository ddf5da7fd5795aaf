import { watchers } from '../../sandbox/core/service';
import { requestProblems, responseProblems } from '../support/contracts/endpoint.mts';
import { CONTRACT_A } from '../support/contracts/serviceA.mts';
import { contractOf } from '../support/contracts/watch';
import { runSample, samplesOf } from '../support/samples';
import { request, useSandbox } from '../support/sandbox';

const sandbox = useSandbox();

test('the sandbox responds to each operation with the fields that its contract shows', async () => {
	const problems: string[] = [];
	const samples = samplesOf(sandbox);
	const responding = new Set<string>();
	let current = '';
	const watch: Parameters<typeof watchers.add>[0] = (service, sent, { status, text }) => {
		if (status >= 300) return;
		responding.add(current);
		problems.push(...responseProblems(contractOf(service), sent, text));
	};
	watchers.add(watch);
	try {
		for (const sample of samples) {
			sandbox.a.reset();
			sandbox.b.reset();
			current = `${sample.node} ${sample.name}`;
			await runSample(sandbox, sample);
		}
	} finally {
		watchers.delete(watch);
	}
	expect(problems).toEqual([]);
	const silent = samples
		.map(({ node, name }) => `${node} ${name}`)
		.filter((name) => !responding.has(name));
	// There is no webhook to delete.
	expect(silent).toEqual(['surveyB webhook.delete']);
});

test('a response of an endpoint that its contract does not show is named with the place of the endpoints', async () => {
	const { a } = sandbox;
	await request(a, 'GET /api/v2/campaigns');
	const problems = a.requests.map((sent) =>
		responseProblems(CONTRACT_A, { ...sent, path: '/api/v2/campaign' }, '{"data":{}}'),
	);
	expect(problems).toEqual([
		['GET /api/v2/campaign is not in the contract: test/support/contracts has the endpoints'],
	]);
});

test('a request with a field, a parameter or a path that its contract does not show is noticed', async () => {
	const { a } = sandbox;
	await request(a, 'GET /api/v2/campaigns');
	const [sent] = a.requests;
	const withLine = (method: string, url: string, body?: object) => {
		const rawBody = body ? JSON.stringify(body) : '';
		const [path = ''] = url.split('?');
		if (!sent) throw new Error('The sandbox received no request');
		return requestProblems(CONTRACT_A, { ...sent, method, url, path, rawBody, body });
	};
	expect(withLine('GET', '/api/v2/campaigns')).toEqual([]);
	expect(withLine('GET', '/api/v2/campaigns?page=1')).toHaveLength(1);
	expect(withLine('GET', '/api/v2/campaign')).toEqual([
		'GET /api/v2/campaign is not in the contract: test/support/contracts has the endpoints',
	]);
	expect(withLine('DELETE', '/api/v2/nps/customers', { subscribers: [{ id: 'x' }] })).not.toEqual(
		[],
	);
});
