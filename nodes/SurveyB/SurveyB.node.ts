import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { execute, nodeProperties } from '../shared/node';
import { methods } from './methods';
import { resources } from './resources';
import { surveyB } from './service';

/**
 * The actions of Survey B. Programmatic, because the declarative style can neither wait for the service nor keep a retry
 * from sending a survey twice.
 */
export class SurveyB implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Survey B',
		name: 'surveyB',
		icon: { light: 'file:../../icons/surveyB.svg', dark: 'file:../../icons/surveyB.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			'Send surveys to contacts, and reply to, forward, tag and close feedback in Survey B',
		defaults: { name: 'Survey B' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Use Survey B to send surveys to contacts, to reply to, forward, tag and close feedback, and to read NPS metrics. Map contacts by the Columns field: the column with the ID email is required.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-surveys.surveyBTrigger',
					relationHint:
						'Starts a workflow at once when feedback changes in Survey B, for example to route detractors',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'surveyBApi', required: true, testedBy: 'surveyBApiTest' }],
		properties: nodeProperties(resources, 'feedback'),
	};

	methods = methods;

	async execute(this: IExecuteFunctions) {
		return await execute(this, surveyB, resources);
	}
}
