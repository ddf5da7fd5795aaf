/**
 * The steps from the joint package to the two split ones. The README of both and `npm run split` say them, and
 * `npm run split -- --check` takes them.
 */
export const MOVE = [
	'## Move from n8n-nodes-surveys',
	'Survey A and Survey B were one package before, `n8n-nodes-surveys`. Credentials stay: they have the same types. In this order:',
	[
		'1. Install the new packages beside the old one. Do not remove the old one yet: n8n could not start its workflows, nor remove their webhooks.',
		"2. In each workflow's JSON, replace the first part of the node types: `n8n-nodes-surveys.surveyA` becomes `n8n-nodes-survey-a.surveyA`, and `n8n-nodes-surveys.surveyB` becomes `n8n-nodes-survey-b.surveyB`. On n8n's server, for all workflows at once:",
		'',
		'   ```sh',
		'   n8n export:workflow --backup --output=workflows/',
		'   sed -i \'s/"n8n-nodes-surveys\\.survey\\([AB]\\)/"n8n-nodes-survey-\\L\\1\\E.survey\\1/\' workflows/*.json',
		'   n8n import:workflow --separate --input=workflows/',
		'   ```',
		'',
		'3. Publish the workflows again. Each trigger of Survey B has one webhook then, and misses nothing that is delivered later.',
		'4. Remove the old package.',
	].join('\n'),
].join('\n\n');
