import { NodeConnectionTypes } from 'n8n-workflow';
import type { IExecuteFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { credentialTest } from './credentialTest';
import { execute, propertiesOf } from '../shared/node';
import { resourceMapping } from './resourceMapping';
import { resources } from './resources';
import { listSearch } from './dropDowns';
import { surveyA } from './service';

/**
 * The actions of Survey A. Programmatic, since the declarative style sends one request for each item
 * and all at once: it can neither put many rows into one request nor wait for the service.
 */
export class SurveyA implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Survey A',
		name: 'surveyA',
		icon: { light: 'file:../../icons/surveyA.svg', dark: 'file:../../icons/surveyA.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description: 'Survey customers, and read feedback, scores and reports from Survey A',
		defaults: { name: 'Survey A' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'surveyAApi', required: true, testedBy: 'surveyAApiTest' }],
		properties: propertiesOf(resources, 'feedback'),
	};

	methods = { credentialTest, listSearch, resourceMapping };

	async execute(this: IExecuteFunctions) {
		return await execute(this, surveyA, resources);
	}
}
