import { CredentialTestContext } from 'n8n-core';
import type { INodeExecutionData, INodeType } from 'n8n-workflow';

import { markAsFailed } from '../../nodes/shared/n8nInternals';
import { mapped } from '../support/columns';
import { additionalData, addNodeType, runNode } from '../support/engine';
import { SurveyB } from '../../nodes/SurveyB/SurveyB.node.ts';
import { useSandbox } from '../support/sandbox';

// Fails when n8n changes something that nodes/shared/n8nInternals.ts relies on.

const sandbox = useSandbox();

afterAll(async () => {
	addNodeType('surveyB', new SurveyB());
});

const SEND = {
	resource: 'survey',
	operation: 'send',
	campaignId: '101',
	...mapped({ email: 'ada@acme.example' }),
};

/** Runs a node with an error output that returns these items; returns the items of each output. */
async function routed(items: INodeExecutionData[]): Promise<INodeExecutionData[][]> {
	const node: INodeType = Object.assign(new SurveyB(), { execute: async () => [items] });
	addNodeType('surveyB', node);
	const { output } = await runNode({
		node: 'surveyB',
		parameters: SEND,
		input: [{ column: 1, error: 'own' }],
		credential: {},
		onError: 'continueErrorOutput',
	});
	return output;
}

const pairedItem = { item: 0 };

test('n8n moves a marked item to the error output, whatever its JSON holds, and adds the columns', async () => {
	const json = { error: 'E', details: { code: 1 }, other: true };
	expect(await routed([markAsFailed({ json, pairedItem }, 'E')])).toEqual([
		[],
		[{ json: { column: 1, ...json }, pairedItem }],
	]);
});

test('a marked item has its message as an error that n8n does not copy', () => {
	const item = markAsFailed({ json: {} }, 'E');
	expect(item.error).toEqual({ message: 'E' });
	expect(Object.keys(item)).toEqual(['json']);
});

test('n8n moves an unmarked item with only error and details to the error output', async () => {
	const json = { error: 'E', details: { code: 1 } };
	expect(await routed([{ json, pairedItem }])).toEqual([
		[],
		[{ json: { column: 1, ...json }, pairedItem }],
	]);
});

test('n8n leaves an item with other columns beside its error on the first output', async () => {
	const json = { error: 'E', other: true };
	expect(await routed([{ json, pairedItem }])).toEqual([[{ json, pairedItem }], []]);
});

test('n8n decrypts the credential for a run, and not for each request', async () => {
	addNodeType('surveyB', new SurveyB());
	const { credentialsHelper } = additionalData({});
	const decrypt = jest.spyOn(Object.getPrototypeOf(credentialsHelper), 'getDecrypted');
	await runNode({
		node: 'surveyB',
		parameters: { ...SEND, ...mapped({ email: '={{ $json.email }}' }) },
		input: [1, 2, 3].map((i) => ({ email: `person${i}@example.com` })),
		credential: { baseUrl: sandbox.b.url, apiKey: sandbox.b.apiKey },
	});
	expect(sandbox.b.state.sent).toHaveLength(3);
	// Once to use it, and once to check that rows do not have different credentials.
	expect(decrypt).toHaveBeenCalledTimes(2);
	decrypt.mockRestore();
});

test('n8n gives a credential test no HTTP helper other than the deprecated request', () => {
	const { helpers } = new CredentialTestContext(additionalData({}));
	expect(Object.keys(helpers).sort()).toEqual(['getSSHClient', 'request', 'updateLastUsed']);
});

test("n8n aborts a request by the request's own signal while the run goes on", async () => {
	addNodeType('surveyB', new SurveyB());
	sandbox.b.faults.add({ kind: 'drip' });
	const { error } = await runNode({
		node: 'surveyB',
		parameters: { ...SEND, options: { timeout: 0.2 } },
		credential: { baseUrl: sandbox.b.url, apiKey: sandbox.b.apiKey },
	});
	expect(error?.message).toMatch(/the request whose response was lost/);
});
