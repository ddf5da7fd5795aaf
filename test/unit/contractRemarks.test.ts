import type { INodeProperties } from 'n8n-workflow';

import type { Resources } from '../../nodes/shared/operations/operation';
import { resources as A } from '../../nodes/SurveyA/resources';
import { resources as B } from '../../nodes/SurveyB/resources';
import { SurveyBTrigger } from '../../nodes/SurveyB/SurveyBTrigger.node.ts';

// Remarks of the contracts that users need: each is in the panel, at the operation or field that it is about.

/** Returns all texts in a value, such as labels, descriptions and hints. */
function textsIn(value: unknown): string[] {
	if (typeof value === 'string') return [value];
	return Object.values(value ?? {}).flatMap(textsIn);
}

const REMARKS: Array<[operation: string, remark: RegExp, resources: Resources]> = [
	['feedback.create', /the API documentation does not show it/, B],
	['metric.get', /the API documentation does not show it/, B],
	['webhook.delete', /the API documentation does not show it/, B],
	[
		'report.get',
		/Promoters, passives, detractors, their sum \(total\) and responded are counts/,
		A,
	],
	[
		'report.getAll',
		/Promoters, passives, detractors, their sum \(total\) and responded are counts/,
		A,
	],
	['score.get', /Promoters, passives and detractors are percentages/, A],
	['survey.send', /In-app surveys need the in-app script/, A],
	['survey.send', /campaign must be an API integration/, B],
	['survey.send', /once in 24 hours/, B],
	['feedback.forward', /Fails after a reply .*once the feedback is complete/, B],
	['contact.upsert', /update applies to all lists and campaigns/, B],
	['campaign.getAll', /Deleted campaigns are left out/, A],
	['template.getAll', /Deleted templates are left out/, A],
	['customer.upsert', /New properties are created/, A],
	['feedback.getAll', /given on or after this moment/, A],
	['feedback.getAll', /given before this moment/, B],
	['metric.getAll', /First day \(UTC\)/, B],
	['metric.getAll', /Day \(UTC\) after the last one/, B],
];

test.each(REMARKS)('the panel of %s contains the remark %p', (name, remark, resources) => {
	const [resource = '', operation = ''] = name.split('.');
	const { description, details, fields } = resources[resource]?.[operation] ?? {};
	expect(textsIn([description, details, fields]).join(' ')).toMatch(remark);
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
