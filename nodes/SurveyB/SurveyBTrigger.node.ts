import type { INodeType, INodeTypeDescription, IWebhookFunctions } from 'n8n-workflow';

import { branchHint, FORMS, OUTPUTS, outputs } from '../shared/triggers/routing';
import { receive } from '../shared/webhooks/receive';
import { webhookMethods } from '../shared/webhooks/webhookMethods';
import { webhooksAt } from '../shared/webhooks/webhookTrigger';
import { methods } from './methods';
import { properties } from './trigger/fields';
import { trigger } from './trigger/webhookTrigger';

/** Starts a workflow on events of Survey B, through webhooks that it creates itself. */
export class SurveyBTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Survey B Trigger',
		name: 'surveyBTrigger',
		icon: { light: 'file:../../icons/surveyB.svg', dark: 'file:../../icons/surveyB.dark.svg' },
		group: ['trigger'],
		// For version 1, n8n evaluates one more expression per delivery.
		version: 1.1,
		subtitle: '={{ [].concat($parameter["events"]).join(", ") }}',
		description:
			'Starts the workflow when feedback, a tag or a score changes, or a contact unsubscribes; the Survey B node sends surveys',
		eventTriggerDescription: 'Waiting for an event in Survey B',
		activationMessage: 'Survey B will now send events to this workflow.',
		triggerPanel: {
			header: 'Pull in events from Survey B',
			executionsHelp: {
				inactive:
					'Webhooks are created for you. Unpublishing tries to remove them: how is assumed, since the API documentation does not say. <b>While you build</b>, click the button: n8n listens for two minutes. For events of feedback, the newest response that the filters let through, or else the newest of all, arrives at once as a sample. A real one arrives about 15 minutes after the answer. <b>Once the workflow is published</b>, every event starts it; you find those runs in the executions list. For the current state of a response, add a Survey B node with Feedback → Get.',
				active:
					"Webhooks are created for you. Unpublishing tries to remove them: how is assumed, since the API documentation does not say. <b>While you build</b>, click the button: n8n listens for two minutes. For events of feedback, the newest response that the filters let through, or else the newest of all, arrives at once as a sample. Real events start the published workflow as well. <b>Runs of the published workflow</b> are in the <a data-key='executions'>executions list</a>. For the current state of a response, add a Survey B node with Feedback → Get.",
			},
			activationHint: 'Publish the workflow to start it on every event, without this button',
		},
		defaults: { name: 'Survey B Trigger' },
		builderHint: {
			searchHint: 'Survey B calls n8n; webhooks are created for you',
			extraTypeDefContent: [
				{
					content: `${OUTPUTS}
feedback.added_or_changed fires 15 minutes after an answer or a change of it, such as a later comment. tags_added_or_changed fires at each tag added, changed or removed, status_changed at each closing and reopening. metric.score_changed is about the NPS of a campaign. Whether a reply fires an event is not documented. sample: true marks a real response in a test run.
${FORMS}
Reply: Survey B node, resource 'feedback', operation 'reply', feedbackId: expr('{{ $json.id }}').`,
				},
			],
			relatedNodes: [
				{
					nodeType: 'n8n-nodes-surveys.surveyB',
					relationHint: 'Replies to, tags and closes feedback',
				},
			],
		},
		inputs: [],
		outputs,
		hints: [branchHint],
		credentials: [{ name: 'surveyBApi', required: true, testedBy: 'surveyBApiTest' }],
		webhooks: webhooksAt('survey-b'),
		properties,
	};

	methods = methods;

	webhookMethods = { default: webhookMethods(trigger) };

	async webhook(this: IWebhookFunctions) {
		return await receive(this, trigger);
	}
}
