import type { Icon, ICredentialType } from 'n8n-workflow';

import { surveyA } from '../nodes/SurveyA/service';
import { credentialFields, signedBy } from '../nodes/shared/http/credential';

/** The key of a Survey A account, and where its API is. The nodes that use it test it. */
export class SurveyAApi implements ICredentialType {
	name = 'surveyAApi';

	displayName = 'Survey A API';

	icon: Icon = { light: 'file:../icons/surveyA.svg', dark: 'file:../icons/surveyA.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-surveys/n8n-nodes-surveys#credentials';

	properties = credentialFields(
		'API key of your account. The API documentation does not say where to find it: ask the administrator of your Survey A account.',
	);

	authenticate = signedBy(surveyA);
}
