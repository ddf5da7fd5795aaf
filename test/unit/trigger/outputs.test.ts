import { NodeHelpers, Workflow } from 'n8n-workflow';
import type { INodeParameters, INodeType } from 'n8n-workflow';

import { propertiesOf } from '../../../nodes/shared/fields/kinds';
import { outputs, routeBy, routeItems } from '../../../nodes/shared/triggers/routing';
import { addNodeType, nodeOf, nodeTypes } from '../../support/engine';

const type: INodeType = {
	description: {
		displayName: 'Example Trigger',
		name: 'exampleTrigger',
		group: ['trigger'],
		version: 1,
		description: '',
		defaults: {},
		inputs: [],
		outputs,
		properties: propertiesOf({ routeBy }),
	},
};

addNodeType('exampleTrigger', type);

/** Returns the names of the outputs that n8n draws. */
function drawn(parameters: INodeParameters) {
	const node = nodeOf('Example', 'exampleTrigger', parameters);
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	return NodeHelpers.getNodeOutputs(workflow, node, type.description).map((output) =>
		typeof output === 'string' ? output : output.displayName,
	);
}

test('the editor draws one output, or one for each score type and one for the rest', () => {
	expect(drawn({})).toEqual([undefined]);
	expect(drawn({ routeBy: 'none' })).toEqual([undefined]);
	const names = drawn({ routeBy: 'scoreType' });
	expect(names).toEqual(['Detractor', 'Passive', 'Promoter', 'Other']);
	const items = ['promoter', 'detractor', undefined, 'passive', 'no score type'];
	const routed = routeItems(true, items, (item) => item);
	expect(routed).toEqual([['detractor'], ['passive'], ['promoter'], [undefined, 'no score type']]);
	expect(routeItems(false, items, (item) => item)).toEqual([items]);
});
