import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { execute, nodeProperties, operationTexts } from '../shared/node';
import { methods } from './methods';
import { descriptions, general, resources } from './resources';
import { surveyA } from './service';

/**
 * The actions of Survey A. Programmatic, because the declarative style sends one request for each item, all at once: it
 * can neither send many items in one request nor wait for the service.
 */
export class SurveyA implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Survey A',
		name: 'surveyA',
		icon: { light: 'file:../../icons/surveyA.svg', dark: 'file:../../icons/surveyA.dark.svg' },
		group: ['transform'],
		// With a list of versions, n8n adds no 'Custom API Call' to each resource: the HTTP Request node takes the credential.
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Send surveys to customers, and read feedback, scores and reports',
		defaults: { name: 'Survey A' },
		usableAsTool: true,
		builderHint: {
			searchHint: 'For NPS, CSAT, CES and star ratings of customers',
			extraTypeDefContent: operationTexts(resources, general),
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-surveys.surveyATrigger',
					relationHint: 'Starts on new feedback',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'surveyAApi', required: true, testedBy: 'surveyAApiTest' }],
		properties: nodeProperties(resources, 'feedback', descriptions),
	};

	methods = methods;

	async execute(this: IExecuteFunctions) {
		return await execute(this, surveyA, resources);
	}
}
