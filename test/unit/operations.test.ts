import { NodeHelpers } from 'n8n-workflow';
import type { INodeProperties, INodeType } from 'n8n-workflow';

import { SurveyA } from '../../nodes/SurveyA/SurveyA.node.ts';
import { SurveyATrigger } from '../../nodes/SurveyA/SurveyATrigger.node.ts';
import { SurveyB } from '../../nodes/SurveyB/SurveyB.node.ts';
import { SurveyBTrigger } from '../../nodes/SurveyB/SurveyBTrigger.node.ts';
import { nodeOf } from '../support/engine';

const nodes: INodeType[] = [new SurveyA(), new SurveyB()];

const lists = nodes.flatMap(({ description }) =>
	description.properties
		.filter(({ name }) => name === 'operation')
		.map((field): [string, string, INodeProperties, INodeType] => {
			const resource = String(field.displayOptions?.show?.resource);
			const node = nodes.find((one) => one.description === description) ?? new SurveyA();
			return [description.displayName, resource, field, node];
		}),
);

const namesOf = ({ options = [] }: INodeProperties) => options.map(({ name }) => name);

test.each(lists)('%s, %s: lists deprecated operations last', (_, __, field) => {
	const names = namesOf(field);
	const current = names.filter((name) => !name.endsWith('(Deprecated)'));
	const deprecated = names.filter((name) => name.endsWith('(Deprecated)'));
	expect(names).toEqual([...current, ...deprecated]);
});

test.each(lists)('%s, %s: the default is Get Many, or else the first operation', (_, __, field) => {
	const values = (field.options ?? []).map((option) => ('value' in option ? option.value : ''));
	expect(field.default).toBe(values.includes('getAll') ? 'getAll' : values[0]);
});

const triggers: INodeType[] = [new SurveyATrigger(), new SurveyBTrigger()];

test.each([...nodes, ...triggers])(
	'$description.displayName has every method that its fields name',
	({ description, methods: { loadOptions, listSearch, resourceMapping } = {} }) => {
		const named = JSON.stringify(description.properties).matchAll(/"\w+Method":"(\w*)"/g);
		const methods = Object.keys({ ...loadOptions, ...listSearch, ...resourceMapping });
		expect(methods).toEqual(expect.arrayContaining([...named].map(([, name]) => name)));
	},
);

/** Returns the description that n8n gives to an agent for a node that was just added. */
function agentDescription(type: INodeType, resource: string, operation: string): string {
	const description = { ...type.description, name: `${type.description.name}Tool` };
	const tool = { ...type, description };
	const node = nodeOf('Tool', description.name, { resource, operation });
	const { properties } = description;
	const parameters =
		NodeHelpers.getNodeParameters(properties, node.parameters, true, false, node, description) ??
		{};
	return NodeHelpers.getToolDescriptionForNode({ ...node, parameters }, tool);
}

const CANNOT_BE_UNDONE = [
	'customer.unsubscribe',
	'contact.unsubscribe',
	'customer.delete',
	'survey.send',
	'survey.sendLegacy',
	'survey.sendAudienceLegacy',
	'contact.delete',
	'feedback.delete',
	'feedback.forward',
	'feedback.reply',
	'commonReply.delete',
	'webhook.delete',
];

const operations = lists.flatMap(([, resource, { options = [] }, node]) =>
	options.flatMap((option) =>
		'value' in option ? [{ ...option, resource, operation: String(option.value), node }] : [],
	),
);

test.each(operations)(
	'the description for agents says what $resource.$operation does and whether it can be undone, as a notice for people does',
	({ resource, operation, node, description }) => {
		const text = agentDescription(node, resource, operation);
		expect(text).toContain(description);
		const isFinal = CANNOT_BE_UNDONE.includes(`${resource}.${operation}`);
		expect(text.includes('cannot be undone')).toBe(isFinal);
		const notices = node.description.properties.filter(({ name, type, displayOptions }) => {
			const { resource: resources, operation: names } = displayOptions?.show ?? {};
			const isShown = resources?.includes(resource) && names?.includes(operation);
			return type === 'notice' && name !== 'notice' && isShown;
		});
		const says = expect.stringContaining('cannot be undone');
		expect(notices).toEqual(
			!isFinal
				? []
				: [
						expect.objectContaining({
							displayName: says,
							displayOptions: expect.objectContaining({ hide: { '@tool': [true] } }),
						}),
						expect.objectContaining({
							displayName: says,
							displayOptions: { show: expect.objectContaining({ '@tool': [true] }) },
						}),
					],
		);
	},
);

const SENDS_EMAIL = /^(survey\.send|feedback\.(reply|forward)$)/;

test.each(
	operations.filter(({ resource, operation }) => SENDS_EMAIL.test(`${resource}.${operation}`)),
)(
	'the description for agents says that $resource.$operation sends an email',
	({ resource, operation, node }) => {
		expect(agentDescription(node, resource, operation)).toMatch(
			/sends an email|gets an email|by email/,
		);
	},
);

test.each(nodes)(
	'types for agents have no field that people do not see, in node %#',
	({ description }) => {
		const hidden = description.properties.filter(({ type }) => type === 'hidden');
		expect(hidden).not.toEqual([]);
		expect(hidden.filter(({ disabledOptions }) => disabledOptions === undefined)).toEqual([]);
	},
);
