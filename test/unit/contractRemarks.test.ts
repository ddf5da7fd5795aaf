import type { INodeProperties, INodeType } from 'n8n-workflow';

import { SurveyA } from '../../nodes/SurveyA/SurveyA.node.ts';
import { SurveyB } from '../../nodes/SurveyB/SurveyB.node.ts';
import { SurveyBTrigger } from '../../nodes/SurveyB/SurveyBTrigger.node.ts';

// Remarks of the contracts that users need: each is in the panel, at the operation or field that it is about.

/** Returns the texts that the panel shows for an operation. */
function panelTexts({ description }: INodeType, resource: string, operation: string): string {
	const shown = description.properties.filter(({ name, displayOptions }) => {
		const { show } = displayOptions ?? {};
		const isOfResource = !show?.resource || show.resource.includes(resource);
		const isOfOperation = !show?.operation || show.operation.includes(operation);
		return isOfResource && isOfOperation && name !== 'resource' && name !== 'operation';
	});
	const own = description.properties
		.filter(({ name, displayOptions }) => {
			return name === 'operation' && displayOptions?.show?.resource?.includes(resource);
		})
		.flatMap(({ options = [] }) => options)
		.filter((option) => 'value' in option && option.value === operation);
	return textsIn([...own, ...shown]).join(' ');
}

/** Returns all texts in a value, such as labels, descriptions and hints. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return Object.values(value ?? {}).flatMap(textsIn);
}

const A = new SurveyA();
const B = new SurveyB();

const REMARKS: Array<[operation: string, node: INodeType, remark: RegExp]> = [
	['feedback.create', B, /documentation shows no method, path or parameter names.*assumed/],
	['metric.get', B, /documentation shows no path.*assumed/],
	['webhook.delete', B, /documentation does not describe.*assumed/],
	['report.get', A, /Promoters, passives and detractors are counts/],
	['report.getAll', A, /Promoters, passives and detractors are counts/],
	['score.get', A, /Promoters, passives and detractors are percentages/],
	['survey.send', A, /in-app survey needs the in-app script in your web application/],
	['survey.send', B, /campaign must have been added as an API integration/],
	['survey.send', B, /surveyed once in 24 hours/],
	['feedback.forward', B, /refused .*when the feedback has been marked complete/],
	['contact.upsert', B, /update applies to all lists and campaigns/],
	['campaign.getAll', A, /Deleted campaigns are left out/],
	['template.getAll', A, /Deleted templates are left out/],
	['customer.upsert', A, /Properties that Survey A does not know are created/],
];

test.each(
	REMARKS.map(([name, node, remark]) => ({
		...{ name, node, remark },
		title: node.description.displayName,
	})),
)('the panel of $title, $name, contains the remark $remark', ({ name, node, remark }) => {
	const [resource = '', operation = ''] = name.split('.');
	expect(panelTexts(node, resource, operation)).toMatch(remark);
});

test.each(['tag.merged', 'tag.removed', 'tag.renamed'])(
	'Survey B Trigger says that %s comes from tag management',
	(event) => {
		const { properties } = new SurveyBTrigger().description;
		const option = properties
			.flatMap(({ options = [] }: INodeProperties) => options)
			.find((one) => 'value' in one && one.value === event);
		expect(textsIn(option).join(' ')).toContain('in tag management');
	},
);
