import type { INodeParameters } from 'n8n-workflow';

import { mapped } from '../../support/columns';
import { runOperation } from '../../support/runOperation';
import { useSandbox } from '../../support/sandbox';

// No redirect is followed: the key goes to the Base URL only, and no write is repeated.

const sandbox = useSandbox();

const REQUESTS: Array<[path: string, operation: string, parameters?: INodeParameters]> = [
	['/api/lists/', 'contactList.getAll'],
	[
		'/api/v2/survey/',
		'survey.send',
		{ campaignId: '101', ...mapped({ email: 'ada@acme.example' }) },
	],
	['/api/contacts/remove/', 'contact.delete', { email: 'ada@acme.example' }],
];

describe.each(REQUESTS)('%s', (path, operation, parameters) => {
	test.each([301, 302, 303, 307, 308])(
		'a redirect is not followed, so no other host gets the API key: HTTP %i [no-redirect]',
		async (status) => {
			for (const base of [sandbox.a.url, `${sandbox.b.url}/proxy`]) {
				sandbox.b.reset();
				const headers = { location: `${base}${path}?secret=1` };
				sandbox.b.faults.add({ kind: { status, headers }, times: Infinity });
				const { error } = await runOperation(sandbox.b, operation, parameters);
				expect(sandbox.a.requests).toEqual([]);
				expect(sandbox.b.requests).toHaveLength(1);
				expect(sandbox.b.state.sent).toEqual([]);
				expect(error?.message).toContain(`Survey B redirects to ${base} (HTTP ${status})`);
				expect(error?.description).toContain(`enter ${base} as the Base URL of the credential`);
			}
		},
	);
});

test.each([
	[301, 'failed'],
	[302, 'failed'],
	[303, 'maybeSent'],
	[307, 'failed'],
	[308, 'failed'],
])(
	'a redirect of a survey to the same path elsewhere says that nothing was done, except a 303, which may follow one that was: HTTP %i',
	async (status, code) => {
		const headers = { location: `${sandbox.b.url}/api/v2/survey` };
		sandbox.a.faults.add({ kind: { status, headers } });
		const { items } = await runOperation(
			sandbox.a,
			'survey.send',
			{ campaign: '64a000000000000000000003', ...mapped({ email: 'ada@acme.example' }) },
			{ onError: 'continueRegularOutput' },
		);
		expect(items).toMatchObject([{ details: { code, httpCode: status } }]);
	},
);
