import type { Icon, ICredentialType, INodeProperties } from 'n8n-workflow';

import { keyAfter } from './authentication';

/** The key of a Survey A account, and where its API is. The nodes that use it test it. */
export class SurveyAApi implements ICredentialType {
	name = 'surveyAApi';

	displayName = 'Survey A API';

	icon: Icon = { light: 'file:../icons/surveyA.svg', dark: 'file:../icons/surveyA.dark.svg' };

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
				'API key of your account. The API documentation does not say where to find it: ask the administrator of your Survey A account.',
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

	authenticate = keyAfter('api_key=');
}
