import type { IPollFunctions, INodeType, INodeTypeDescription } from 'n8n-workflow';

import { poll } from '../shared/polling/poll';
import { branchHint, FORMS, OUTPUTS, outputs } from '../shared/triggers/routing';
import { methods } from './methods';
import { properties, trigger } from './trigger/pollingTrigger';

/** Starts a workflow for new records in Survey A. It polls, since the contract shows no webhooks. */
export class SurveyATrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Survey A Trigger',
		name: 'surveyATrigger',
		icon: { light: 'file:../../icons/surveyA.svg', dark: 'file:../../icons/surveyA.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ [].concat($parameter["events"]).join(", ") }}',
		description:
			'Starts the workflow on new feedback, customers, companies or sent surveys; the Survey A node sends surveys',
		eventTriggerDescription: 'Looking for new records in Survey A',
		defaults: { name: 'Survey A Trigger' },
		builderHint: {
			searchHint: 'Polls Survey A; each new record comes out once, also if its run fails',
			extraTypeDefContent: [{ content: `${OUTPUTS}\n${FORMS}` }],
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-surveys.surveyA',
					relationHint: 'Sends surveys, tags feedback',
				},
			],
		},
		polling: true,
		inputs: [],
		outputs,
		hints: [branchHint],
		credentials: [{ name: 'surveyAApi', required: true, testedBy: 'surveyAApiTest' }],
		properties,
	};

	methods = methods;

	async poll(this: IPollFunctions) {
		return await poll(this, trigger);
	}
}
