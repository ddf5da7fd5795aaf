/** @jest-environment ./test/support/n8nEnvironment.mts */
import axios from 'axios';

import { WITH_EDITOR } from '../support/freshN8n.mts';
import { host, rowsInto, sandbox, withHost } from '../support/n8n.mts';
import { freshSample, operationNames, samplesOf } from '../support/samples';

// Runs every operation of both nodes in a real n8n with the packed package.

// n8n serves previews and icons with its editor.
withHost(WITH_EDITOR);

const all = [...operationNames.surveyA, ...operationNames.surveyB];

test('every operation succeeds in a real n8n', async () => {
	const worked = new Set<string>();
	const count = samplesOf(sandbox).length;
	for (let index = 0; index < count; index++) {
		const sample = freshSample(sandbox, index);
		const type = `n8n-nodes-surveys.${sample.node}`;
		const node = { type, parameters: { ...sample.parameters }, credentials: host.credentials };
		const id = await host.n8n.createWorkflow(rowsInto(node, [{ row: 1 }]));
		const execution = await host.n8n.run(id);
		const failure = `${sample.node} ${sample.name}: ${execution.error?.message}`;
		expect(execution.error === undefined ? '' : failure).toBe('');
		const items = execution.items('Tested');
		expect(items.length).toBeGreaterThan(0);
		for (const { pairedItem } of items) expect(pairedItem).toMatchObject({ item: 0 });
		worked.add(sample.name.replace(/ .*/, ''));
	}
	expect([...worked].sort()).toEqual([...new Set(all)].sort());
}, 300_000);

test('n8n serves an output preview of every operation, and themed icons', async () => {
	for (const node of ['surveyA', 'surveyB'] as const) {
		const type = `n8n-nodes-surveys.${node}`;
		for (const name of operationNames[node]) {
			const path = `/schemas/${type}/1.0.0/${name.replace('.', '/')}.json`;
			const { data } = await axios.get(`${host.n8n.url}${path}`);
			expect(data).toMatchObject({ type: 'object', version: 1 });
		}
		const described = await host.n8n.nodeType(type);
		expect(described).toMatchObject({ iconUrl: { light: expect.stringContaining('.svg') } });
	}
});
