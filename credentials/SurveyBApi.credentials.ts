import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

import { keyAfter } from './authentication';

/** The key of a Survey B account, and where its API is. The nodes that use it test it. */
export class SurveyBApi implements ICredentialType {
	name = 'surveyBApi';

	displayName = 'Survey B API';

	icon: Icon = { light: 'file:../icons/surveyB.svg', dark: 'file:../icons/surveyB.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-surveys/n8n-nodes-surveys#credentials';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://survey.example.com',
			description: 'Base URL of the API, without /api at the end',
		},
		{
			displayName: 'API Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			required: true,
			default: '',
			description:
				"API key of your organization. Find it in the organization's API section in the account settings.",
		},
		{
			displayName: 'Requests per Minute',
			name: 'requestsPerMinute',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: 0,
			description:
				'Maximum number of requests per minute with this API key, across all workflows. 0 means no limit. Rate limits of the service are always respected.',
		},
	];

	authenticate = keyAfter('Token ');
}
