import type { Icon, ICredentialType } from 'n8n-workflow';

import { surveyB } from '../nodes/SurveyB/service';
import { credentialFields, signedBy } from '../nodes/shared/http/credential';

/** The key of a Survey B account, and where its API is. The nodes that use it test it. */
export class SurveyBApi implements ICredentialType {
	name = 'surveyBApi';

	displayName = 'Survey B API';

	icon: Icon = { light: 'file:../icons/surveyB.svg', dark: 'file:../icons/surveyB.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-surveys/n8n-nodes-surveys#credentials';

	properties = credentialFields(
		"API key of your organization. Find it in the organization's API section in the account settings.",
	);

	authenticate = signedBy(surveyB);
}
