import type { INodeType, INodeTypeDescription, IWebhookFunctions } from 'n8n-workflow';

import { outputs } from '../shared/triggerOutputs';
import { properties } from './trigger/fields';
import { receive } from './trigger/deliveries/receive';
import { webhookMethods } from './trigger/subscriptions/webhookMethods';

/** Starts a workflow at once when something happens in Survey B, by subscriptions it makes itself. */
export class SurveyBTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Survey B Trigger',
		name: 'surveyBTrigger',
		icon: { light: 'file:../../icons/surveyB.svg', dark: 'file:../../icons/surveyB.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: '={{ [].concat($parameter["events"]).join(", ") }}',
		description: 'Starts the workflow when feedback, tags, scores or contacts change in Survey B',
		eventTriggerDescription: 'Waiting for an event in Survey B',
		activationMessage: 'Survey B now tells this workflow of its events.',
		triggerPanel: {
			header: 'Pull in events from Survey B',
			executionsHelp: {
				inactive:
					'Subscriptions are made for you. <b>While you build</b>, click the button, then answer a survey: its event shows up here, 15 minutes later for feedback. <b>Once the workflow is published</b>, every event starts it; those runs are in the executions list.',
				active:
					"Subscriptions are made for you. <b>While you build</b>, click the button, then answer a survey: its event shows up here, 15 minutes later for feedback, and the published workflow gets it as well. <b>Runs of the published workflow</b> are in the <a data-key='executions'>executions list</a>.",
			},
			activationHint: 'Publish the workflow to start it at every event, without this button',
		},
		defaults: { name: 'Survey B Trigger' },
		inputs: [],
		outputs,
		credentials: [{ name: 'surveyBApi', required: true }],
		webhooks: [
			{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'survey-b' },
		],
		properties,
	};

	webhookMethods = { default: webhookMethods };

	async webhook(this: IWebhookFunctions) {
		return await receive(this);
	}
}
