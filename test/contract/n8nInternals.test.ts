import { CredentialTestContext } from 'n8n-core';
import type { INodeExecutionData, INodeParameters, INodeType } from 'n8n-workflow';

import { markAsFailed } from '../../nodes/shared/n8nInternals';
import { onItsOwnClock } from '../support/clock.mts';
import { EMAIL_FROM_ROW, mapped, people } from '../support/columns';
import { additionalData, addNodeType } from '../support/engine';
import { runOperation } from '../support/runOperation';
import type { RunSettings } from '../support/runOperation';
import { SurveyB } from '../../nodes/SurveyB/SurveyB.node.ts';
import { useSandbox } from '../support/sandbox';

// Fails when n8n changes something that nodes/shared/n8nInternals.ts relies on.

const sandbox = useSandbox();

afterAll(async () => {
	addNodeType('surveyB', new SurveyB());
});

const send = (parameters: INodeParameters, settings: RunSettings) =>
	runOperation(sandbox.b, 'survey.send', { campaignId: '101', ...parameters }, settings);

/** Runs a node with an error output that returns these items; returns the items of each output. */
async function routed(items: INodeExecutionData[]): Promise<INodeExecutionData[][]> {
	const node: INodeType = Object.assign(new SurveyB(), { execute: async () => [items] });
	addNodeType('surveyB', node);
	const input = [{ column: 1, error: 'own' }];
	const { output } = await send({}, { input, onError: 'continueErrorOutput' });
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
	await send(EMAIL_FROM_ROW, { input: people(3) });
	expect(sandbox.b.state.sent).toHaveLength(3);
	// Once to use it, and once to check that rows do not have different credentials.
	expect(decrypt).toHaveBeenCalledTimes(2);
	decrypt.mockRestore();
});

test('n8n gives a credential test no HTTP helper other than the deprecated request', () => {
	const { helpers } = new CredentialTestContext(additionalData({}));
	expect(Object.keys(helpers).sort()).toEqual(['getSSHClient', 'request', 'updateLastUsed']);
});

test.each(['hang', 'drip', 'drip-headers'] as const)(
	'in a run, the time limit of a request ends one whose response is: %s',
	async (kind) => {
		addNodeType('surveyB', new SurveyB());
		sandbox.b.faults.add({ kind });
		const row = mapped({ email: 'ada@acme.example' });
		const { error } = await onItsOwnClock(async () => await send(row, {}));
		expect(error?.message).toMatch(/the request whose response was lost/);
	},
);
