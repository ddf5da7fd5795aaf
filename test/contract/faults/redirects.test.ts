import type { INodeParameters } from 'n8n-workflow';

import { mapped } from '../../support/columns';
import { runNode } from '../../support/engine';
import { useSandbox } from '../../support/sandbox';

// No redirect is followed: the key goes to the Base URL only, and no write is repeated.

const sandbox = useSandbox();

const REQUESTS: Array<[string, string, INodeParameters]> = [
	['a read', '/api/lists/', { resource: 'contactList', operation: 'getAll', returnAll: true }],
	[
		'a send',
		'/api/v2/survey/',
		{
			...{ resource: 'survey', operation: 'send', campaignId: '101' },
			...mapped({ email: 'ada@acme.example' }),
		},
	],
	[
		'a delete',
		'/api/contacts/remove/',
		{ resource: 'contact', operation: 'delete', email: 'ada@acme.example' },
	],
];

const redirect = async (parameters: INodeParameters, location: string, status: number) => {
	sandbox.b.faults.add({ kind: { status, headers: { location } }, times: Infinity });
	const { error } = await runNode({
		node: 'surveyB',
		parameters,
		credential: { baseUrl: sandbox.b.url, apiKey: sandbox.b.apiKey },
	});
	expect(sandbox.a.requests).toEqual([]);
	expect(sandbox.b.requests).toHaveLength(1);
	expect(sandbox.b.state.sent).toEqual([]);
	return error;
};

describe.each(REQUESTS)('%s', (_, path, parameters) => {
	test.each([301, 302, 303, 307, 308])(
		'a redirect is not followed, so no other host gets the API key: HTTP %i',
		async (status) => {
			for (const base of [sandbox.a.url, `${sandbox.b.url}/proxy`]) {
				sandbox.b.reset();
				const error = await redirect(parameters, `${base}${path}?secret=1`, status);
				expect(error?.message).toContain(`Survey B redirects to ${base} (HTTP ${status})`);
				expect(error?.description).toContain(`enter ${base} as the Base URL of the credential`);
			}
		},
	);
});
