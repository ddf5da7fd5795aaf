import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { execute, nodeProperties, operationTexts } from '../shared/node';
import { methods } from './methods';
import { descriptions, general, resources } from './resources';
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
		// With a list of versions, n8n adds no 'Custom API Call' to each resource: the HTTP Request node takes the credential.
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Send surveys to contacts, and reply to, forward, tag and close feedback',
		defaults: { name: 'Survey B' },
		usableAsTool: true,
		builderHint: {
			searchHint: 'For NPS surveys of contacts, and what follows an answer',
			extraTypeDefContent: operationTexts(resources, general),
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-surveys.surveyBTrigger',
					relationHint: 'Starts when feedback changes',
				},
			],
		},
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'surveyBApi', required: true, testedBy: 'surveyBApiTest' }],
		properties: nodeProperties(resources, 'feedback', descriptions),
	};

	methods = methods;

	async execute(this: IExecuteFunctions) {
		return await execute(this, surveyB, resources);
	}
}
