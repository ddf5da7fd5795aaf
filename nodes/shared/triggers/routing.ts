import { NodeConnectionTypes } from 'n8n-workflow';
import type { ExpressionString, NodeHint } from 'n8n-workflow';

import { choice } from '../fields/kinds';

/** The parameter of a trigger that decides its outputs. @internal */
export const routeBy = choice({
	displayName: 'Route By',
	noDataExpression: true,
	options: [
		{ name: 'None', value: 'none', description: 'One output for everything' },
		{
			name: 'Score Type',
			value: 'scoreType',
			description: 'Outputs in this order: Detractor, Passive, Promoter, Other (no score type)',
		},
	],
	default: 'none',
	description:
		'Which outputs the node has. By Score Type: Detractor, Passive, Promoter, Other, in this order.',
});

/** The outputs of a trigger, for agents that build workflows. */
export const OUTPUTS = `Outputs in this order, with routeBy 'scoreType': 0 Detractor, 1 Passive, 2 Promoter, 3 Other (no score type). For one output per event, add a Switch on $json.event.
Example: .add(trigger.output(0).to(alert)).add(trigger.output(2).to(thank))`;

/** The forms of a trigger's items, for agents that build workflows. */
export const FORMS =
	'$json.event is the event. The fields that Get of the record returns are at the top: $json.id, $json.email, $json.score; with simplify false, all fields are under $json.data. A test run brings real records, with $json.sample, and the nodes after the trigger act on them.';

const SCORE_TYPES = ['detractor', 'passive', 'promoter'];
const SCORE_OUTPUTS = ['Detractor', 'Passive', 'Promoter', 'Other'];

/** The expression that draws the outputs in the editor. */
export const outputs: ExpressionString = `={{ $parameter.routeBy === 'scoreType' ? ${JSON.stringify(
	SCORE_OUTPUTS.map((displayName) => ({ type: NodeConnectionTypes.Main, displayName })),
)} : [${JSON.stringify({ type: NodeConnectionTypes.Main })}] }}`;

/** Explains an empty branch: the editor opens the first one, whichever branch has the item. */
export const branchHint: NodeHint = {
	message:
		'Each item comes out on the branch of its score type. Open the branch whose tab shows the number of items.',
	location: 'outputPane',
	whenToDisplay: 'afterExecution',
	displayCondition: '={{ $parameter["routeBy"] === "scoreType" }}',
};

/**
 * Distributes items among the node's outputs, in order.
 *
 * @param scoreTypeOf returns `promoter`, `passive` or `detractor`; anything else goes to the last output
 */
export function routeItems<Item>(
	isByScoreType: boolean,
	items: Item[],
	scoreTypeOf: (item: Item) => unknown,
): Item[][] {
	if (!isByScoreType) return [items];
	const filled: Item[][] = SCORE_OUTPUTS.map(() => []);
	// The index of another one is -1, which is the last output.
	for (const item of items) filled.at(SCORE_TYPES.indexOf(String(scoreTypeOf(item))))?.push(item);
	return filled;
}
