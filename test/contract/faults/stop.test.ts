import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { onItsOwnClock } from '../../support/clock.mts';
import { mapped } from '../../support/columns';
import { runNode } from '../../support/engine';
import { useSandbox } from '../../support/sandbox';

const sandbox = useSandbox();

const run = async (parameters: INodeParameters, input: IDataObject[], requestsPerMinute = 0) =>
	await onItsOwnClock(
		async () =>
			await runNode({
				node: 'surveyB',
				parameters,
				input,
				credential: {
					baseUrl: sandbox.b.url,
					apiKey: sandbox.b.apiKey,
					requestsPerMinute,
				},
			}),
	);

const send = async (requestsPerMinute?: number) =>
	await run(
		{
			resource: 'survey',
			operation: 'send',
			campaignId: '101',
			...mapped({ email: '={{ $json.email }}' }),
		},
		Array.from({ length: 8 }, (_, item) => ({ email: `person${item}@example.com` })),
		requestsPerMinute,
	);

test('rows that wait after a 429 are not sent once a row failed with On Error = stop', async () => {
	const { b } = sandbox;
	b.faults.add({
		when: ({ rawBody }) => rawBody.includes('person7@'),
		kind: { status: 400, body: { detail: 'No' } },
	});
	b.faults.add({ times: 7, kind: { status: 429, headers: { 'retry-after': '3' } } });
	const { error } = await send();
	expect(error?.message).toMatch(/No \(HTTP 400\) \[item 7\]/);
	expect(b.state.sent).toEqual([]);
	expect(new Set(b.requests.map(({ at }) => at)).size).toBe(1);
});

test('rows that wait because of Requests per Minute are not sent once a row failed with On Error = stop', async () => {
	const { b } = sandbox;
	b.faults.add({
		when: ({ rawBody }) => rawBody.includes('person0@'),
		kind: { status: 400, body: { detail: 'No' } },
	});
	const { error } = await send(60);
	expect(error?.message).toContain('0 of 8 rows were sent before it');
	expect(b.requests).toHaveLength(1);
});

test('a second update of a contact is not sent once the first one failed with On Error = stop', async () => {
	const { b } = sandbox;
	b.faults.add({ kind: { status: 400, body: { detail: 'No' } } });
	const upsert = { resource: 'contact', operation: 'upsert' };
	const { error } = await run({ ...upsert, ...mapped({ email: 'a@b.example' }) }, [{}, {}]);
	expect(error?.message).toContain('No (HTTP 400) [item 0]');
	expect(b.requests).toHaveLength(1);
});
