import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { execute, nodeProperties } from '../shared/node';
import { methods } from './methods';
import { resources } from './resources';
import { surveyA } from './service';

/**
 * The actions of Survey A. Programmatic, because the declarative style sends one request for each item, all at once: it
 * can neither send many rows in one request nor wait for the service.
 */
export class SurveyA implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Survey A',
		name: 'surveyA',
		icon: { light: 'file:../../icons/surveyA.svg', dark: 'file:../../icons/surveyA.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Send surveys to customers, and read feedback, scores and reports from Survey A',
		defaults: { name: 'Survey A' },
		usableAsTool: true,
		builderHint: {
			searchHint:
				'Use Survey A to send surveys to customers and to read NPS, CSAT, CES and star rating feedback, scores and reports. Map customers by the Columns field: the column with the ID email is required.',
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-surveys.surveyATrigger',
					relationHint: 'Starts a workflow for each new feedback response or customer of Survey A',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'surveyAApi', required: true, testedBy: 'surveyAApiTest' }],
		properties: nodeProperties(resources, 'feedback'),
	};

	methods = methods;

	async execute(this: IExecuteFunctions) {
		return await execute(this, surveyA, resources);
	}
}
