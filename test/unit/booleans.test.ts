import type { INodeProperties, INodeType } from 'n8n-workflow';

import { SurveyA } from '../../nodes/SurveyA/SurveyA.node.ts';
import { SurveyATrigger } from '../../nodes/SurveyA/SurveyATrigger.node.ts';
import { SurveyB } from '../../nodes/SurveyB/SurveyB.node.ts';
import { SurveyBTrigger } from '../../nodes/SurveyB/SurveyBTrigger.node.ts';

const nodes: INodeType[] = [
	new SurveyA(),
	new SurveyATrigger(),
	new SurveyB(),
	new SurveyBTrigger(),
];

/** Returns the booleans that a user adds from a collection. */
function addedBooleans({ options = [], type }: INodeProperties): INodeProperties[] {
	if (type !== 'collection') return [];
	return options.flatMap((option) =>
		'type' in option && option.type === 'boolean' ? [option] : [],
	);
}

const booleans = nodes.flatMap(({ description: { displayName, properties } }) =>
	properties.flatMap(addedBooleans).map((option) => [displayName, option] as const),
);
const names = [...new Set(booleans.map(([node, { displayName }]) => `${node}: ${displayName}`))];

test.each(names)('%s is added switched on, since its name says what it does', (name) => {
	const presets = booleans
		.filter(([node, { displayName }]) => `${node}: ${displayName}` === name)
		.map(([, option]) => option.default);
	expect(new Set(presets)).toEqual(new Set([true]));
});
