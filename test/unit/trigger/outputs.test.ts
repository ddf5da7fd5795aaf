import { NodeHelpers, Workflow } from 'n8n-workflow';
import type { INodeParameters, INodeType } from 'n8n-workflow';

import { collection, multiChoice, propertiesOf, text } from '../../../nodes/shared/fields/fields';
import {
	eventsOf,
	outputNames,
	outputsLabeled,
	routeBy,
	routeItems,
} from '../../../nodes/shared/triggers/routing';
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
		outputs: outputsLabeled({ 'b.two': 'Two', 'own.event': 'Own' }),
		properties: propertiesOf({
			routeBy,
			events: multiChoice({ displayName: 'Trigger On' }),
			options: collection('Options', { customEvents: text({ displayName: 'Custom Events' }) }),
		}),
	},
};

addNodeType('exampleTrigger', type);

/** Returns the outputs that n8n draws. */
function drawn(parameters: INodeParameters) {
	const node = nodeOf('Example', 'exampleTrigger', parameters);
	const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	return NodeHelpers.getNodeOutputs(workflow, node, type.description).map((output) =>
		typeof output === 'string' ? output : (output.displayName ?? ''),
	);
}

const SELECTIONS = [
	undefined,
	[],
	['feedback.created'],
	['b.two', 'a.one'],
	['a', 'b', 'a', ''],
	'a, b,,a',
	'={{ ["a", "b"] }}',
];
const TYPED = [undefined, '', 'own.event', ' own.event , b.two ,own.event', "it's {{odd}}"];
const cases = ['none', 'event', 'scoreType', undefined].flatMap((by) =>
	SELECTIONS.flatMap((events) =>
		TYPED.map(
			(customEvents): INodeParameters => ({
				...(by !== undefined && { routeBy: by }),
				...(events !== undefined && { events }),
				...(customEvents !== undefined && { options: { customEvents } }),
			}),
		),
	),
);

test.each(cases)('the editor shows the outputs that items are routed to: %j', (parameters) => {
	// n8n resolves an expression in a top-level parameter before the node reads it.
	const resolved =
		parameters.events === '={{ ["a", "b"] }}' ? { ...parameters, events: ['a', 'b'] } : parameters;
	const labels = new Map([
		['b.two', 'Two'],
		['own.event', 'Own'],
	]);
	expect(drawn(parameters)).toEqual(outputNames(resolved).map((name) => labels.get(name) ?? name));
});

test('events go to their outputs, custom events after the chosen ones', () => {
	const parameters = { routeBy: 'event', events: ['b', 'a'], options: { customEvents: 'own, b' } };
	const routed = routeItems(parameters, ['own', 'a', 'b', 'a', 'none of them'], (event) => ({
		event,
	}));
	expect(eventsOf(parameters)).toEqual(['b', 'a', 'own']);
	expect(routed).toEqual([['b'], ['a', 'a'], ['own', 'none of them']]);
	const byScore = ['Detractor', 'Passive', 'Promoter', 'Other'];
	expect(outputNames({ routeBy: 'scoreType' })).toEqual(byScore);
});
