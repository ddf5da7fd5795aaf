import type { INodeProperties } from 'n8n-workflow';

/** How the trigger goes about its deliveries. */
export const options: INodeProperties = {
	displayName: 'Options',
	name: 'options',
	type: 'collection',
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Confirm',
			name: 'confirm',
			type: 'boolean',
			default: false,
			description:
				"Whether to fetch each feedback from Survey B and hand on that instead of what was delivered. A feedback that is gone meanwhile comes out with its ID only and 'removed' true.",
		},
		{
			displayName: 'Custom Events',
			name: 'customEvents',
			type: 'string',
			noDataExpression: true,
			default: '',
			placeholder: 'e.g. survey.response_added_or_changed',
			description:
				'Events of your account that are not in the list, by the names that Survey B gives them. Names with commas between them.',
		},
		{
			displayName: 'Ignore Repeats',
			name: 'ignoreRepeats',
			type: 'boolean',
			default: true,
			description: 'Whether to start one run only when Survey B delivers the same change twice',
		},
		{
			displayName: 'Require Token',
			name: 'requireToken',
			type: 'boolean',
			default: true,
			description:
				'Whether to refuse calls without the secret that this node gave Survey B. Switch it off only if something between Survey B and n8n takes the query off the web address.',
		},
	],
};
