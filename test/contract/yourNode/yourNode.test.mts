import { once } from 'node:events';
import { readFileSync } from 'node:fs';

import express from 'express';
import type { INodeParameters } from 'n8n-workflow';

import { addNodeType, runNode } from '../../support/engine';
import { SurveyC } from './surveyC';

/** A service of a third kind: `lost` says how many writes get a 502 after they were processed. */
function serviceC() {
	const people = Array.from({ length: 250 }, (_, i) => ({
		id: `p${i}`,
		email: `p${i}@example.com`,
	}));
	const state = { people, requests: 0, lost: 0, failing: 0 };
	const app = express().use(express.json());
	app.use((_request, response, next) => {
		state.requests++;
		if (state.failing-- > 0) response.status(503).end();
		else next();
	});
	app.get('/v1/people', ({ query }, response) => {
		const size = Number(query.size);
		const from = (Number(query.page) - 1) * size;
		response.json({ people: people.slice(from, from + size), total: people.length });
	});
	app.post('/v1/people', ({ body }, response) => {
		people.push({ id: `p${people.length}`, ...body });
		if (state.lost-- > 0) response.status(502).end();
		else response.json(people.at(-1));
	});
	return { state, app };
}

const { state, app } = serviceC();
addNodeType('surveyC', new SurveyC());

let server: ReturnType<typeof app.listen>;
let baseUrl: string;
beforeAll(async () => {
	server = app.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const address = server.address();
	baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1/`;
});
beforeEach(() => Object.assign(state, { requests: 0, lost: 0, failing: 0 }));
afterAll(() => server.close());

async function run(operation: string, parameters: INodeParameters, emails = ['']) {
	const { output, error } = await runNode({
		node: 'surveyC',
		parameters: { resource: 'person', operation, ...parameters },
		input: emails.map((email) => ({ email })),
		credential: { baseUrl, apiKey: 'key-of-survey-c' },
		onError: 'continueRegularOutput',
	});
	if (error) throw error;
	return (output[0] ?? []).map(({ json }) => json);
}

describe('the node of nodes/shared/README.md', () => {
	test.each(['service', 'resource', 'node'])('is what the page shows: its %s', (region) => {
		const code = readFileSync('test/contract/yourNode/surveyC.ts', 'utf8')
			.split(`// #region ${region}\n`)[1]
			?.split('// #endregion')[0];
		expect(code).toBeTruthy();
		expect(readFileSync('nodes/shared/README.md', 'utf8')).toContain(code);
	});

	test('returns all people, and asks again when the service is down for a moment', async () => {
		state.failing = 1;
		const people = await run('getAll', { returnAll: true });
		expect(new Set(people.map(({ id }) => id))).toEqual(new Set(state.people.map(({ id }) => id)));
	});

	test('creates nobody twice when the response is lost, and goes on with the other items', async () => {
		state.lost = 1;
		const email = '={{ $json.email }}';
		const before = state.people.length;
		const created = await run('create', { email }, ['ann@example.com', '', 'bo@example.com']);
		expect(
			state.people
				.slice(before)
				.map((person) => person.email)
				.sort(),
		).toEqual(['ann@example.com', 'bo@example.com']);
		expect(created.filter(({ error }) => error === undefined)).toHaveLength(1);
		expect(created[1]?.error).toMatch(/'Email' is missing/);
		expect(JSON.stringify(created)).toMatch(/The request may have been processed/);
	});

	test('shows what it would send in a dry run', async () => {
		const [planned] = await run('create', { email: 'eve@example.com', options: { dryRun: true } });
		expect(planned).toMatchObject({ wouldSend: { path: '/v1/people' } });
		expect(state.requests).toBe(0);
	});
});
