import type { IDataObject, IHookFunctions } from 'n8n-workflow';

import { WorkflowMemory } from '../../../nodes/SurveyB/trigger/state/memory';

const changeOf = (number: number) => ({
	subject: `feedback ${number}`,
	content: 'same',
	deliveryId: '',
	isDated: true,
});

test('Survey B Trigger remembers the last 1,000 deliveries of a workflow', async () => {
	const data: IDataObject = {};
	const context: Pick<IHookFunctions, 'getInstanceId' | 'getWorkflow' | 'getWorkflowStaticData'> = {
		getInstanceId: () => 'instance',
		getWorkflow: () => ({ id: 'workflow', name: 'Workflow', active: true }),
		getWorkflowStaticData: () => data,
	};
	const memory = WorkflowMemory.of(context);
	const isRepeat = async (number: number) => {
		const end = await memory.claim('node', changeOf(number), -Infinity);
		end?.(true);
		return end === undefined;
	};
	for (let number = 1; number <= 1001; number++) expect(await isRepeat(number)).toBe(false);
	memory.save(context);
	expect(data.surveyBTrigger).toMatchObject({ deliveries: { length: 1000 } });
	expect(await isRepeat(1001)).toBe(true);
	expect(await isRepeat(1)).toBe(false);
});
